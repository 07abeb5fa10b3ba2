import { PIECE_BYTES } from './content.js';

/** For 6 transfers at once, the default, of files that are larger than one piece. */
const MOST_KEPT = 12;

const free: Uint8Array[] = [];

/**
 * Memory for one piece of a file, with anything in it. New memory for each piece costs a third of the CPU of an upload, in page
 * faults and garbage collection.
 */
export function takeMemory(): Uint8Array {
  // Not as a Buffer, whose `slice` copies nothing: the reader of a piece must be able to keep some of it.
  return free.pop() ?? new Uint8Array(Buffer.allocUnsafeSlow(PIECE_BYTES).buffer);
}

/** Only when nothing reads from it any more: no write that has not completed. What is not given back is collected. */
export function giveBackMemory(memory: Uint8Array): void {
  if (free.length < MOST_KEPT) free.push(memory);
}
