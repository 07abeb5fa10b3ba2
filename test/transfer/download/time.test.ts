import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createFetchEngine } from '../../../src/transfer/fetch-engine.js';
import { fetchFailure, fetching, fetchText } from '../support/download.js';
import { answer, storage, type TestServer, tcpServer } from '../support/server.js';
import { closeEngines, engine, failure } from '../support/upload.js';

let server: TestServer | undefined;

afterEach(async () => {
  await closeEngines();
  await server?.close();
  server = undefined;
});

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Length: 7\r\nETag: "1"\r\n\r\n';
const stalled = { code: 'transfer_stalled', reason: 'stalled' };

describe.each([
  ['the built-in engine', engine],
  ['fetch', () => createFetchEngine(fetch)],
] as const)('with %s the stall limit', (_, make) => {
  it.each<[string, (socket: Socket) => void]>([
    ['that says nothing', () => {}],
    ['that stops in the headers', socket => socket.write(HEAD.slice(0, 20))],
    ['that stops before the body', socket => socket.write(HEAD)],
    ['that stops in the body', socket => socket.write(`${HEAD}con`)],
  ])('ends the wait for a storage %s, once', async (_, act) => {
    server = await tcpServer(socket => void socket.once('data', () => act(socket)));
    expect(await fetchFailure(make(), server.origin, { timeouts: { stall: 300 } })).toEqual(stalled);
    expect(server.connections).toBe(1);
    await server.idle();
  });

  it('does not end a download that keeps moving for longer', async () => {
    server = await storage((_, socket) => {
      socket.write(HEAD);
      const pieces = [...'content'];
      const timer = setInterval(() => {
        const piece = pieces.shift();
        if (piece === undefined) clearInterval(timer);
        else socket.write(piece);
      }, 300);
      return undefined;
    });
    expect(await fetchText(make(), server.origin, { timeouts: { stall: 1_500 } })).toBe('content');
  });

  it('does not run while the reader is at work', async () => {
    server = await storage(() => answer(200, 'x'.repeat(1_000_000)));
    let bytes = 0;
    let paused = false;
    for await (const piece of fetching(make(), server.origin, { timeouts: { stall: 1_000 } })) {
      bytes += piece.byteLength;
      if (!paused) await new Promise(resolve => setTimeout(resolve, 1_600));
      paused = true;
    }
    expect(bytes).toBe(1_000_000);
  });
});

describe('the response limit', () => {
  it('ends the wait for a status line, if it is the shorter one', async () => {
    server = await tcpServer(() => {});
    const how = { timeouts: { stall: 60_000, response: 200 } };
    expect(await fetchFailure(engine(), server.origin, how)).toEqual({
      code: 'transfer_timeout',
      reason: 'response_timeout',
    });
    await server.idle();
  });

  it('is over with the status line', async () => {
    server = await storage((_, socket) => {
      socket.write(HEAD);
      setTimeout(() => socket.write('content'), 1_500);
      return undefined;
    });
    expect(await fetchText(engine(), server.origin, { timeouts: { response: 1_000 } })).toBe('content');
  });
});

it('a connection that is not made in time is a timeout too', async () => {
  const never = engine({ lookup: () => {}, connectTimeout: 200 });
  const error = await failure(fetchText(never, 'http://storage.example'));
  expect(error).toMatchObject({ code: 'transfer_timeout', failures: [{ reason: 'connect_timeout' }] });
});
