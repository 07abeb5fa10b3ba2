// box/box-windows-sdk-v2#733, markwylde/upload-to-bunny#3: a length kept in 32 bits, a file read into one buffer: no upload
// over 2 or 4 GiB.
import { expect, test } from 'vitest';
import { fromStream } from '../../src/source/from-stream.js';
import { answer, builtInEngine, send, tcpServer, transferFailure } from './support/transfer.js';

const size = 2 ** 40 + 7;

async function* endless() {
  for (;;) yield Buffer.alloc(65_536);
}

test('a file of a tebibyte starts, with its exact length on the wire', async () => {
  let head = '';
  const server = await tcpServer(socket => {
    socket.once('data', data => {
      head = data.toString('latin1');
      socket.pause().write(answer(413));
    });
  });
  const sending = send(builtInEngine(), server.origin, { file: fromStream(endless, { name: 'a', size }) });
  expect(await transferFailure(sending)).toMatchObject({ status: 413 });
  expect(head).toMatch(/\r\ncontent-length: 1099511627783\r\n/);
});
