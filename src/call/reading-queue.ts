import type { PlannedFile } from '../source/index.js';

/**
 * While one file waits for its answer, the next that has no turn yet is read: so storage that takes its time about small
 * files is not kept waiting for the disk as well. Never more than one such file for each that is under way.
 */
export class ReadingQueue {
  readonly #files: readonly PlannedFile[];
  readonly #reading: Promise<() => void>[] = [];
  #begun = 0;
  #read = 0;

  /** In the order in which they get their turn. */
  constructor(files: readonly PlannedFile[]) {
    this.#files = files;
  }

  /** The next file has got its turn. */
  began(): void {
    this.#begun++;
    this.#read = Math.max(this.#read, this.#begun);
  }

  readNext(): void {
    const reading = this.#files[this.#read++]?.readAhead?.();
    if (reading !== undefined) this.#reading.push(reading);
  }

  /** Nothing is open any more, and what nobody sent is let go. */
  async close(): Promise<void> {
    for (const letGo of await Promise.all(this.#reading)) letGo();
  }
}
