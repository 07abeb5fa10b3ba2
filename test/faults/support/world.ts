import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';
import { Agent, fetch as undiciFetch } from 'undici';
import { expect } from 'vitest';
import {
  type FileSource,
  type FilesClientOptions,
  type FilesToolResult,
  isFilesError,
  type ProgressEvent,
} from '../../../src/index.js';
import { connect, type Flavour } from '../../support/clients.js';
import {
  done,
  inputRequired,
  type Script,
  type ScriptedServer,
  startScriptedServer,
  uploadEntry,
} from '../../support/scripted-server.js';
import { publish } from '../../support/tools.js';
import type { TestServer } from '../../transfer/support/server.js';
import { abortListeners, activeTimers, openFilesUnder, within } from './open.js';

type Json = Record<string, unknown>;

/** The three ways in which a file may be wanted. */
export const MODES = {
  PUT: { method: 'PUT' },
  POST: { method: 'POST' },
  form: { method: 'POST', form: { fields: [{ name: 'key', value: 'v/1' }], fileField: 'upload' } },
} as const;
export type Mode = keyof typeof MODES;

export const ENGINES = ['built-in', 'fetch'] as const;
export type EngineName = (typeof ENGINES)[number];

export interface Setup {
  readonly files: readonly (FileSource | Blob)[];
  /** Where the files go, unless `target` names another place. Must be without connections once all is closed. */
  readonly storage?: TestServer;
  /** What the server says of the target of a file, beside its URL. */
  readonly target?: (index: number) => Json;
  /** Instead of one upload round and a result. */
  readonly onCall?: Script['onCall'];
  readonly capability?: Json;
  readonly flavour?: Flavour;
  readonly engine?: EngineName;
  readonly options?: FilesClientOptions;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ProgressEvent) => void;
  /** Milliseconds for each leg. */
  readonly timeout?: number;
  /** How often the host makes this call, one after the other. Default: once. */
  readonly times?: number;
}

export interface Ended {
  readonly result?: FilesToolResult;
  /** Whatever was thrown. */
  readonly error?: any;
  /** Every `tools/call` the server has seen. */
  readonly calls: ScriptedServer['calls'];
}

/**
 * One host, one call through FilesClient, and the storage that the test brings: so that whatever happens there is seen
 * where a host sees it. However the call ends, nothing of it may be open then: files, listeners, timers, and once the
 * client is closed, connections.
 */
export async function call(setup: Setup): Promise<Ended> {
  const { storage, target = () => ({}), flavour = 'v2 modern', engine = 'built-in' } = setup;
  const pointers = setup.files.map((_, index) => `/assets/${index}`);
  const targetOf = (index: number) => ({ url: `${storage?.origin}/put/${index}?sig=SECRET`, ...target(index) });
  const uploadRound = () =>
    inputRequired({ up: uploadEntry(Object.fromEntries(pointers.map((at, index) => [at, targetOf(index)]))) }, 'state');
  const server = await startScriptedServer({
    tools: [publish],
    onCall: setup.onCall ?? ((_, index) => (index % 2 === 0 ? uploadRound() : done())),
    ...(setup.capability && { capability: setup.capability }),
  });
  const agent = new Agent();
  const fetch = ((url: string, init: object) => undiciFetch(url, { ...init, dispatcher: agent })) as never;
  const options = { inlineLimit: 0, ...(engine === 'fetch' && { fetch }), ...setup.options };
  const host = await connect(flavour, server.url, options);
  const { signal = new AbortController().signal, onProgress, timeout } = setup;
  const callOptions = { signal, ...(onProgress && { onProgress }), ...(timeout !== undefined && { timeout }) };
  let ended: Ended = { calls: server.calls };
  try {
    await host.files.listTools();
    const timers = activeTimers();
    const listeners = abortListeners();
    for (let time = 0; time < (setup.times ?? 1); time++) {
      try {
        const request = { name: 'publish', arguments: { site: 's', assets: setup.files } };
        const result = await host.files.callToolWithFiles(request, callOptions);
        ended = { result, calls: server.calls };
      } catch (error) {
        ended = { error, calls: server.calls };
      }
    }
    expect(openFilesUnder()).toEqual([]);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(abortListeners()).toBe(listeners);
    expect(activeTimers()).toBeLessThanOrEqual(timers);
    expect(inspect(ended.error, { depth: 9 })).not.toContain('SECRET');
  } finally {
    await host[Symbol.asyncDispose]();
    await agent.destroy();
    await server[Symbol.asyncDispose]();
  }
  if (storage !== undefined) await within(5_000, 'connections of the storage are still open', storage.idle());
  return ended;
}

/** A call that went through: one upload round, one retry. */
export async function succeeds(setup: Setup): Promise<FilesToolResult> {
  const { result, error, calls } = await call(setup);
  if (error !== undefined) throw error;
  expect(calls).toHaveLength(2 * (setup.times ?? 1));
  return result!;
}

/** A call that ended before the retry, so that the tool cannot have run; what it failed with. */
export async function fails(setup: Setup) {
  const { result, error, calls } = await call(setup);
  expect(result, 'it did not fail').toBeUndefined();
  if (!isFilesError(error)) throw error;
  expect(error).toMatchObject({ outcome: 'not_run', tool: 'publish' });
  expect(calls, 'the call was retried').toHaveLength(1);
  const { failures } = error as { failures?: readonly object[] };
  return { error, code: error.code, pointer: error.pointer, details: error.details, failures };
}

/** The one failure of a call with one file, as `fails`, in one piece. */
export async function transferFails(setup: Setup) {
  const { code, failures } = await fails(setup);
  expect(failures).toHaveLength(1);
  expect(failures![0]).toMatchObject({ pointer: '/assets/0' });
  const { pointer: _, ...failure } = failures![0] as Json;
  return { code, ...failure };
}
