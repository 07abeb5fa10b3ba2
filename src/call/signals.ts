import { FilesError } from '../errors/index.js';

/** A controller that others abort, with its listeners owned in one place. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  abort(reason: unknown): void;
  /** Takes the listeners off the parents. */
  release(): void;
}

/**
 * A child of several signals. Unlike `AbortSignal.any` it can be let go of: releasing takes every listener off its
 * parents, so a signal that a host keeps for hours collects nothing.
 */
export function linkSignals(...parents: readonly (AbortSignal | undefined)[]): LinkedSignal {
  const controller = new AbortController();
  const undo: (() => void)[] = [];
  for (const parent of parents) {
    if (parent === undefined) continue;
    if (parent.aborted) {
      controller.abort(parent.reason);
      break;
    }
    const onAbort = (): void => controller.abort(parent.reason);
    parent.addEventListener('abort', onAbort, { once: true });
    undo.push(() => parent.removeEventListener('abort', onAbort));
  }
  return {
    signal: controller.signal,
    abort: reason => controller.abort(reason),
    release: () => {
      for (const remove of undo) remove();
    },
  };
}

/** The error of a call that its caller or `close()` ended. */
export function abortedError(signal: AbortSignal): FilesError {
  return new FilesError('aborted', 'The call was aborted.', { cause: signal.reason });
}

export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw abortedError(signal);
}

/** Waits for a hook of the host no longer than the signal allows. */
export async function orAborted<T>(signal: AbortSignal, task: () => T | Promise<T>): Promise<T> {
  throwIfAborted(signal);
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(abortedError(signal));
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([(async () => task())(), aborted]);
  } finally {
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
  }
}
