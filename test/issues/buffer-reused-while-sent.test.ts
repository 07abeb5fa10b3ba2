// bradenmacdonald/s3-lite-client#15: the memory of a piece was read into again before the piece had been sent: other bytes than
// the file's arrived.
import { createHash, randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { fromPath } from '../../src/source/from-path.js';
import { temporaryFolder } from '../transfer/support/open-files.js';
import { answer, builtInEngine, send, tcpServer } from './support/transfer.js';

const SIZE = 12_000_000;

test('files that wait for a slow storage, side by side and one after the other, arrive as they are', async () => {
  const folder = await temporaryFolder();
  onTestFinished(folder.remove);
  const arrived: string[] = [];
  const server = await tcpServer(socket => {
    let head = '';
    let missing = SIZE;
    let hash = createHash('sha256');
    // Long enough for the sender to fill the socket and to read ahead.
    socket.pause();
    setTimeout(() => socket.resume(), 100);
    socket.on('data', data => {
      const inHead = head.endsWith('\r\n\r\n') ? 0 : data.indexOf('\r\n\r\n') + 4;
      head = inHead > 0 ? data.toString('latin1', 0, inHead) : head;
      hash.update(data.subarray(inHead));
      missing -= data.length - inHead;
      if (missing > 0) return;
      arrived.push(hash.digest('hex'));
      [head, missing, hash] = ['', SIZE, createHash('sha256')];
      socket.write(answer(200));
    });
  });
  const engine = builtInEngine();
  const expected: string[] = [];
  for (let time = 0; time < 2; time++) {
    const contents = [1, 2].map(() => randomBytes(SIZE));
    const paths = await Promise.all(contents.map((content, index) => folder.write(`${time}-${index}`, content)));
    expected.push(...contents.map(content => createHash('sha256').update(content).digest('hex')));
    await Promise.all(paths.map(path => send(engine, server.origin, { file: fromPath(path) })));
  }
  expect(arrived.sort()).toEqual(expected.sort());
});
