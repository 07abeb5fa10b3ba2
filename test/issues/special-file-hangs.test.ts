// actions/toolkit#752: a named pipe has the size 0 and no end: it was read whole into memory, or waited for.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fromPath } from '../../src/source/from-path.js';
import { planFile } from '../../src/source/plan-file.js';
import { temporaryFolder } from '../transfer/support/open-files.js';

test('a named pipe and a device are refused at once', async () => {
  const folder = await temporaryFolder();
  onTestFinished(folder.remove);
  const pipe = join(folder.path, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const { signal } = new AbortController();
  for (const path of [pipe, '/dev/zero']) {
    await expect(planFile(fromPath(path), signal), path).rejects.toMatchObject({ code: 'file_unreadable' });
  }
});
