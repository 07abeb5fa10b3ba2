// tus/tus-js-client#696, FineUploader/fine-uploader#308: an exception in the caller's progress callback was taken for a failed
// request: the upload was repeated, or stopped.
import { expect, test } from 'vitest';
import { fromBytes } from '../../src/index.js';
import { host, publishing, server, uploadThenDone } from './support/call.js';

test.each([
  ['throws', () => expect.unreachable('a bug of the host')],
  ['rejects', async () => expect.unreachable('a bug of the host')],
])('a listener that %s leaves the call as it is', async (_, onProgress) => {
  const storage = await server({
    capability: { maxInlineBytes: 0 },
    onCall: uploadThenDone(() => ({ '/deck': { path: 'up/1' } })),
  });
  const { files } = await host(storage.url);
  const deck = fromBytes(Buffer.alloc(3_000_000), { name: 'deck' });
  await expect(files.callToolWithFiles(publishing({ deck }), { onProgress })).resolves.toMatchObject({
    content: [{ text: 'stored' }],
  });
  expect(storage.stored).toHaveLength(1);
});
