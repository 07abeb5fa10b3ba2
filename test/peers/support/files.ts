import { createHash } from 'node:crypto';

/** What is sent to every row. */
export interface TestFile {
  readonly label: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** The same bytes in each run, of all values and without a period that a chunk size could hide. */
export function someBytes(length: number, seed = 1): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = seed;
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}

const file = (label: string, name: string, length: number, type = 'application/octet-stream'): TestFile => ({
  label,
  name,
  type,
  bytes: someBytes(length, length + 1),
});

export const EMPTY = file('0 bytes', 'empty.bin', 0);
export const ONE_BYTE = file('1 byte', 'one.bin', 1);
export const FIVE_MEGABYTES = file('5 MB', 'five.bin', 5_000_000);
/** Both kinds of quotes, letters of two, three and four bytes in UTF-8, and what percent-encoding makes ambiguous. */
export const ODD_NAME = file('a name with quotes and non-ASCII letters', 'naïve "q" it\'s 50%+1 名 🎈.bin', 3_000);

export const FILES: readonly TestFile[] = [EMPTY, ONE_BYTE, FIVE_MEGABYTES, ODD_NAME];

/** In the key of an S3 or Google policy: the service puts the name of the file's part there. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: the services spell it so
export const NAME_OF_PART = '${filename}';

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
