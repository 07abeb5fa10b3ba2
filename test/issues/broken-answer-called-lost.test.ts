// Node tells the body of an answer that cannot be read no more than "aborted": the failure said that the connection was lost.
import { expect, test } from 'vitest';
import type { TransferEngine } from '../../src/transfer/engine.js';
import { fetchFailure } from '../transfer/support/download.js';
import { builtInEngine, send, tcpServer, transferFailure, undiciEngine } from './support/transfer.js';

const CLIENTS: ReadonlyArray<readonly [string, () => TransferEngine]> = [
  ['Node', builtInEngine],
  ['undici', undiciEngine],
];

test.each(CLIENTS)('a chunk without its length is a malformed answer: by the client of %s', async (_, make) => {
  const server = await tcpServer(socket => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n', () => {
        setTimeout(() => socket.write('no length\r\n'), 20);
      });
    });
  });
  expect(await fetchFailure(make(), server.origin)).toMatchObject({ reason: 'answer_malformed' });
});

test.each(['101', '099'])('%s is no status of an answer, and no redirect', async status => {
  const server = await tcpServer(socket => {
    socket.once('data', () => socket.write(`HTTP/1.1 ${status} Any\r\nContent-Length: 0\r\n\r\n`));
  });
  const reason = 'answer_malformed';
  expect(await transferFailure(send(builtInEngine(), server.origin))).toMatchObject({ reason });
  expect(await fetchFailure(builtInEngine(), server.origin)).toMatchObject({ reason });
});
