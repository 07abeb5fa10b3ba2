import { FilesError, onAbort, orAborted, throwIfAborted } from '../errors/index.js';
import { EchoFilter } from './echo-filter.js';
import { type ResourceEnvironment, run, send } from './environment.js';
import { LegacyWire } from './legacy-wire.js';
import { callQuietly, Listeners } from './listeners.js';
import { ModernWire } from './modern-wire.js';
import { checkUri } from './read.js';
import { CODE, serverError, shownUri } from './server-error.js';
import type { SubscriptionWire, WireContext } from './subscription-wire.js';
import type { Supports } from './support.js';
import type { ResourceListener, ResourceNotification, SubscribeOptions, Subscription } from './types.js';
import { unanswered } from './unanswered.js';

const UPDATED = 'notifications/resources/updated';
const LIST_CHANGED = 'notifications/resources/list_changed';

/** Milliseconds that `close` waits for a server to hear that nobody listens any more. */
const CLOSING_TIMEOUT = 2000;

/** Who listens to what, and what the server was told of it, over one connection after the other. */
export class Subscriptions {
  readonly #environment: ResourceEnvironment;
  readonly #supports: Supports;
  readonly #listeners = new Listeners();
  readonly #listListeners = new Set<() => void>();
  readonly #echoes = new EchoFilter();
  /** Take our listeners off the signals of the callers. */
  readonly #releases = new Set<() => void>();
  /** Ends the requests of the wires, once the server has heard that nobody listens any more. */
  readonly #closed = new AbortController();
  #closing: Promise<void> | undefined;
  #wire: { readonly connection: object; readonly wire: SubscriptionWire } | undefined;
  #stopWatching: (() => void) | undefined;

  constructor(environment: ResourceEnvironment, supports: Supports) {
    this.#environment = environment;
    this.#supports = supports;
  }

  subscribe(uri: string, listener: ResourceListener, options: SubscribeOptions): Promise<Subscription> {
    return run(this.#environment, options.signal, async signal => {
      checkUri(uri);
      if (typeof listener !== 'function') throw new FilesError('argument_invalid', 'A listener is a function.');
      await this.#supports.require('subscribe', options, signal);
      // Before the server is asked: it may tell of a change at once.
      const remove = this.#listeners.add(uri, listener);
      this.#watch();
      try {
        const wire = this.#currentWire();
        await orAborted(wire.sync(uri), signal);
        if (!wire.has(uri) && this.#listeners.uris.has(uri)) throw refused(uri);
      } catch (error) {
        remove();
        this.#leave(uri);
        throwIfAborted(signal);
        throw this.#explained(error, uri);
      }
      return this.#subscription(uri, remove, options.signal);
    });
  }

