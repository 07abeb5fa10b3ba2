import { onAbort } from '../errors/index.js';

/** Milliseconds; 0 is off. */
export interface Timeouts {
  /** Until a connection stands, TLS included. Kept by the built-in engine; `fetch` has no such moment. */
  readonly connect: number;
  /** Without a byte being taken by the socket (upload) or received (download), from the start of an attempt to the last. */
  readonly stall: number;
  /** From the last byte to the status line. */
  readonly response: number;
}

/**
 * A socket takes about 4 MiB ahead of what the storage has received, so the slowest link that these support must move
 * that much within one stall limit: 35 KB/s.
 */
export const DEFAULT_TIMEOUTS: Timeouts = { connect: 10_000, stall: 120_000, response: 300_000 };

/** A longer one would fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

export type TimerName = 'stall' | 'response';

/**
 * What may end one attempt, as one signal: the caller's abort and the two timers. The HTTP client's own are
 * off: they count from the wrong moment on a reader that is slow but steady. Owns its timers and its one listener;
 * `release` gives them back.
 */
export class AttemptTimers {
  readonly #controller = new AbortController();
  readonly signal = this.#controller.signal;
  /** Which timer ran out, if one did. */
  expired: TimerName | undefined;

  readonly #timeouts: Timeouts;
  readonly #unlink: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #armed: TimerName | undefined;

  constructor(timeouts: Timeouts, caller: AbortSignal) {
    this.#timeouts = timeouts;
    this.#unlink = onAbort(caller, () => this.#controller.abort(caller.reason));
    this.progress();
  }

  /** A byte moved. */
  progress(): void {
    this.#arm('stall', this.#timeouts.stall);
  }

  /** The last byte has gone; `extra` milliseconds are allowed for what may still be on its way. */
  sent(extra = 0): void {
    this.#arm('response', this.#timeouts.response === 0 ? 0 : this.#timeouts.response + extra);
  }

  /** A request without a body is on its way: both limits count from here, so the shorter one ends it. */
  asked(): void {
    const { stall, response } = this.#timeouts;
    if (response !== 0 && (stall === 0 || response < stall)) this.sent();
    else this.progress();
  }

  /** The answer is there: nothing is waited for. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#armed = undefined;
  }

  /** Ends whatever still listens to the signal, and lets go of everything. */
  release(): void {
    this.stop();
    this.#unlink();
    // With a reason, since without one an error is made, with its stack, for each transfer.
    this.#controller.abort('released');
  }

  #arm(name: TimerName, milliseconds: number): void {
    // Node's own timers can begin anew: one is armed for each piece of a file.
    if (name === this.#armed && typeof this.#timer === 'object') return void this.#timer.refresh();
    this.stop();
    if (milliseconds === 0 || milliseconds === Number.POSITIVE_INFINITY || this.signal.aborted) return;
    const expire = (): void => {
      this.expired = name;
      this.#armed = undefined;
      this.#controller.abort();
    };
    this.#armed = name;
    this.#timer = setTimeout(expire, Math.min(milliseconds, LONGEST_TIMER));
  }
}
