import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../../bench/returned-file.mjs', import.meta.url));
const MIB = 1024 * 1024;

/** What the reference server's `make_report` writes. */
function reportOf(size: number): string {
  const hash = createHash('sha256');
  let left = size;
  for (let line = 1; left > 0; ) {
    let piece = '';
    for (; piece.length < 16_384; line += 1) piece += `Report, line ${line}\n`;
    const bytes = Buffer.from(piece).subarray(0, left);
    hash.update(bytes);
    left -= bytes.length;
  }
  return hash.digest('hex');
}

test('a returned file of 200 MiB is saved whole, with memory that does not grow with it', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, '--json']);
  const { bytes, sha256, grownMiB } = JSON.parse(stdout);
  expect({ bytes, sha256 }).toEqual({ bytes: 200 * MIB, sha256: reportOf(200 * MIB) });
  // Held as a whole it would be 200 more, and on the way through a Blob 400.
  expect(grownMiB).toBeLessThan(100);
}, 240_000);
