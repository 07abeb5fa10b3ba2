// nodejs/node#9085, fdintino/nginx-upload-module#13: a success that was sent while the body was on its way made the client
// drop the connection, and with it the rest of the file.
import { expect, test } from 'vitest';
import { answer, builtInEngine, send, tcpServer } from './support/transfer.js';

const size = 20_000_000;

test('all of the file is sent although success was said at its first byte', async () => {
  let received = 0;
  const server = await tcpServer(socket => {
    socket.once('data', head => {
      received = -(head.indexOf('\r\n\r\n') + 4) - 0;
      socket.write(answer(200, 'stored'));
    });
    socket.on('data', data => {
      received += data.length;
    });
  });
  const receipt = await send(builtInEngine(), server.origin, { file: Buffer.alloc(size) });
  expect(receipt).toMatchObject({ status: 200, bytes: size });
  await expect.poll(() => received).toBe(size);
});
