import { getEventListeners } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fromPath } from '../../src/source/from-path.js';
import { fromStream } from '../../src/source/from-stream.js';
import type { TransferEngine } from '../../src/transfer/engine.js';
import { type TemporaryFolder, temporaryFolder } from './support/open-files.js';
import { answer, storage, type TestServer, tcpServer } from './support/server.js';
import { closeEngines, engine, failure, send, transferFailure } from './support/upload.js';

let folder: TemporaryFolder;
let server: TestServer | undefined;
let caller: AbortController;
let shared: TransferEngine;

beforeEach(async () => {
  folder = await temporaryFolder();
  caller = new AbortController();
  shared = engine({ connectTimeout: 0 }); // what is left open stays open
});

afterEach(async () => {
  await closeEngines();
  await server?.close();
  server = undefined;
  await folder.remove();
});

const timers = (): number => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length;

/** What must hold the moment an upload has settled, however it went. */
async function expectNothingOpen(timersBefore: number): Promise<void> {
  expect(await folder.openFiles()).toEqual([]);
  expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
  expect(timers()).toBeLessThanOrEqual(timersBefore);
}

const large = 40_000_000;
const silent = (socket: Socket): void => void socket.pause();

describe('nothing is left open', () => {
  it('after many successes on one signal', async () => {
    server = await storage();
    const file = fromPath(await folder.write('a.bin', Buffer.alloc(2_500_000)));
    for (let i = 0; i < 20; i++) await send(shared, server.origin, { file, signal: caller.signal });
    expect(await folder.openFiles()).toEqual([]);
    expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
    await shared.close();
    await server.idle();
  });

  it('after many failures on one signal', async () => {
    server = await storage(() => answer(403));
    const file = fromPath(await folder.write('a.bin', Buffer.alloc(2_500_000)));
    for (let i = 0; i < 20; i++) await transferFailure(send(shared, server.origin, { file, signal: caller.signal }));
    expect(await folder.openFiles()).toEqual([]);
    expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
  });

  it.each([
    ['an early refusal', (socket: Socket) => void socket.once('data', () => socket.pause().write(answer(413)))],
    ['a reset', (socket: Socket) => void socket.once('data', () => socket.resetAndDestroy())],
    ['a stall', silent],
  ])('after %s in the middle of a large file', async (_, act) => {
    server = await tcpServer(act);
    const file = fromPath(await folder.write('a.bin', Buffer.alloc(large)));
    const before = timers();
    await transferFailure(send(shared, server.origin, { file, signal: caller.signal, timeouts: { stall: 300 } }));
    await expectNothingOpen(before);
    await server.idle();
  });

  it('after an abort before the start', async () => {
    server = await tcpServer(silent);
    caller.abort('early');
    const error = await failure(send(shared, server.origin, { signal: caller.signal }));
    expect(error).toMatchObject({ code: 'aborted', cause: 'early', pointer: '/document', outcome: 'not_run' });
    expect(server.connections).toBe(0);
  });

  it('after an abort while a name is being resolved', async () => {
    let asked = (): void => {};
    const asking = new Promise<void>(resolve => {
      asked = resolve;
    });
    const resolving = engine({ lookup: () => asked(), connectTimeout: 0 });
    const sending = failure(send(resolving, 'http://storage.example', { signal: caller.signal }));
    await asking;
    caller.abort('while connecting');
    expect(await sending).toMatchObject({ code: 'aborted', cause: 'while connecting' });
    expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
  });

  it('after an abort in the middle of a TLS handshake', async () => {
    server = await tcpServer(socket => socket.once('data', () => caller.abort('handshake')));
    const origin = server.origin.replace('http', 'https');
    expect(await failure(send(shared, origin, { signal: caller.signal }))).toMatchObject({ code: 'aborted' });
    await server.idle();
  });

  it('after an abort while a file is being sent', async () => {
    server = await tcpServer(silent);
    const file = fromPath(await folder.write('a.bin', Buffer.alloc(large)));
    const before = timers();
    const sending = failure(
      send(shared, server.origin, {
        file,
        signal: caller.signal,
        timeouts: { stall: 100_000, response: 100_000 },
        onSent: () => caller.abort('while sending'),
      }),
    );
    expect(await sending).toMatchObject({ code: 'aborted', cause: 'while sending' });
    await expectNothingOpen(before);
    await server.idle();
  });

  it('after an abort while the source says nothing', async () => {
    server = await tcpServer(silent);
    let cancelled: unknown;
    const file = fromStream(
      () =>
        new ReadableStream({
          pull: () => new Promise(() => {}),
          cancel: reason => {
            cancelled = reason ?? true;
          },
        }),
      { name: 'a', size: 7 },
    );
    const sending = failure(send(shared, server.origin, { file, signal: caller.signal }));
    setTimeout(() => caller.abort(), 50);
    expect(await sending).toMatchObject({ code: 'aborted' });
    expect(cancelled).toBe(true);
    expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
    await server.idle();
  });

  it('after an abort while the answer is awaited', async () => {
    server = await storage(() => {
      setTimeout(() => caller.abort('while waiting'), 10);
      return undefined;
    });
    const before = timers();
    const sending = send(shared, server.origin, { signal: caller.signal, timeouts: { response: 100_000 } });
    expect(await failure(sending)).toMatchObject({ code: 'aborted', cause: 'while waiting' });
    await server.idle();
    expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
    expect(timers()).toBeLessThanOrEqual(before);
  });

  it('after an abort while the text of a refusal is read: the status is known and is the result', async () => {
    server = await storage((_, socket) => {
      socket.write('HTTP/1.1 403 Forbidden\r\nContent-Length: 100\r\n\r\n{');
      setTimeout(() => caller.abort(), 1_000);
      return undefined;
    });
    expect(await transferFailure(send(shared, server.origin, { signal: caller.signal }))).toMatchObject({
      status: 403,
    });
    await server.idle();
    expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
  });

  it('after the engine was closed in the middle', async () => {
    server = await tcpServer(silent);
    const file = fromPath(await folder.write('a.bin', Buffer.alloc(large)));
    const before = timers();
    let closing: Promise<void> | undefined;
    const sending = transferFailure(
      send(shared, server.origin, {
        file,
        signal: caller.signal,
        onSent: () => {
          closing ??= shared.close();
        },
      }),
    );
    expect(await sending).toMatchObject({ reason: 'connection_lost' });
    await closing;
    await expectNothingOpen(before);
    await server.idle();
  });
});
