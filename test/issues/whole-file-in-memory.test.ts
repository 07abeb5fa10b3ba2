// axios/axios#1045: the whole body was buffered while it was sent, in case of a redirect: 10 GB of memory for 10 GB.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { fromStream } from '../../src/source/from-stream.js';
import { builtInEngine, failure, send, tcpServer } from './support/transfer.js';

const MIB = 1024 * 1024;

test('no more of a file is read than the socket takes', async () => {
  let read = 0;
  async function* content() {
    for (; read < 512 * MIB; read += MIB) yield Buffer.alloc(MIB);
  }
  const server = await tcpServer(socket => void socket.pause());
  const file = fromStream(content, { name: 'a', size: 512 * MIB });
  const caller = new AbortController();
  const sending = failure(send(builtInEngine(), server.origin, { file, signal: caller.signal }));
  await expect.poll(() => read, { timeout: 10_000 }).toBeGreaterThan(0);
  await sleep(300);
  caller.abort();
  expect(await sending).toMatchObject({ code: 'aborted' });
  expect(read).toBeLessThan(64 * MIB);
});
