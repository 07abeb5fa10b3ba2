import { inspect } from 'node:util';
import { expect } from 'vitest';
import { TransferError, type TransferFailure } from '../../../src/errors/index.js';
import { readTargets } from '../../../src/protocol/index.js';
import { fromBytes } from '../../../src/source/from-bytes.js';
import { planFile } from '../../../src/source/plan-file.js';
import { makeGuardedLookup } from '../../../src/transfer/address-guard.js';
import { createBuiltInEngine } from '../../../src/transfer/built-in-engine.js';
import { createFetchEngine } from '../../../src/transfer/fetch-engine.js';
import { checkTarget } from '../../../src/transfer/target-policy.js';
import { DEFAULT_TIMEOUTS, type UploadReceipt, upload } from '../../../src/transfer/upload.js';
import type { TestFile } from './files.js';

export type EngineKind = 'built-in' | 'fetch';
export const ENGINES: readonly EngineKind[] = ['built-in', 'fetch'];

/** A target as an MCP server writes it into its upload request. */
export interface WireTarget {
  url: string;
  method?: 'PUT' | 'POST';
  headers?: Record<string, string>;
  form?: { fields: { name: string; value: string }[]; fileField?: string };
}

const POINTER = '/file';
export const POLICY = { allowHttp: 'loopback' } as const;

/** From the server's upload request to the storage's answer, by the same steps as a call takes. */
export async function send(wire: WireTarget, file: TestFile, kind: EngineKind = 'built-in'): Promise<UploadReceipt> {
  const signal = new AbortController().signal;
  const planned = await planFile(fromBytes(file.bytes, { name: file.name, type: file.type }), signal);
  const target = checkTarget(readTarget(wire), {
    policy: POLICY,
    engineKind: kind,
    proxied: false,
    hasCredentials: false,
    now: Date.now,
  });
  const engine = makeEngine(kind);
  try {
    return await upload(engine, {
      pointer: POINTER,
      target,
      file: planned,
      credentialHeaders: [],
      signal,
      timeouts: DEFAULT_TIMEOUTS,
      onSent() {},
    });
  } finally {
    await engine.close();
  }
}

/** The reader gives no target to an empty file, which never has a transfer in a call; here it says it holds a byte. */
function readTarget(wire: WireTarget) {
  const entry = { method: 'io.modelcontextprotocol/files/upload', params: { targets: { [POINTER]: wire } } };
  const notes: string[] = [];
  const targets = readTargets(entry, [{ pointer: POINTER, size: 1, inline: false }], note => notes.push(note));
  expect(notes).toEqual([]);
  return targets.get(POINTER)!;
}

export function makeEngine(kind: EngineKind) {
  if (kind === 'fetch') return createFetchEngine(globalThis.fetch, {});
  return createBuiltInEngine({
    lookup: makeGuardedLookup({ policy: POLICY }),
    connectTimeout: DEFAULT_TIMEOUTS.connect,
  });
}

/**
 * Sends what must be refused, and returns how: one failure, for this file, and nothing secret of the target anywhere in
 * the error.
 */
export async function refusal(
  wire: WireTarget,
  file: TestFile,
  kind: EngineKind = 'built-in',
): Promise<Omit<TransferFailure, 'pointer'>> {
  const error = await send(wire, file, kind).then(
    receipt => expect.fail(`the storage took it with status ${receipt.status}`),
    thrown => thrown,
  );
  expect(error).toBeInstanceOf(TransferError);
  expect(error).toMatchObject({ code: 'transfer_failed', outcome: 'not_run', pointer: POINTER });
  expect(error.failures).toHaveLength(1);
  expectNoSecret(error, wire, file);
  const { pointer, ...failure } = error.failures[0] as TransferFailure;
  expect(pointer).toBe(POINTER);
  return failure;
}

function expectNoSecret(error: TransferError, wire: WireTarget, file: TestFile): void {
  const shown = [
    inspect(error, { depth: 10, showHidden: true }),
    JSON.stringify(error),
    `${error} ${error.message} ${error.stack} ${inspect(error.cause, { depth: 10 })}`,
  ].join('\n');
  for (const secret of secretsOf(wire, file)) expect(shown).not.toContain(secret);
}

/** Long enough not to be met by chance. */
const SHORTEST = 8;

function secretsOf({ url, headers = {}, form }: WireTarget, file: TestFile): string[] {
  const [address = '', query = ''] = url.split(/\?(.*)/s);
  const parameters = query.split('&').map(pair => pair.slice(pair.indexOf('=') + 1));
  const values = [...Object.values(headers), ...(form?.fields ?? []).map(({ value }) => value)];
  const secrets = [
    query,
    ...parameters,
    ...parameters.map(decode),
    ...values,
    Buffer.from(file.bytes).toString('latin1'),
  ];
  // A bucket is a field of the form, and stands in the path as well.
  return secrets.filter(secret => secret.length >= SHORTEST && !address.endsWith(`/${secret}`));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
