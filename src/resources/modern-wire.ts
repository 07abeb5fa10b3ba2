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
  /** The work that runs, and the one that is to follow it: whoever comes meanwhile shares the latter. */
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(port: McpPort, context: WireContext) {
    this.#port = port;
    this.#context = context;
  }

  has(uri: string): boolean {
    return this.#open?.uris.has(uri) === true;
  }

  sync(): Promise<void> {
    if (this.#running === undefined) return this.#start();
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        return this.#start();
      });
    return this.#next;
  }

  drop(): void {
    this.#closing.abort(new Error('The subscriptions were closed.'));
  }

  async close(): Promise<void> {
    this.drop();
    await this.#running?.catch(() => {});
    const { stream } = this.#open ?? {};
    this.#open = undefined;
    await stream?.close().catch(() => {});
  }

  async #start(): Promise<void> {
    const work = this.#work();
    this.#running = work;
    try {
      await work;
    } finally {
      this.#running = undefined;
    }
  }

  async #work(): Promise<void> {
    const wanted = this.#context.wanted();
    const before = this.#open;
    if (isSame(before, wanted)) return;
    const after = isNothing(wanted) ? undefined : await this.#listen(wanted);
    this.#open = after;
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
    const open: Open = { stream, uris: new Set(Array.isArray(told) ? told : []), list };
    void stream.closed.then(
      cause => this.#ended(open, cause),
      cause => this.#ended(open, cause),
    );
    return open;
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
