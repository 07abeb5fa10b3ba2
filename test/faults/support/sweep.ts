import { getEventListeners } from 'node:events';
import { expect } from 'vitest';
import { isFilesError } from '../../../src/index.js';
import { abortListeners, activeTimers, openFilesUnder, openSockets, within } from './open.js';
import { Steps } from './steps.js';

export interface Run {
  readonly step: (name: string) => void;
  readonly signal: AbortSignal;
}

export interface Sweep {
  /** The task, from its first step on. What it rejects with where nobody ends it is expected where somebody does, too. */
  readonly task: (run: Run) => Promise<unknown>;
  /** How it is ended from outside; default: the signal is aborted. */
  readonly end?: (abort: () => void) => void;
  /** Settles when nobody is connected any more to the storage. */
  readonly idle: () => Promise<void>;
  /** Lets go of what the task may keep, such as idle connections. */
  readonly close?: () => Promise<void>;
  /** Whether the connections of what was aborted are gone without `close`. */
  readonly closesItsConnections: boolean;
  /** More to hold of one run. */
  readonly check?: (outcome: { readonly error?: unknown; readonly stepName: string }) => void;
}

/**
 * Runs a task once for each of its steps, and ends it there. Whatever the step, it is over at once (nobody whom it could
 * wait for answers any more), as `aborted` or as it would have been without, and nothing of it is left: no open file, no
 * listener on the signal, no timer, no connection of what was aborted, no rejection that nobody handles.
 *
 * @returns how many steps there were
 */
export async function abortAtEveryStep(sweep: Sweep): Promise<number> {
  const { idle, close = async () => {}, closesItsConnections, check } = sweep;
  const unhandled: unknown[] = [];
  const onUnhandled = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', onUnhandled);
  try {
    const expected = await attempt(sweep, Number.POSITIVE_INFINITY);
    await close();
    await idle();
    const sockets = openSockets();
    const listeners = abortListeners();
    let at = 0;
    for (; ; at++) {
      const { outcome, steps, signal, reason, timers } = await attempt(sweep, at);
      const stepName = `step ${at}, ${steps.name}`;
      expect(openFilesUnder(), stepName).toEqual([]);
      expect(getEventListeners(signal, 'abort'), stepName).toEqual([]);
      expect(abortListeners(), stepName).toBe(listeners);
      expect(activeTimers(), stepName).toBeLessThanOrEqual(timers);
      const { error } = outcome;
      if (isFilesError(error) && error.code === 'aborted') {
        if (sweep.end === undefined) expect(error.cause, stepName).toBe(reason);
        if (closesItsConnections) await within(2_000, `a connection is open after ${stepName}`, idle());
      } else {
        expect(shown(error), stepName).toEqual(shown(expected.outcome.error));
      }
      check?.({ error, stepName });
      await close();
      await within(2_000, `a connection is open after ${stepName} and close()`, idle());
      await new Promise(resolve => setImmediate(resolve)); // when unhandled rejections are told
      expect(unhandled, stepName).toEqual([]);
      if (steps.name === undefined) break; // it was over before
    }
    expect(openSockets()).toBeLessThanOrEqual(sockets);
    return at;
  } finally {
    process.off('unhandledRejection', onUnhandled);
  }
}

/** One run, ended at this step. */
export async function attempt({ task, end = abort => abort() }: Pick<Sweep, 'task' | 'end'>, at: number) {
  const caller = new AbortController();
  const { signal } = caller;
  const reason = new Error(`at step ${at}`);
  const timers = activeTimers();
  const steps = new Steps(at, () => end(() => caller.abort(reason)));
  const running = steps.run(() => task({ step: steps.step, signal }));
  const outcome: { error?: unknown } = await within(10_000, `step ${at}, ${steps.name}, did not end it`, running).then(
    () => ({}),
    error => ({ error }),
  );
  return { outcome, steps, signal, reason, timers };
}

/** Of an error what a host switches on. The text of a refusal may not have been read to its code. */
function shown(error: unknown): unknown {
  if (!isFilesError(error)) return error;
  const { failures = [] } = error as { failures?: readonly { status?: number; reason: string }[] };
  return {
    code: error.code,
    outcome: error.outcome,
    failures: failures.map(({ status, reason }) => [status, reason]),
  };
}
