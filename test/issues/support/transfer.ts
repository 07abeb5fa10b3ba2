import type { Socket } from 'node:net';
import * as undici from 'undici';
import { onTestFinished } from 'vitest';
import { type BuiltInEngineOptions, createBuiltInEngine } from '../../../src/transfer/built-in-engine.js';
import type { TransferEngine } from '../../../src/transfer/engine.js';
import { createFetchEngine } from '../../../src/transfer/fetch-engine.js';
import { type MakeSlot, PooledEngine } from '../../../src/transfer/pooled-engine.js';
import { UndiciSlot } from '../../../src/transfer/undici-slot.js';
import * as server from '../../transfer/support/server.js';

export { answer } from '../../transfer/support/server.js';
export { failure, send, transferFailure } from '../../transfer/support/upload.js';

/** Storage that reads whole requests; closed with the test. */
export async function storage(...given: Parameters<typeof server.storage>): Promise<server.Storage> {
  const made = await server.storage(...given);
  onTestFinished(() => made.close());
  return made;
}

/** A TCP server that does what it is told with each connection; closed with the test. */
export async function tcpServer(onConnection: (socket: Socket) => void): Promise<server.TestServer> {
  const made = await server.tcpServer(onConnection);
  onTestFinished(() => made.close());
  return made;
}

function closedWithTest(engine: TransferEngine): TransferEngine {
  onTestFinished(() => engine.close());
  return engine;
}

export function builtInEngine(options: Partial<BuiltInEngineOptions> = {}): TransferEngine {
  return closedWithTest(createBuiltInEngine({ connectTimeout: 5_000, ...options }));
}

/** The built-in engine as it is through a proxy, without one. */
export function undiciEngine(): TransferEngine {
  const slots = async (): Promise<MakeSlot> => onDisconnected =>
    new UndiciSlot(undici, { connectTimeout: 5_000 }, onDisconnected);
  return closedWithTest(new PooledEngine(slots));
}

export function fetchEngine(): TransferEngine {
  return closedWithTest(createFetchEngine(globalThis.fetch));
}

/** For faults that either way of sending could have. */
export const ENGINES: ReadonlyArray<readonly [name: string, make: () => TransferEngine]> = [
  ['the built-in engine', builtInEngine],
  ['undici', undiciEngine],
  ['fetch', fetchEngine],
];
