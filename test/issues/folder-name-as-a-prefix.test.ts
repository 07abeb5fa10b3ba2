// GLips/Figma-Context-MCP#238, GHSA-hc55-p739-j48w (CVE-2025-53110): with startsWith, /allowed-evil is inside /allowed.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fromPath } from '../../src/source/from-path.js';
import { planFile } from '../../src/source/plan-file.js';
import { temporaryFolder } from '../transfer/support/open-files.js';

test('a folder whose name begins with that of the root is outside of it', async () => {
  const folder = await temporaryFolder();
  onTestFinished(folder.remove);
  const root = join(folder.path, 'allowed');
  for (const name of ['allowed', 'allowed-evil']) {
    await mkdir(join(folder.path, name));
    await writeFile(join(folder.path, name, 'a.txt'), 'content');
  }
  const { signal } = new AbortController();
  const plan = (path: string) => planFile(fromPath(join(folder.path, path), { root }), signal);
  await expect(plan('allowed/a.txt')).resolves.toMatchObject({ size: 7 });
  await expect(plan('allowed-evil/a.txt')).rejects.toMatchObject({ code: 'file_unreadable' });
  await expect(plan('allowed/../allowed-evil/a.txt')).rejects.toMatchObject({ code: 'file_unreadable' });
});
