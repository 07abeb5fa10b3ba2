import { getEventListeners } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What the descriptors of this process stand for, as Linux shows it. */
function descriptors(): string[] {
  return readdirSync('/proc/self/fd').flatMap(fd => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return []; // the one that the list itself was read through
    }
  });
}

/** Files of tests that are open now: those in temporary folders, deleted ones too. */
export function openFilesUnder(folder = join(tmpdir(), 'mcp-files-')): string[] {
  return descriptors().filter(target => target.startsWith(folder));
}

export function openSockets(): number {
  return descriptors().filter(target => target.startsWith('socket:')).length;
}

/** Those that keep the process alive. */
export function activeTimers(): number {
  return process.getActiveResourcesInfo().filter(name => name === 'Timeout').length;
}

/** Every signal that anything has made since this module was loaded, as long as it is in use. */
const signals = new Set<WeakRef<AbortSignal>>();

globalThis.AbortController = class extends AbortController {
  constructor() {
    super();
    signals.add(new WeakRef(this.signal));
  }
};

/** Listeners of the library that wait for an abort, on whatever signal: the host's, or one of its own. */
export function abortListeners(): number {
  let count = 0;
  for (const reference of signals) {
    const signal = reference.deref();
    if (signal === undefined || signal.aborted) signals.delete(reference);
    else count += getEventListeners(signal, 'abort').filter(({ name }) => name === 'onAbort').length;
  }
  return count;
}

/** The promise, or a failure that says what was waited for. */
export async function within<T>(milliseconds: number, what: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`After ${milliseconds} ms, ${what}.`)), milliseconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
