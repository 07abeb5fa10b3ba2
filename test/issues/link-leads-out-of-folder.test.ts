// modelcontextprotocol/servers#1845, iswalle/getnote-mcp#18: the path was checked as text, and a link inside the folder led out
// of it.
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fromPath } from '../../src/source/from-path.js';
import { planFile } from '../../src/source/plan-file.js';
import { temporaryFolder } from '../transfer/support/open-files.js';

test('a linked file and a linked folder are judged by where they lead', async () => {
  const folder = await temporaryFolder();
  onTestFinished(folder.remove);
  const root = join(folder.path, 'root');
  await mkdir(root);
  await folder.write('secret.txt', 'secret');
  await symlink(join(folder.path, 'secret.txt'), join(root, 'leak'));
  await symlink(folder.path, join(root, 'up'));
  const { signal } = new AbortController();
  for (const path of ['leak', 'up/secret.txt']) {
    const planning = planFile(fromPath(join(root, path), { root }), signal);
    await expect(planning, path).rejects.toMatchObject({ code: 'file_unreadable' });
  }
});
