import { orAborted, throwIfAborted } from '../errors/index.js';

/** Runs a task when its turn comes. Rejects with `aborted`, at once, if the signal fires while it waits. */
export type Limiter = <T>(signal: AbortSignal, task: () => Promise<T>) => Promise<T>;

/** At most so many tasks at once, first come first served; shared by all transfers of one client. */
export function createLimiter(concurrency: number): Limiter {
  let loading: Promise<(task: () => Promise<void>) => Promise<void>> | undefined;
  return async (signal, task) => {
    throwIfAborted(signal);
    loading ??= import('p-limit').then(({ default: pLimit }) => pLimit(concurrency));
    const limit = await loading;
    let free = (): void => {};
    // The queue holds turns, not tasks: one that was aborted while it waited gives its turn on at once.
    const turn = new Promise<void>(resolve => {
      void limit(() => {
        resolve();
        return signal.aborted
          ? Promise.resolve()
          : new Promise<void>(done => {
              free = done;
            });
      });
    });
    try {
      await orAborted(turn, signal);
      return await task();
    } finally {
      free();
    }
  };
}
