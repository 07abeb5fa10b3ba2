import { FilesError } from '../errors/index.js';

/** The caller's own reason is the cause: it is theirs, not another library's. */
export function abortError(signal: AbortSignal): FilesError {
  return new FilesError('aborted', 'The call was aborted.', { cause: signal.reason });
}

export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw abortError(signal);
}

/** Runs the listener on abort, at once if that was before; returns how to take it off again. */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) {
    listener();
    return () => {};
  }
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}

/** The promise, or `aborted` as soon as the signal says so, whichever is first. Leaves no listener behind. */
export async function orAbort<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  let off = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    off = onAbort(signal, () => reject(abortError(signal)));
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    off();
  }
}

/** Waits so many milliseconds; rejects with `aborted` as soon as the signal says so. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waited = new Promise<void>(resolve => {
    timer = setTimeout(resolve, milliseconds);
  });
  await orAbort(waited, signal).finally(() => clearTimeout(timer));
}
