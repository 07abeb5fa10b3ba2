import { randomBytes } from 'node:crypto';
import { getEventListeners } from 'node:events';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { Agent, fetch as undiciFetch } from 'undici';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FileSource, fromBytes, fromPath, fromStream } from '../../src/index.js';
import { createBuiltInEngine } from '../../src/transfer/built-in-engine.js';
import { createFetchEngine } from '../../src/transfer/fetch-engine.js';
import { type TemporaryFolder, temporaryFolder } from '../transfer/support/open-files.js';
import { answer, type ReceivedRequest, storage, type TestServer, tcpServer } from '../transfer/support/server.js';
import { send } from '../transfer/support/upload.js';
import { activeTimers, openSockets } from './support/open.js';
import { stepping } from './support/steps.js';
import { abortAtEveryStep, attempt, type Run } from './support/sweep.js';
import { type EngineName, MODES, type Mode } from './support/world.js';

const MIB = 1024 * 1024;
const TIMEOUTS = { connect: 0, stall: 100_000, response: 100_000 };
const content = randomBytes(MIB + 7);

vi.setConfig({ testTimeout: 120_000 });

/** Answers what came whole, but nothing after an abort: nobody may wait for it. */
const unless =
  (respond: (request: ReceivedRequest, socket: Socket) => string | undefined) =>
  (request: ReceivedRequest, socket: Socket) =>
    signal.aborted ? undefined : respond(request, socket);

let folder: TemporaryFolder;
let server: TestServer;
/** Of the run that goes on. */
let signal: AbortSignal;

beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  await server.close();
  await folder.remove();
});

const never = () => new Promise<never>(() => {});

const SOURCES: Readonly<Record<string, (run: Run) => FileSource>> = {
  'a small path': () => fromPath(join(folder.path, 'small')),
  'a large path': () => fromPath(join(folder.path, 'large')),
  bytes: () => fromBytes(content, { name: 'a' }),
  'a stream': ({ step }) =>
    fromStream(
      async function* () {
        for (let i = 0; i < 3; i++) {
          step('source is read');
          if (signal.aborted) await never();
          yield Buffer.alloc(10_000);
        }
      },
      { name: 'a', size: 30_000 },
    ),
};

/** One upload by a new engine, with everything of it a step. */
async function sweep(name: EngineName, mode: Mode, source: string, origin = server.origin): Promise<number> {
  await folder.write('small', 'content');
  await folder.write('large', content);
  const { method, ...more } = MODES[mode];
  const target = {
    method,
    ...('form' in more && { form: { fields: [['key', 'v/1']] as const, fileField: 'upload' } }),
  };
  let close = async (): Promise<void> => {};
  return abortAtEveryStep({
    task: async run => {
      signal = run.signal;
      const agent = new Agent();
      const fetch = ((url: string, init: object) => undiciFetch(url, { ...init, dispatcher: agent })) as never;
      const engine = name === 'fetch' ? createFetchEngine(fetch) : createBuiltInEngine({ connectTimeout: 0 });
      close = async () => {
        await engine.close();
        await agent.destroy();
      };
      const file = SOURCES[source]!(run);
      const onSent = () => run.step('onSent');
      await send(stepping(engine, run.step), origin, { file, target, signal, timeouts: TIMEOUTS, onSent });
    },
    close: () => close(),
    idle: () => server.idle(),
    // A connection that fetch was still making is its dispatcher's, and stays until that is closed.
    closesItsConnections: name === 'built-in',
  });
}

const uploads = (...modes: Mode[]) =>
  modes.flatMap(mode => Object.keys(SOURCES).map(source => [mode, source] as const));

describe('an upload that is aborted at any step', () => {
  it.each([
    ...uploads('PUT', 'form').map(upload => ['built-in', ...upload] as const),
    ['built-in', 'POST', 'a large path'] as const,
    ['fetch', 'PUT', 'a small path'] as const,
    ['fetch', 'POST', 'a stream'] as const,
    ['fetch', 'form', 'a large path'] as const,
  ])('ends there and leaves nothing: by the %s engine, %s of %s', async (engine, mode, source) => {
    server = await storage(unless(() => answer(200, 'stored')));
    expect(await sweep(engine, mode, source)).toBeGreaterThan(100);
  });
});

describe('an upload that fails, aborted at any step', () => {
  const refusals: Readonly<Record<string, (request: ReceivedRequest, socket: Socket) => string | undefined>> = {
    'is refused': () => answer(403, '<Code>AccessDenied</Code>'),
    'is refused at length': () => answer(400, 'x'.repeat(200_000)),
    'is redirected': () => answer(307, '', { Location: 'http://127.0.0.1:1/' }),
    'is cut off': (_, socket) => {
      socket.destroy();
      return undefined;
    },
    'meets a 100': () => `HTTP/1.1 100 Continue\r\n\r\n${answer(200)}`,
  };

  it.each(Object.entries(refusals))('ends there and leaves nothing, where it %s', async (_, respond) => {
    server = await storage(unless(respond));
    expect(await sweep('built-in', 'PUT', 'a small path')).toBeGreaterThan(100);
  });

  it('ends there and leaves nothing, where nobody listens and it waits to try again', async () => {
    server = await tcpServer(() => {});
    const gone = await tcpServer(() => {});
    await gone.close();
    const engine = createBuiltInEngine({ connectTimeout: 0 });
    const codes = new Map<string, number>();
    const timers = activeTimers();
    const sockets = openSockets();
    // All at once: each waits for most of a second.
    const runs = Array.from({ length: 250 }, async (_, at) => {
      const task = ({ step, signal: own }: Run) =>
        send(stepping(engine, step), gone.origin, { signal: own, timeouts: TIMEOUTS });
      const run = await attempt({ task }, at);
      const { error } = run.outcome as { error: { code: string; cause: unknown; failures?: { reason: string }[] } };
      if (run.steps.name !== undefined && error.code === 'aborted') expect(error.cause).toBe(run.reason);
      else expect(error.failures).toMatchObject([{ reason: 'connection_refused' }]);
      expect(getEventListeners(run.signal, 'abort')).toEqual([]);
      codes.set(error.code, (codes.get(error.code) ?? 0) + 1);
    });
    await Promise.all(runs);
    expect(codes.get('aborted')).toBeGreaterThan(100);
    expect(codes.get('transfer_failed')).toBeGreaterThan(0); // those that were over before their step
    expect(activeTimers()).toBeLessThanOrEqual(timers);
    await engine.close();
    expect(openSockets()).toBeLessThanOrEqual(sockets);
  });

  it('ends there and leaves nothing, where it is refused in its middle', async () => {
    server = await tcpServer(socket => socket.once('data', () => signal.aborted || socket.write(answer(413))));
    expect(await sweep('built-in', 'form', 'a large path')).toBeGreaterThan(100);
  });
});