  onListChanged(listener: () => void): () => void {
    if (this.#closing !== undefined) return () => {};
    const entry = (): void => listener();
    this.#listListeners.add(entry);
    this.#watch();
    this.#syncQuietly();
    return () => {
      if (!this.#listListeners.delete(entry)) return;
      this.#syncQuietly();
      this.#unwatchIfIdle();
    };
  }

  /** Tells the server of everything that is listened to, anew: it may have forgotten it. */
  async resubscribe(): Promise<void> {
    await run(this.#environment, undefined, async signal => {
      this.#environment.requireConnected();
      if (this.#isIdle) return;
      await orAborted(this.#currentWire().renew(), signal);
    });
  }

  /** A notification that came to the host's own handler. Others than the two of resources are ignored. */
  notify({ method, params }: ResourceNotification): void {
    this.#deliver(method, params, 'notify');
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#listeners.clear();
    this.#listListeners.clear();
    const wire = this.#wire;
    this.#wire = undefined;
    this.#unwatchIfIdle();
    for (const release of this.#releases) release();
    this.#releases.clear();
    if (wire?.connection === this.#environment.context.port.connectionKey) await wire?.wire.close();
    else wire?.wire.drop();
    this.#closed.abort(new Error('The FilesClient was closed.'));
  }

  get #isIdle(): boolean {
    return this.#listeners.uris.size === 0 && this.#listListeners.size === 0;
  }

  /** The wire of the present connection; one of an earlier connection is gone with it. */
  #currentWire(): SubscriptionWire {
    const { port } = this.#environment.context;
    const connection = port.connectionKey;
    if (connection === undefined) throw new FilesError('not_connected', 'The MCP client is not connected.');
    if (this.#wire?.connection !== connection) {
      const isModern = port.era === 'modern';
      this.#wire?.wire.drop();
      const wire = isModern ? new ModernWire(port, this.#wireContext) : new LegacyWire(this.#wireContext);
      this.#wire = { connection, wire };
    }
    return this.#wire.wire;
  }

  readonly #wireContext: WireContext = {
    wanted: () => ({ uris: this.#listeners.uris, list: this.#listListeners.size > 0 && this.#listChanges }),
    send: (method, params) => {
      const timeout = method === 'resources/unsubscribe' ? { timeout: CLOSING_TIMEOUT } : {};
      return send(this.#environment, method, params, timeout, this.#closed.signal);
    },
    log: event => this.#environment.context.log?.(event),
  };

  /** A server that has no `listChanged` is not asked for it. */
  get #listChanges(): boolean {
    const resources = this.#environment.context.port.serverCapabilities()?.resources;
    return (resources as { listChanged?: unknown } | undefined)?.listChanged === true;
  }

  #watch(): void {
    if (this.#stopWatching !== undefined) return;
    const { port } = this.#environment.context;
    const stopNotifications = port.onNotification((method, params) => this.#deliver(method, params, 'transport'));
    const stopConnects = port.onConnected(() => this.#syncQuietly());
    this.#stopWatching = () => {
      stopNotifications();
      stopConnects();
    };
  }

  #unwatchIfIdle(): void {
    if (!this.#isIdle) return;
    this.#stopWatching?.();
    this.#stopWatching = undefined;
  }

  #deliver(method: string, params: { readonly [key: string]: unknown } | undefined, way: 'transport' | 'notify'): void {
    if (method === LIST_CHANGED) {
      if (this.#echoes.isEcho(method, way)) return;
      for (const listener of [...this.#listListeners]) callQuietly(listener);
    } else if (method === UPDATED && typeof params?.uri === 'string') {
      const { uri } = params;
      if (!this.#echoes.isEcho(`${method} ${uri}`, way)) this.#listeners.tell({ uri });
    }
  }

  #subscription(uri: string, remove: () => void, signal: AbortSignal | undefined): Subscription {
    let left: Promise<void> | undefined;
    let release = (): void => {};
    const unsubscribe = (): Promise<void> => {
      release();
      this.#releases.delete(release);
      left ??= (async () => {
        remove();
        await this.#leave(uri);
      })();
      return left;
    };
    if (signal !== undefined) {
      release = onAbort(signal, () => void unsubscribe());
      this.#releases.add(release);
    }
    return { uri, unsubscribe, [Symbol.asyncDispose]: unsubscribe };
  }

  /** After a listener was taken off: the server hears of it if that was the last one. */
  async #leave(uri: string): Promise<void> {
    const { wire } = this.#wire ?? {};
    const isCurrent = this.#wire?.connection === this.#environment.context.port.connectionKey;
    try {
      if (isCurrent && !this.#listeners.uris.has(uri)) await wire?.sync(uri);
    } catch {
      this.#environment.context.log?.({ type: 'note', message: 'a server did not take the end of a subscription' });
    } finally {
      this.#unwatchIfIdle();
    }
  }

  /** In the background: there is nobody to tell but the log. */
  #syncQuietly(): void {
    const { port, log } = this.#environment.context;
    if (!port.connected) return;
    void (async () => {
      if (this.#isIdle && this.#wire === undefined) return;
      await this.#currentWire().sync();
    })().catch(error => {
      log?.({ type: 'warning', message: 'Subscriptions could not be established: call resubscribe().', error });
    });
  }

  #explained(error: unknown, uri: string): unknown {
    const { port } = this.#environment.context;
    const failure = port.failureOf(error);
    if (failure.kind !== 'rpc_error')
      return unanswered(port.era === 'modern' ? 'subscriptions/listen' : 'resources/subscribe', error, port);
    const answered = { ...failure, error };
    const asked = { method: 'resources/subscribe', uri };
    if (failure.code === CODE.methodNotFound) {
      return serverError('resource_unsupported', 'The server has no subscriptions', asked, answered);
    }
    const isMissing = failure.code === CODE.invalidParams || failure.code === CODE.resourceNotFound;
    return isMissing
      ? serverError('resource_not_found', `The server has no resource ${shownUri(uri)}`, asked, answered)
      : error;
  }
}

function refused(uri: string): FilesError {
  return new FilesError('resource_unsupported', `The server does not tell of changes of ${shownUri(uri)}.`, {
    details: { capability: 'resources.subscribe', reason: 'not_honored' },
  });
}
