import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

/** One file of the demo. */
export interface DemoFile {
  readonly path: string;
  /** The name to send it under, where the file's own is another. */
  readonly name?: string;
}

const KiB = 1024;
const MiB = 1024 * KiB;

/**
 * A spread that meets every way. What goes together in a call: small files alone travel inside it; beside a large one
 * all go to storage, and the demo's server asks for a PUT, a POST and a form in turn.
 */
const SPREAD = [
  [
    { name: 'empty.txt', size: 0 },
    { name: 'note.txt', size: 2 * KiB },
  ],
  [
    { name: 'R\u00e9sum\u00e9 "v2".pdf', size: 300 * KiB },
    { name: 'photo.jpg', size: 3 * MiB },
    { name: 'dataset.csv', size: 12 * MiB },
  ],
] as const;

/** Writes the demo's own files, by call; on disk they are numbered, since not every file system takes every name. */
export async function makeDemoFiles(folder: string): Promise<DemoFile[][]> {
  const calls: DemoFile[][] = [];
  for (const [call, spread] of SPREAD.entries()) {
    const files: DemoFile[] = [];
    for (const [index, { name, size }] of spread.entries()) {
      const path = join(folder, `${call}-${index}`);
      await writeRandom(path, size);
      files.push({ path, name });
    }
    calls.push(files);
  }
  return calls;
}

async function writeRandom(path: string, size: number): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    for (let left = size; left > 0; left -= MiB) await file.write(randomBytes(Math.min(left, MiB)));
  } finally {
    await file.close();
  }
}

/** SHA-256 of a file in hexadecimal, read piece by piece. */
export async function sha256Of(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { signal })) hash.update(chunk);
  return hash.digest('hex');
}
