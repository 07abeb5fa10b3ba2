import { FilesError, type LinkedSignal, linkSignals } from '../errors/index.js';
import { checkRequestOptions, type RequestOptionsGiven } from './request-options.js';

/** What one client is doing: each operation ends with the signals of its caller and with the client. */
export class Operations {
  readonly #running = new Map<LinkedSignal, Promise<unknown>>();
  #closed: Error | undefined;

  /**
   * Runs an operation with a signal of its own, and leaves nothing on the caller's. Throws `aborted` once the client is
   * closed, `argument_invalid` for options that cannot work.
   */
  async run<T>(
    options: RequestOptionsGiven,
    operation: (signal: AbortSignal) => Promise<T>,
    cancelled?: AbortSignal,
  ): Promise<T> {
    if (this.#closed) throw new FilesError('aborted', 'The FilesClient is closed.', { cause: this.#closed });
    checkRequestOptions(options);
    const linked = linkSignals(options.signal, cancelled);
    const running = operation(linked.signal);
    this.#running.set(linked, running);
    try {
      return await running;
    } finally {
      this.#running.delete(linked);
      linked.release();
    }
  }

  /** Aborts what is running, and waits until nothing of it is left. */
  async close(): Promise<void> {
    this.#closed ??= new Error('The FilesClient was closed.');
    const running = [...this.#running];
    for (const [linked] of running) linked.abort(this.#closed);
    await Promise.allSettled(running.map(([, ended]) => ended));
  }
}
