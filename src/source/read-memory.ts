/**
 * How much of a file is read at once. Measured (docs/performance.md): smaller reads cost more CPU, larger ones more
 * memory.
 */
export const READ_BYTES = 512 * 1024;

/** 8 MiB: 16 files on their way at once, or 8 that are larger than one read. */
const MOST_KEPT = 16;

const free: Uint8Array[] = [];

/**
 * Memory for one read, with anything in it. New memory for each read costs a third of the CPU of an upload, in page
 * faults and garbage collection.
 */
export function takeMemory(): Uint8Array {
  // Not as a Buffer, whose `slice` copies nothing: the reader of a piece must be able to keep some of it.
  return free.pop() ?? new Uint8Array(Buffer.allocUnsafeSlow(READ_BYTES).buffer);
}

/** Only when nothing reads from it any more: no write that has not completed. What is not given back is collected. */
export function giveBackMemory(memory: Uint8Array): void {
  if (free.length < MOST_KEPT) free.push(memory);
}
