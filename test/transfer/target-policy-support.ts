import { expect } from 'vitest';
import { isFilesError } from '../../src/errors/index.js';
import type { CheckedTarget, RefusalReason, TargetContext, TransferTarget } from '../../src/transfer/target.js';
import { checkTarget } from '../../src/transfer/target-policy.js';

export const NOW = Date.parse('2030-01-02T03:04:05Z');

function contextWith(changes: Partial<TargetContext> = {}): TargetContext {
  return {
    serverUrl: 'https://mcp.example.com/mcp',
    policy: {},
    engineKind: 'built-in',
    proxied: false,
    hasCredentials: true,
    now: () => NOW,
    ...changes,
  };
}

function targetWith(changes: Partial<TransferTarget> = {}): TransferTarget {
  const place = changes.path === undefined ? { url: 'https://store.example.net/key?X-Sig=abc' } : {};
  return { ...place, method: 'PUT', headers: [], credentials: 'omit', ...changes };
}

/** Marks every secret that a target can carry; no error may show it. */
export const SECRET = 'sEcReT';

/** What the policy makes of a target: `'ok'`, the reason of the refusal, or the code of another error. */
export function verdict(target: Partial<TransferTarget>, context: Partial<TargetContext> = {}): RefusalReason | string {
  try {
    checkTarget(targetWith(target), contextWith(context));
    return 'ok';
  } catch (error) {
    if (!isFilesError(error)) throw error;
    expect(error.outcome).toBe('not_run');
    expect(JSON.stringify([error.message, error.stack, error.details, String(error)])).not.toContain(SECRET);
    if (error.code !== 'target_refused') return error.code;
    return String(error.details?.reason);
  }
}

export function checked(target: Partial<TransferTarget>, context: Partial<TargetContext> = {}): CheckedTarget {
  return checkTarget(targetWith(target), contextWith(context));
}
