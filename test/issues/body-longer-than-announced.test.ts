// cap-js/attachments#310: a body longer than its Content-Length; the surplus is read as the next request on the connection,
// or breaks it.
import { expect, test } from 'vitest';
import { fromStream } from '../../src/source/from-stream.js';
import { ENGINES, failure, send, storage } from './support/transfer.js';

async function* content() {
  yield Buffer.from('0123456789');
  yield Buffer.from('GET /surplus HTTP/1.1\r\nHost: a\r\n\r\n');
}

test.each(ENGINES)('a source that gives more than it said is stopped before its last piece: %s', async (_, engine) => {
  const server = await storage();
  const sending = send(engine(), server.origin, { file: fromStream(content, { name: 'a', size: 10 }) });
  expect(await failure(sending)).toMatchObject({ code: 'file_changed', details: { size: 10 } });
  expect(server.requests).toEqual([]);
});
