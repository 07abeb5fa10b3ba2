import { getEventListeners } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TransferEngine } from '../../../src/transfer/engine.js';
import { createFetchEngine } from '../../../src/transfer/fetch-engine.js';
import { type Fetching, fetching, fetchText } from '../support/download.js';
import { answer, storage, type TestServer, tcpServer } from '../support/server.js';
import { closeEngines, engine, failure } from '../support/upload.js';

let server: TestServer | undefined;
let caller: AbortController;

beforeEach(() => {
  caller = new AbortController();
});

afterEach(async () => {
  await closeEngines();
  await server?.close();
  server = undefined;
});

const timers = (): number => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length;
const endless = (socket: Socket): void => {
  socket.write('HTTP/1.1 200 OK\r\nETag: "1"\r\n\r\n');
  const more = (): void => {
    while (!socket.destroyed && socket.write(Buffer.alloc(100_000)));
  };
  socket.on('drain', more);
  more();
};
const timeouts = { stall: 100_000, response: 100_000 };

describe.each([
  ['the built-in engine', engine],
  ['fetch', () => createFetchEngine(fetch)],
] as const)('with %s nothing is left open', (_, make) => {
  let shared: TransferEngine;
  let before: number;
  const expectNothingOpen = (): void => {
    expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
    expect(timers()).toBeLessThanOrEqual(before);
  };
  const start = (how: Fetching = {}) => fetching(shared, server!.origin, { timeouts, signal: caller.signal, ...how });
  beforeEach(() => {
    shared = make();
    before = timers();
  });
  afterEach(() => shared.close());

  it('before the first piece is asked for', async () => {
    server = await tcpServer(endless);
    start();
    await new Promise(resolve => setTimeout(resolve, 50));
    expect(server.connections).toBe(0);
    expectNothingOpen();
  });

  it('after many successes and failures on one signal', async () => {
    let seen = 0;
    server = await storage(() => (seen++ % 2 === 0 ? answer(200, 'x'.repeat(200_000)) : answer(403)));
    for (let i = 0; i < 20; i++) {
      const fetched = fetchText(shared, server.origin, { timeouts, signal: caller.signal });
      if (i % 2 === 0) expect(await fetched).toHaveLength(200_000);
      else await failure(fetched);
      expectNothingOpen();
    }
  });

  it('after a reader that leaves in the middle', async () => {
    server = await tcpServer(endless);
    for await (const piece of start()) {
      expect(piece.byteLength).toBeGreaterThan(0);
      break;
    }
    expectNothingOpen();
    await server.idle();
  });

  it('after an abort between two reads', async () => {
    server = await tcpServer(endless);
    const pieces = start();
    await pieces.next();
    caller.abort('between');
    await server.idle();
    expect(await failure(pieces.next())).toMatchObject({ code: 'aborted', cause: 'between' });
    expectNothingOpen();
  });

  it('after an abort during a read', async () => {
    server = await tcpServer(socket => socket.write('HTTP/1.1 200 OK\r\n\r\nx'));
    const pieces = start();
    await pieces.next();
    const next = failure(pieces.next());
    setTimeout(() => caller.abort('during'), 30);
    expect(await next).toMatchObject({ code: 'aborted', cause: 'during' });
    expectNothingOpen();
    await server.idle();
  });

  it('after an abort before the answer', async () => {
    server = await tcpServer(socket => socket.once('data', () => caller.abort('asked')));
    expect(await failure(start().next())).toMatchObject({ code: 'aborted', cause: 'asked' });
    expectNothingOpen();
    await server.idle();
  });

  it('after an abort before the start', async () => {
    server = await tcpServer(endless);
    caller.abort('early');
    expect(await failure(start().next())).toMatchObject({ code: 'aborted', cause: 'early' });
    expect(server.connections).toBe(0);
  });

  it('after an abort while it waits to go on', async () => {
    server = await tcpServer(socket =>
      socket.once('data', () => {
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 7\r\nETag: "1"\r\n\r\ncon');
        setTimeout(() => caller.abort('waiting'), 60);
      }),
    );
    const pieces = start();
    await pieces.next();
    expect(await failure(pieces.next())).toMatchObject({ code: 'aborted', cause: 'waiting' });
    expectNothingOpen();
    await server.idle();
  });

  it('after a redirect whose body does not end', async () => {
    server = await tcpServer(socket => {
      socket.once('data', data => {
        if (String(data).includes('/get'))
          socket.write('HTTP/1.1 302 Found\r\nLocation: /2\r\nContent-Length: 9\r\n\r\nx');
        else socket.write(answer(200, 'content'));
      });
    });
    expect(await fetchText(shared, server.origin, { timeouts, signal: caller.signal })).toBe('content');
    expectNothingOpen();
  });

  it.each(['size', 'maxBytes'] as const)('after a body beyond %s', async limit => {
    server = await tcpServer(endless);
    await failure(fetchText(shared, server.origin, { timeouts, signal: caller.signal, [limit]: 250_000 }));
    expectNothingOpen();
    await server.idle();
  });

  it('after the engine was closed in the middle', async () => {
    server = await tcpServer(endless);
    const pieces = start({ target: { credentials: 'include' } });
    await pieces.next();
    const closing = shared.close();
    const rest = (async () => {
      for await (const _ of pieces);
    })();
    expect(await failure(rest)).toMatchObject({ code: 'download_failed' });
    await closing;
    await server.idle();
    expectNothingOpen();
  });
});
