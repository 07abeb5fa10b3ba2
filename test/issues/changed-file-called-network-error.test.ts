// transloadit/uppy#2860, tus/tus-js-client#255: a file that was changed after it was picked failed as "network error", and
// every new try with the same File failed again.
import { openAsBlob } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { fromBlob } from '../../src/source/from-blob.js';
import { temporaryFolder } from '../transfer/support/open-files.js';
import { builtInEngine, failure, send, storage } from './support/transfer.js';

test('a picked file that was changed since is unreadable by that name, and is not tried again', async () => {
  const folder = await temporaryFolder();
  onTestFinished(folder.remove);
  const path = await folder.write('a.txt', 'as it was picked');
  const file = fromBlob(await openAsBlob(path), { name: 'a.txt' });
  await appendFile(path, ' and then changed');
  const server = await storage();
  const error = await failure(send(builtInEngine(), server.origin, { file }));
  expect(error).toMatchObject({ code: 'file_unreadable' });
  expect(error.message).toContain('changed after it was picked');
  expect(server.connections).toBe(1);
});
