// A host ends a stdio server by SIGTERM. Node runs no `exit` handler then, so each ended reference server left its folder of
// stored files in the temporary directory.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('a reference server over stdio that is ended by SIGTERM leaves nothing behind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'terminated-'));
  const script = "import('./dist/testing.js').then(t => t.serveReferenceStdio()).then(() => console.error('serving'))";
  const child = spawn(process.execPath, ['-e', script], { env: { ...process.env, TMPDIR: folder } });
  try {
    await once(child.stderr, 'data');
    expect(await readdir(folder)).toHaveLength(1);
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(await readdir(folder)).toEqual([]);
  } finally {
    child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
});
