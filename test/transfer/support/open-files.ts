import { mkdtemp, readdir, readlink, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryFolder {
  readonly path: string;
  write(name: string, content: string | Uint8Array): Promise<string>;
  /** Descriptors of this process on files of the folder, as Linux shows them. */
  openFiles(): Promise<string[]>;
  remove(): Promise<void>;
}

export async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'mcp-files-')));
  return {
    path,
    async write(name, content) {
      await writeFile(join(path, name), content);
      return join(path, name);
    },
    async openFiles() {
      const descriptors = await readdir('/proc/self/fd');
      const targets = await Promise.all(descriptors.map(fd => readlink(join('/proc/self/fd', fd)).catch(() => '')));
      return targets.filter(target => target.startsWith(path));
    },
    remove: () => rm(path, { recursive: true, force: true }),
  };
}
