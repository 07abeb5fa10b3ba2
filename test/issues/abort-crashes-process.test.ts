// nodejs/undici#3353, #3736, node-fetch/node-fetch#1420: an abort made an error that nobody could catch, and the process ended
// although the call was wrapped in try and catch.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { fromBytes } from '../../src/source/from-bytes.js';
import { fromStream } from '../../src/source/from-stream.js';
import { builtInEngine, failure, fetchEngine, send, tcpServer } from './support/transfer.js';
import { watchUncaught } from './support/uncaught.js';

const EARLY = 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc';
const large = () => fromBytes(Buffer.alloc(20_000_000), { name: 'a' });
/** Says nothing after its first bytes, and complains when it is let go of. */
const sulking = () =>
  fromStream(
    () => {
      let said = false;
      const next = (): Promise<IteratorResult<Uint8Array>> => {
        if (said) return new Promise(() => {});
        said = true;
        return Promise.resolve({ done: false, value: Buffer.alloc(10) });
      };
      return { [Symbol.asyncIterator]: () => ({ next, return: () => Promise.reject(new Error('sulking')) }) };
    },
    { name: 'a', size: 20 },
  );

test.each([
  ['while sending', 'the built-in engine', undefined, builtInEngine, large],
  ['beside an answer that nobody reads yet', 'the built-in engine', EARLY, builtInEngine, large],
  ['while its source is silent', 'the built-in engine', undefined, builtInEngine, sulking],
  ['while sending', 'fetch', undefined, fetchEngine, large],
])('an abort %s is the error of the call and no other: %s', async (_moment, _name, reply, engine, file) => {
  const uncaught = watchUncaught();
  const caller = new AbortController();
  const server = await tcpServer(socket => {
    socket.on('data', () => {
      if (reply !== undefined) socket.write(reply);
      socket.pause();
    });
    setTimeout(() => caller.abort('enough'), 50);
  });
  const sending = send(engine(), server.origin, { file: file(), signal: caller.signal });
  expect(await failure(sending)).toMatchObject({ code: 'aborted', cause: 'enough' });
  await sleep(20);
  expect(uncaught).toEqual([]);
});
