// oven-sh/bun#3766, zio/zio-aws#23: an interim 100 Continue was taken for the answer, and the real one was never read.
import { expect, test } from 'vitest';
import { answer, builtInEngine, send, tcpServer, transferFailure } from './support/transfer.js';

test('100 Continue is no success: it ends the transfer under its own name, and nothing is sent again', async () => {
  const server = await tcpServer(socket => {
    socket.once('data', () => socket.write(`HTTP/1.1 100 Continue\r\n\r\n${answer(403)}`));
  });
  expect(await transferFailure(send(builtInEngine(), server.origin))).toMatchObject({
    code: 'transfer_failed',
    reason: 'unsolicited_100_continue',
  });
  expect(server.connections).toBe(1);
});

test('103 Early Hints is passed over', async () => {
  const server = await tcpServer(socket => {
    socket.once('data', () => socket.write(`HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${answer(201)}`));
  });
  await expect(send(builtInEngine(), server.origin)).resolves.toMatchObject({ status: 201 });
});
