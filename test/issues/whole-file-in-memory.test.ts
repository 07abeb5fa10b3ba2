// axios/axios#1045: the whole body was buffered while it was sent, in case of a redirect: 10 GB of memory for 10 GB.
import { expect, test } from 'vitest';
import { fromStream } from '../../src/source/from-stream.js';
import { builtInEngine, send, tcpServer, transferFailure } from './support/transfer.js';

const MIB = 1024 * 1024;

test('no more of a file is read than the socket takes', async () => {
  let read = 0;
  async function* content() {
    for (; read < 512 * MIB; read += MIB) yield Buffer.alloc(MIB);
  }
  const server = await tcpServer(socket => void socket.pause());
  const file = fromStream(content, { name: 'a', size: 512 * MIB });
  const sending = send(builtInEngine(), server.origin, { file, timeouts: { stall: 300 } });
  expect(await transferFailure(sending)).toMatchObject({ reason: 'stalled' });
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(64 * MIB);
});
