// A storage closes an idle connection while the host computes something. The host has not heard of it yet when it sends
// the next file: the first bytes used to go into the dead connection, and the transfer failed as if the storage had.
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';
import { closeEngines, engine } from '../transfer/support/upload.js';

/** In a thread of its own, so that it goes on while this one is busy. Says when it has closed a connection. */
const STORAGE = `
const { createServer } = require('node:net');
const { parentPort, workerData: { closed, reset } } = require('node:worker_threads');
const count = new Int32Array(closed);
const server = createServer(socket => {
  socket.on('error', () => {});
  socket.on('data', () => {
    socket.write('HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n');
    setTimeout(() => (reset ? socket.resetAndDestroy() : socket.end()), 50);
  });
  socket.on(reset ? 'close' : 'finish', () => {
    Atomics.add(count, 0, 1);
    Atomics.notify(count, 0);
  });
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

afterEach(closeEngines);

it.each([false, true])(
  'a file sent by a host that was busy meanwhile gets a new connection (reset: %s)',
  async reset => {
    const closed = new SharedArrayBuffer(4);
    const storage = new Worker(STORAGE, { eval: true, workerData: { closed, reset } });
    try {
      const [port] = await once(storage, 'message');
      const shared = engine();
      const body = {
        length: 7,
        blob: async () => new Blob(['content']),
        async *chunks() {
          yield Buffer.from('content');
        },
      };
      for (let time = 0; time < 3; time++) {
        // In the middle of what the last look at the network brought: the next one must come before the request.
        await stat('.');
        if (time > 0) Atomics.wait(new Int32Array(closed), 0, time - 1, 10_000); // busy
        const { signal } = new AbortController();
        const origin = `http://127.0.0.1:${port}`;
        const response = await shared.send({ method: 'PUT', origin, path: '/', headers: [], body, signal });
        expect(response.status).toBe(200);
        for await (const _ of response.body); // to its end, so that the connection is kept
      }
    } finally {
      await storage.terminate();
    }
  },
);
