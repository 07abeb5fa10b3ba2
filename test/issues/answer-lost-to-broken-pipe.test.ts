// nodejs/node#54366: a refusal that came while the body was still being sent was lost: the caller got EPIPE or ECONNRESET.
import { expect, test } from 'vitest';
import { answer, builtInEngine, send, tcpServer, transferFailure } from './support/transfer.js';

test.each([401, 403, 413])('the status of an early refusal is the result, not the pipe: %i', async status => {
  const server = await tcpServer(socket => {
    socket.once('data', () => {
      socket.pause().write(answer(status, '{"error":{"code":"NotYours"}}', { Connection: 'close' }));
    });
  });
  const sending = send(builtInEngine(), server.origin, { file: Buffer.alloc(40_000_000), timeouts: { stall: 5_000 } });
  expect(await transferFailure(sending)).toMatchObject({ status, serviceCode: 'NotYours', reason: 'http_status' });
  expect(server.connections).toBe(1);
  await server.idle();
});
