// apify/crawlee#1115: a limit of more than 2^31 - 1 ms does not fit a timer; Node makes it 1 ms, and everything "timed out".
import { expect, test } from 'vitest';
import { builtInEngine, send, storage } from './support/transfer.js';

test.each([2 ** 31, 2 ** 40, Number.MAX_SAFE_INTEGER])('a limit of %d ms does not run out at once', async limit => {
  const server = await storage((_request, socket) => {
    setTimeout(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'), 100);
    return undefined;
  });
  const timeouts = { stall: limit, response: limit };
  await expect(send(builtInEngine(), server.origin, { timeouts })).resolves.toMatchObject({ status: 200 });
});
