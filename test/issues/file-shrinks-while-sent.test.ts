// oven-sh/bun#35792: a file that had shrunk since its length was announced ended the body short, and the server waited for
// the rest until it timed out.
import { truncate } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { fromPath } from '../../src/source/from-path.js';
import { temporaryFolder } from '../transfer/support/open-files.js';
import { builtInEngine, failure, send, storage } from './support/transfer.js';

test('a file that shrinks ends the connection at once, as a named failure', async () => {
  const folder = await temporaryFolder();
  onTestFinished(folder.remove);
  const path = await folder.write('a.bin', Buffer.alloc(5_000_000));
  const server = await storage();
  const sending = send(builtInEngine(), server.origin, {
    file: fromPath(path),
    onSent: () => void truncate(path, 10),
  });
  expect(await failure(sending)).toMatchObject({ code: 'file_changed', outcome: 'not_run' });
  await server.idle();
  expect(server.requests).toEqual([]);
});
