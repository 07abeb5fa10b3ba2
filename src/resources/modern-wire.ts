import type { JsonObject, ListenStream, McpPort } from '../connection/index.js';
import { linkSignals, pause } from '../errors/index.js';
import type { SubscriptionWire, Wanted, WireContext } from './subscription-wire.js';

interface Open {
  readonly stream: ListenStream;
  readonly uris: ReadonlySet<string>;
  readonly list: boolean;
}

/** Milliseconds before a stream that ended by itself is opened again; after the last one `resubscribe()` is needed. */
const REOPEN_AFTER = [500, 1000, 2000, 4000, 8000, 16_000, 30_000];

/**
 * From 2026-07-28: one `subscriptions/listen` stream for everything that is wanted. To change what it carries a new one is
 * opened and then the old one closed: nothing is missed, and a change that falls in between may be told twice.
 */
export class ModernWire implements SubscriptionWire {
  readonly #port: McpPort;
  readonly #context: WireContext;
  readonly #closing = new AbortController();
  #open: Open | undefined;
  /** The work begun last, failed or not; each begins when the one before has ended. */
  #last: Promise<void> = Promise.resolve();
  /** The work that has not begun: whoever comes before it does shares it. */
  #queued: Promise<void> | undefined;
  /** What is open will not do, even if it carries what is wanted. */
  #isStale = false;

  constructor(port: McpPort, context: WireContext) {
    this.#port = port;
    this.#context = context;
  }

  has(uri: string): boolean {
    return this.#open?.uris.has(uri) === true;
  }

  sync(): Promise<void> {
    if (this.#queued !== undefined) return this.#queued;
    const work = this.#last.then(() => {
      this.#queued = undefined;
      return this.#work();
    });
    this.#queued = work;
    this.#last = work.catch(() => {});
    return work;
  }

  renew(): Promise<void> {
    this.#isStale = true;
    return this.sync();
  }

  drop(): void {
    this.#closing.abort(new Error('The subscriptions were closed.'));
  }

  async close(): Promise<void> {
    this.drop();
    await this.#last;
    const { stream } = this.#open ?? {};
    this.#open = undefined;
    await stream?.close().catch(() => {});
  }

  async #work(): Promise<void> {
    const wanted = this.#context.wanted();
    const before = this.#open;
    const isStale = this.#isStale;
    this.#isStale = false;
    if (!isStale && isSame(before, wanted)) return;
    this.#closing.signal.throwIfAborted();
    const after = isNothing(wanted) ? undefined : await this.#listen(wanted);
    this.#open = after;
    // Only now: one that has ended by itself already is opened again.
    if (after !== undefined) this.#watch(after);
    await before?.stream.close().catch(() => {});
  }

  async #listen({ uris, list }: Wanted): Promise<Open> {
    const filter: JsonObject = {
      ...(uris.size === 0 ? {} : { resourceSubscriptions: [...uris] }),
      ...(list ? { resourcesListChanged: true } : {}),
    };
    const own = linkSignals(this.#closing.signal);
    let stream: ListenStream;
    try {
      stream = await this.#port.listen(filter, { signal: own.signal });
    } finally {
      own.release();
    }
    const honored = stream.honoredFilter;
    const told = honored === undefined ? [...uris] : honored.resourceSubscriptions;
    return { stream, uris: new Set(Array.isArray(told) ? told : []), list };
  }

  #watch(open: Open): void {
    const ended = (cause: unknown): Promise<void> => this.#ended(open, cause);
    void open.stream.closed.then(ended, ended);
  }

  /** Ended by the server or the network: opened again, less and less eagerly, as long as the client is connected. */
  async #ended(open: Open, cause: unknown): Promise<void> {
    if (this.#open !== open || cause === 'local' || this.#closing.signal.aborted) return;
    this.#open = undefined;
    this.#context.log({ type: 'subscription_lost', resources: open.uris.size });
    for (const milliseconds of REOPEN_AFTER) {
      // A later connection has a wire of its own; no timer may keep the process of a host alive that has ended this one.
      if (!this.#port.connected) return;
      try {
        await pause(milliseconds, this.#closing.signal);
        if (!this.#port.connected || this.#open !== undefined || isNothing(this.#context.wanted())) return;
        await this.sync();
        this.#context.log({ type: 'subscription_restored', resources: open.uris.size });
        return;
      } catch {
        if (this.#closing.signal.aborted) return;
      }
    }
    this.#context.log({
      type: 'warning',
      message: 'Subscriptions were lost and could not be restored: call resubscribe().',
    });
  }
}

function isNothing({ uris, list }: Wanted): boolean {
  return uris.size === 0 && !list;
}

function isSame(open: Open | undefined, wanted: Wanted): boolean {
  if (open === undefined) return isNothing(wanted);
  return (
    open.list === wanted.list &&
    open.uris.size === wanted.uris.size &&
    [...wanted.uris].every(uri => open.uris.has(uri))
  );
}
