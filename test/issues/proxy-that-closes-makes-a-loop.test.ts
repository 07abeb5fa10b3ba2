// nodejs/undici#3897, #5093: where a proxy closes the connection instead of making a tunnel, ProxyAgent connects again and again,
// thousands of times a second, and the request never fails.
import { expect, test } from 'vitest';
import { builtInEngine, send, tcpServer, transferFailure } from './support/transfer.js';

test.each([
  ['at once', 0],
  ['when it is asked for a tunnel', 1],
])('a proxy that closes %s is a failure after three tries', async (_, bytes) => {
  const proxy = await tcpServer(socket => {
    if (bytes === 0) socket.destroy();
    else socket.once('data', () => socket.destroy());
  });
  const sending = send(builtInEngine({ proxy: proxy.origin }), 'http://storage.test', { timeouts: { stall: 5_000 } });
  expect(await transferFailure(sending)).toMatchObject({ code: 'transfer_failed', reason: 'connection_failed' });
  expect(proxy.connections).toBe(3);
});
