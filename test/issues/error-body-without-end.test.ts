// symfony/symfony#65751, node-fetch/node-fetch#348: the body of an error answer was read to its end, whatever its size, to make
// a message of it.
import { expect, test } from 'vitest';
import { builtInEngine, send, tcpServer, transferFailure } from './support/transfer.js';

test('an error answer of 64 MiB is not read', async () => {
  let written = 0;
  const piece = Buffer.alloc(65_536, 'x');
  const server = await tcpServer(socket => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 400 Bad Request\r\nContent-Length: 67108864\r\n\r\n');
      const more = () => {
        while (written < 67_108_864 && socket.writable) {
          written += piece.length;
          if (!socket.write(piece)) return void socket.once('drain', more);
        }
      };
      more();
    });
  });
  expect(await transferFailure(send(builtInEngine(), server.origin))).toMatchObject({ status: 400 });
  await server.idle();
  expect(written).toBeLessThan(32 * 1024 * 1024);
});
