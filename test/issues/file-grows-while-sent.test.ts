// TritonDataCenter/node-manta#53, #132: the length came from stat, the bytes from a stream to the end of the file: a file
// that was appended to broke the request ("socket hang up"), and was then tried again.
import { appendFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { fromPath } from '../../src/source/from-path.js';
import { temporaryFolder } from '../transfer/support/open-files.js';
import { builtInEngine, failure, send, storage } from './support/transfer.js';

test('a file that grows is a named failure, never a truncated copy', async () => {
  const folder = await temporaryFolder();
  onTestFinished(folder.remove);
  const path = await folder.write('a.log', Buffer.alloc(5_000_000));
  const server = await storage();
  let grown = false;
  const sending = send(builtInEngine(), server.origin, {
    file: fromPath(path),
    onSent: () => {
      if (!grown) void appendFile(path, 'one more line\n');
      grown = true;
    },
  });
  expect(await failure(sending)).toMatchObject({ code: 'file_changed', outcome: 'not_run' });
  expect(server.requests).toEqual([]);
  expect(server.connections).toBe(1);
});
