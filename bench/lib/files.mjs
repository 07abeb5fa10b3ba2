import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const MIB = 1024 * 1024;

/**
 * Writes a file and leaves it in the page cache, so that every client reads from memory: the disk is not what is
 * compared. One MiB of random bytes repeated, so that nothing could compress it away.
 */
export function makeFile(folder, name, size) {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  const block = randomBytes(Math.min(size, MIB));
  const file = openSync(path, 'w+');
  for (let at = 0; at < size; at += block.length) writeSync(file, block, 0, Math.min(block.length, size - at));
  for (let at = 0; at < size; at += block.length) readSync(file, block, 0, block.length, at);
  closeSync(file);
  return path;
}

export function makeFiles(folder, count, size) {
  return Array.from({ length: count }, (_, index) => makeFile(folder, `file-${index}.bin`, size));
}
