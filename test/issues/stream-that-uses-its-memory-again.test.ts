// A generator that reads into one buffer and yields it again and again is a common way to write a stream. One piece of a
// stream is held back until the next one was asked for, and by then the next one had been read over it: the file arrived
// in its full length with other bytes in it.
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fromStream } from '../../src/index.js';
import { planFile } from '../../src/source/plan-file.js';
import { createFetchEngine } from '../../src/transfer/fetch-engine.js';
import { type Storage, storage } from '../transfer/support/server.js';
import { closeEngines, engine, send } from '../transfer/support/upload.js';

let server: Storage;
beforeEach(async () => {
  server = await storage();
});
afterEach(async () => {
  await closeEngines();
  await server.close();
});

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

it.each([10, 70_000, 1_500_000])('pieces of %i bytes in the same memory arrive as they were given', async length => {
  const content = Buffer.concat([0, 1, 2, 3, 4].map(n => Buffer.alloc(length, `${n}`)));
  async function* open() {
    const memory = Buffer.alloc(length);
    for (let at = 0; at < content.length; at += length) {
      content.copy(memory, 0, at);
      yield memory;
      await new Promise(resolve => setImmediate(resolve));
    }
  }
  const file = fromStream(open, { name: 'a', size: content.length });
  await send(engine(), server.origin, { file });
  const fetching = createFetchEngine(globalThis.fetch);
  await send(fetching, server.origin, { file });
  await fetching.close();
  const planned = await planFile(file, new AbortController().signal);
  const inline = await planned.bytes(new AbortController().signal);
  const arrived = [...server.requests.map(({ body }) => body), inline];
  expect(arrived.map(sha256)).toEqual([content, content, content].map(sha256));
});
