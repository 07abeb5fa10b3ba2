// MayDay-wpf/snow-cli#75, labring/FastGPT#5173: nobody gave callTool a limit of its own, so the SDK's 60 s ended tools that
// were at work.
import { expect, test } from 'vitest';
import { sendLeg } from '../../src/call/leg.js';
import { CallPhase } from '../../src/call/phase.js';
import type { LegOptions, McpPort } from '../../src/connection/index.js';

async function limitOf(afterUpload: boolean, timeout?: number): Promise<number | undefined> {
  let given: LegOptions | undefined;
  const port = {
    callToolLeg: async (_params: unknown, _tool: unknown, options: LegOptions) => {
      given = options;
      return { kind: 'complete', result: {} };
    },
  } as unknown as McpPort;
  const leg = { params: {}, inlineBytes: 0, canRunTool: true, isRetry: afterUpload, afterUpload };
  await sendLeg(leg, {
    port,
    tool: { name: 't', inputSchema: { type: 'object' } },
    options: timeout === undefined ? {} : { timeout },
    signal: new AbortController().signal,
    phase: new CallPhase('t'),
    canReroute: true,
  });
  return given?.timeout;
}

test('the tool that now has its files gets five minutes, or what the host says', async () => {
  expect(await limitOf(true)).toBe(300_000);
  expect(await limitOf(true, 5)).toBe(5);
  expect(await limitOf(false)).toBeUndefined();
});
