/**
 * Memory that is used again. New memory for each piece of a file costs a third of the CPU of an upload, in page faults and
 * garbage collection. What is free is kept only as long as some is in use: an idle host holds none.
 */
export class MemoryPool {
  readonly #bytes: number;
  #free: Uint8Array[] = [];
  #inUse = 0;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  get isIdle(): boolean {
    return this.#inUse === 0;
  }

  /** With anything in it. */
  take(): Uint8Array {
    this.#inUse++;
    return this.#free.pop() ?? new Uint8Array(this.#bytes);
  }

  /** `unread`: nothing reads from it any more, also no write that has not completed; else it is left to the collector. */
  giveBack(memory: Uint8Array, unread: boolean): void {
    this.#inUse--;
    if (this.#inUse === 0) this.#free = [];
    else if (unread) this.#free.push(memory);
  }
}
