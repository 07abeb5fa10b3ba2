// nodejs/undici#645, request/request#2259: the timer for the answer ran while the body was being sent, and ended uploads that
// were slow but steady.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { fromStream } from '../../src/source/from-stream.js';
import { builtInEngine, send, storage } from './support/transfer.js';

async function* steady() {
  for (let piece = 0; piece < 30; piece++) {
    await sleep(50);
    yield Buffer.from('.');
  }
}

test('an upload that takes longer than every limit goes through as long as it moves', async () => {
  const server = await storage();
  const file = fromStream(steady, { name: 'a', size: 30 });
  const receipt = await send(builtInEngine(), server.origin, { file, timeouts: { stall: 1_000, response: 1_000 } });
  expect(receipt.milliseconds).toBeGreaterThan(1_000);
  expect(server.requests[0]!.body.length).toBe(30);
});
