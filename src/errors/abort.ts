import { FilesError } from './files-error.js';

/** What waits for a signal: however many, the signal itself carries one listener of ours. */
interface Hub {
  readonly listeners: Set<() => void>;
  readonly onAbort: () => void;
}

const hubs = new WeakMap<AbortSignal, Hub>();

/**
 * Runs the listener on abort, at once if that was before; returns how to take it off again. A host may share one signal
 * among hundreds of calls and keep it for hours: with one listener for all of them it never sees a warning about too
 * many, and none is left when the last call is over.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) {
    listener();
    return () => {};
  }
  const hub = hubs.get(signal) ?? newHub(signal);
  // One entry per registration, also when the same function is registered twice.
  const entry = (): void => listener();
  hub.listeners.add(entry);
  return () => {
    if (hub.listeners.delete(entry) && hub.listeners.size === 0) release(signal, hub);
  };
}

function newHub(signal: AbortSignal): Hub {
  const listeners = new Set<() => void>();
  const hub: Hub = {
    listeners,
    onAbort: () => {
      release(signal, hub);
      for (const listener of [...listeners]) listener();
    },
  };
  hubs.set(signal, hub);
  signal.addEventListener('abort', hub.onAbort, { once: true });
  return hub;
}

function release(signal: AbortSignal, hub: Hub): void {
  hubs.delete(signal);
  signal.removeEventListener('abort', hub.onAbort);
}

/** The error of a call that its caller or `close()` ended; the caller's own reason is the cause, untouched. */
export function abortedError(signal: AbortSignal): FilesError {
  return new FilesError('aborted', 'The call was aborted.', { cause: signal.reason });
}

export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw abortedError(signal);
}

/** The promise, or `aborted` as soon as the signal says so, whichever is first. Leaves no listener behind. */
export async function orAborted<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  let off = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    off = onAbort(signal, () => reject(abortedError(signal)));
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
  await orAborted(waited, signal).finally(() => clearTimeout(timer));
}

/** A controller that others abort, with its listeners owned in one place. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  abort(reason: unknown): void;
  /** Takes the listeners off the parents. */
  release(): void;
}

/**
 * A child of several signals. Unlike `AbortSignal.any` it can be let go of, so that nothing collects on a parent that
 * outlives it.
 */
export function linkSignals(...parents: readonly (AbortSignal | undefined)[]): LinkedSignal {
  const controller = new AbortController();
  const undo = parents.map(parent => parent && onAbort(parent, () => controller.abort(parent.reason)));
  return {
    signal: controller.signal,
    abort: reason => controller.abort(reason),
    release: () => {
      for (const off of undo) off?.();
    },
  };
}
