// aws/aws-sdk-js-v3#5268: the client added a Content-Type (axios its default, fetch the type of the Blob) that was not signed:
// SignatureDoesNotMatch.
import { expect, test } from 'vitest';
import { fromBlob } from '../../src/source/from-blob.js';
import { ENGINES, send, storage } from './support/transfer.js';

test.each(ENGINES)('a raw upload has the type that its target names, or none: %s', async (_, engine) => {
  const server = await storage();
  const file = fromBlob(new Blob(['content'], { type: 'image/png' }), { name: 'a.png' });
  const shared = engine();
  await send(shared, server.origin, { file });
  await send(shared, server.origin, { file, target: { headers: [['Content-Type', 'application/x-signed']] } });
  expect(server.requests.map(({ header }) => header('content-type'))).toEqual([undefined, 'application/x-signed']);
});
