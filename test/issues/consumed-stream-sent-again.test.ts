// anthropics/anthropic-sdk-typescript#1170, sindresorhus/got#1382: a second attempt sent the stream that the first had used
// up: a body of no bytes, and success.
import { expect, test } from 'vitest';
import { fromStream } from '../../src/source/from-stream.js';
import { answer, builtInEngine, send, tcpServer } from './support/transfer.js';

test('a second attempt opens the stream anew and sends all of it', async () => {
  let body = '';
  const server = await tcpServer(socket => {
    if (server.connections === 1) return void socket.end();
    socket.on('data', data => {
      body += data.toString('latin1').split('\r\n\r\n').at(-1);
      if (body.endsWith('content')) socket.write(answer(200));
    });
  });
  let opened = 0;
  const open = (): ReadableStream<Uint8Array> => {
    opened += 1;
    // The connection of the first attempt is closed while its stream has not said anything yet.
    return opened === 1 ? new ReadableStream() : new Blob(['the whole content']).stream();
  };
  const file = fromStream(open, { name: 'a', size: 17 });
  await send(builtInEngine(), server.origin, { file, timeouts: { stall: 3_000 } });
  expect(body).toBe('the whole content');
  expect(opened).toBe(2);
});
