import type { TransportLike } from './client-like.js';
import { isObject } from './leg-answer.js';
import type { JsonObject } from './port.js';

export type NotificationListener = (method: string, params: JsonObject | undefined) => void;

/** A request whose answer is wanted as it came, whatever the SDK makes of it. */
export interface AwaitedAnswer {
  /** Known once the request is sent. */
  id: unknown;
  /** The `result` member, once it is there. */
  result: unknown;
}

interface Tap {
  readonly transport: TransportLike;
  readonly original: TransportLike['onmessage'];
  readonly wrapper: NonNullable<TransportLike['onmessage']>;
}

/**
 * Sees the notifications a client receives without taking a handler from the host.
 *
 * Both SDKs keep one handler per method: `setNotificationHandler` replaces without a word, the constructor's
 * `listChanged` option takes the slot at connect, `fallbackNotificationHandler` is only asked when the slot is empty,
 * and none of them can be read back to be chained. So the port looks one level below: at `transport.onmessage`, a public
 * member that every transport calls through its property, where the previous function is chained. The host's handlers
 * run first, exactly as without the port.
 */
export class NotificationTap {
  readonly #listeners = new Set<NotificationListener>();
  readonly #awaited = new Set<AwaitedAnswer>();
  #tap: Tap | undefined;

  add(listener: NotificationListener): () => void {
    // One entry per registration, also when the same function is registered twice.
    const entry: NotificationListener = (method, params) => listener(method, params);
    this.#listeners.add(entry);
    return () => {
      this.#listeners.delete(entry);
      this.#releaseIfIdle();
    };
  }

  /** Keeps the answer to a request; returns how to let go of it. The SDK has read the message when it is kept. */
  awaitAnswer(answer: AwaitedAnswer): () => void {
    this.#awaited.add(answer);
    return () => {
      this.#awaited.delete(answer);
      this.#releaseIfIdle();
    };
  }

  /** Called whenever the port touches the connection: there is no hook for a connect, and none is needed before that. */
  attach(transport: TransportLike | undefined): void {
    if (transport === undefined || this.#idle || this.#tap?.transport === transport) return;
    this.#release();
    const original = transport.onmessage;
    const wrapper = (message: unknown, extra?: unknown): void => {
      original?.call(transport, message, extra);
      this.#deliver(message);
    };
    transport.onmessage = wrapper;
    this.#tap = { transport, original, wrapper };
  }

  #deliver(message: unknown): void {
    if (!isObject(message)) return;
    if ('id' in message) {
      for (const answer of this.#awaited) if (answer.id === message.id) answer.result = message.result;
      return;
    }
    if (typeof message.method !== 'string') return;
    const params = isObject(message.params) ? message.params : undefined;
    for (const listener of this.#listeners) {
      try {
        listener(message.method, params);
      } catch {
        // A listener must not disturb the SDK's reading of the stream.
      }
    }
  }

  get #idle(): boolean {
    return this.#listeners.size === 0 && this.#awaited.size === 0;
  }

  #releaseIfIdle(): void {
    if (this.#idle) this.#release();
  }

  #release(): void {
    const tap = this.#tap;
    this.#tap = undefined;
    // Where somebody chained after us the wrapper stays in the chain; without listeners it only passes on.
    if (tap !== undefined && tap.transport.onmessage === tap.wrapper) tap.transport.onmessage = tap.original;
  }
}
