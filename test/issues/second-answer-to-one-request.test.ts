// A storage that sent something more behind an answer, on a connection that was kept: Node dropped it without a word and
// used the connection again, where the next such answer could be taken for that of another file.
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { answer, builtInEngine, send, tcpServer, undiciEngine } from './support/transfer.js';

const STRAYS = [answer(200), answer(408, '', { Connection: 'close' }), 'HTT'];

test.each([
  ['Node', builtInEngine],
  ['undici', undiciEngine],
] as const)(
  'a connection on which more came than the answer is not used again: by the client of %s',
  async (_, make) => {
    for (const stray of STRAYS) {
      const server = await tcpServer(socket => {
        socket.on('data', () => socket.write(answer(200), () => setTimeout(() => socket.write(stray), 20)));
      });
      const engine = make();
      for (let file = 0; file < 3; file++) {
        await send(engine, server.origin);
        await wait(60);
      }
      expect(server.connections).toBe(3);
    }
  },
);

test('an early refusal is the result, also where the storage answers what follows once more', async () => {
  const server = await tcpServer(socket => {
    socket.once('data', () => {
      socket.pause();
      socket.write(answer(413, 'too large'), () => setTimeout(() => socket.write(answer(400)), 20));
    });
  });
  const sending = send(builtInEngine(), server.origin, { file: Buffer.alloc(12_000_000), timeouts: { stall: 2_000 } });
  await expect(sending).rejects.toMatchObject({ failures: [{ reason: 'http_status', status: 413 }] });
});
