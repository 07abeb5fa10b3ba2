// nodejs/undici#5835: a file that failed while nobody waited for it made an unhandled rejection, which ends a Node process.
import { truncate } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { fromPath } from '../../src/source/from-path.js';
import { planFile } from '../../src/source/plan-file.js';
import { temporaryFolder } from '../transfer/support/open-files.js';
import { failure } from './support/transfer.js';
import { watchUncaught } from './support/uncaught.js';

test('a read ahead that fails is reported when its turn comes, and disturbs nobody before', async () => {
  const folder = await temporaryFolder();
  onTestFinished(folder.remove);
  const path = await folder.write('a.bin', Buffer.alloc(5_000_000));
  const { signal } = new AbortController();
  const file = await planFile(fromPath(path), signal);
  const uncaught = watchUncaught();
  const pieces = file.chunks(signal)[Symbol.asyncIterator]();
  await pieces.next();
  await truncate(path, 0);
  await pieces.next();
  // The third piece is read ahead and fails; nobody asks for it yet.
  await sleep(50);
  expect(uncaught).toEqual([]);
  expect(await failure(pieces.next())).toMatchObject({ code: 'file_changed' });
});
