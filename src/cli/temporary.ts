import { createWriteStream, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A folder that only this user can read (mkdtemp makes it 0700), gone when the work or the process ends. */
export async function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-files-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    return await work(folder);
  } finally {
    process.off('exit', remove);
    remove();
  }
}

/** Keeps standard input in a file: its size must be known before it is sent, and it may have to be sent again. */
export async function spool(input: Readable, folder: string, signal: AbortSignal): Promise<string> {
  const path = join(folder, 'stdin');
  await pipeline(input, createWriteStream(path, { mode: 0o600 }), { signal });
  return path;
}
