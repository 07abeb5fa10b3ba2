// e2b-dev/E2B#1243: a stream given to fetch has no length, so it went out chunked, which S3 answers with 501.
import { expect, test } from 'vitest';
import { fromStream } from '../../src/source/from-stream.js';
import { ENGINES, send, storage } from './support/transfer.js';

async function* content() {
  yield Buffer.from('of known ');
  yield Buffer.from('size');
}

test.each(ENGINES)('a stream goes out with its length, never chunked: %s', async (_, engine) => {
  const server = await storage();
  await send(engine(), server.origin, { file: fromStream(content, { name: 'a', size: 13 }) });
  expect(server.requests[0]!.header('transfer-encoding')).toBeUndefined();
  expect(server.requests[0]!.header('content-length')).toBe('13');
  expect(server.requests[0]!.body.toString()).toBe('of known size');
});
