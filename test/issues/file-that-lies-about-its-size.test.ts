// oven-sh/bun#41590: files of procfs say that they have no bytes; they were uploaded as empty, with success.
import { expect, test } from 'vitest';
import { fromPath } from '../../src/source/from-path.js';
import { planFile } from '../../src/source/plan-file.js';

test('a file that says it is empty and is not is refused', async () => {
  const planning = planFile(fromPath('/proc/self/status'), new AbortController().signal);
  await expect(planning).rejects.toMatchObject({ code: 'file_unreadable' });
});
