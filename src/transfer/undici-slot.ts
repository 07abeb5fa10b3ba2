import type { Socket } from 'node:net';
import type { buildConnector, Client, Dispatcher } from 'undici';
import type { BuiltInEngineOptions } from './built-in-engine.js';
import type { EngineRequest, RequestBody } from './engine.js';
import { type Slot, type SlotAnswer, wireFields } from './pooled-engine.js';

/** The larger of those that undici gives its plain and its TLS sockets. */
const HIGH_WATER_MARK = 64 * 1024;

type Undici = typeof import('undici');
type Wrap = (connect: buildConnector.connector) => buildConnector.connector;

/** What is done with each connection as it is made, and with those that undici speaks HTTP on. */
interface Wraps {
  readonly track: Wrap;
  readonly guard: Wrap;
}

/**
 * One connection at a time, for one request at a time. A dispatcher of its own for each makes it possible to end a
 * request together with its socket at any moment, also while it is still connecting (undici alone would wait for the
 * connection to come or to time out), and to know when everything is closed.
 */
export class UndiciSlot implements Slot {
  /** Whether the last request has begun: before that, none of its bytes was written. */
  started = false;

  readonly #dispatcher: Dispatcher;
  readonly #holding: Dispatcher;
  readonly #sockets = new Set<Socket>();
  readonly #onDisconnected: (slot: Slot) => void;
  #destroyed: Promise<void> | undefined;
  #answer: Dispatcher.DispatchController | undefined;

  constructor(undici: Undici, options: BuiltInEngineOptions, onDisconnected: (slot: Slot) => void) {
    this.#onDisconnected = onDisconnected;
    this.#dispatcher = makeDispatcher(undici, options, {
      track: connect => this.#track(connect),
      guard: connect => this.#guard(connect),
    });
    this.#holding = this.#dispatcher.compose(this.#holdAnswer);
  }

  async request(request: EngineRequest): Promise<SlotAnswer> {
    const { origin, path, method, body, signal } = request;
    this.started = false;
    const isEmpty = body === undefined || body.length === 0;
    const answer = await this.#holding.request({
      // Origin and path apart, and no URL object: the only way on which the path goes out as it was given.
      origin,
      path,
      method,
      headers: wireFields(request),
      // undici takes any iterable of bytes; its types name only streams.
      body: isEmpty ? null : (this.#pieces(body, signal) as unknown as Dispatcher.DispatchOptions['body']),
      // Both timers are ours: undici's header timer ends a reader that is slow but steady.
      headersTimeout: 0,
      bodyTimeout: 0,
    } as Dispatcher.RequestOptions);
    return { status: answer.statusCode, headers: answer.headers, body: answer.body };
  }

  /**
   * The body, whose next piece is asked for once the last is written: its memory may be read into again then. undici
   * waits for that by itself where the socket asks it to, which it does for a piece of its high-water mark and more;
   * what is smaller is copied.
   */
  async *#pieces(body: RequestBody, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    for await (const piece of body.chunks(signal)) {
      yield piece.byteLength < HIGH_WATER_MARK ? new Uint8Array(piece) : piece;
      for (const socket of this.#sockets) {
        if (socket.writableNeedDrain) await drained(socket);
      }
    }
  }

  get reusable(): boolean {
    return this.#sockets.size > 0;
  }

  /** Ends everything at once; settles when every socket is closed. */
  destroy(): Promise<void> {
    this.#destroyed ??= this.#destroyAll();
    return this.#destroyed;
  }

  async #destroyAll(): Promise<void> {
    // Never in the middle of undici's own work, where it begins to read a body: code of the source may end everything.
    await undefined;
    const ended = new Error('ended');
    const sockets = [...this.#sockets];
    const closed = sockets.map(socket => new Promise<void>(resolve => socket.once('close', () => resolve())));
    const gone = this.#dispatcher.destroy(ended);
    // Those that undici does not own: still connecting, or below a tunnel. Its connector listens to their errors.
    for (const socket of sockets) socket.destroy(ended);
    await Promise.all([gone, ...closed]);
  }

  #track(connect: buildConnector.connector): buildConnector.connector {
    return (options, callback) => {
      // The connector returns the socket while it is still connecting; its type does not say so.
      const socket = connect(options, callback) as unknown as Socket;
      this.#sockets.add(socket);
      socket.once('close', () => {
        this.#sockets.delete(socket);
        if (this.#sockets.size === 0) this.#onDisconnected(this);
      });
      return socket;
    };
  }

  /**
   * undici's parser must not be paused when its socket ends: behind an answer after which the connection closes, undici
   * asserts that it is not, in a listener of the socket, which would end the process. So these listen before it does.
   */
  #guard(connect: buildConnector.connector): buildConnector.connector {
    const guarded: buildConnector.connector = (options, callback) =>
      connect(options, (...result) => {
        const [error, socket] = result;
        if (error === null) {
          // Nothing is left to read then: what is behind the pause is the end of the answer at most.
          socket.on('end', () => this.#answer?.resume());
          socket.on('error', (reset: NodeJS.ErrnoException) => {
            // A parser whose socket is destroyed cannot be resumed. undici asserts on this code alone.
            if (this.#answer?.paused && reset.code === 'ECONNRESET') reset.code = 'EPIPE';
          });
        }
        callback(...result);
      });
    return guarded;
  }

  /**
   * Holds an answer after its headers until somebody reads its body. undici closes the connection when an answer is
   * complete before the request is, so a storage that says 200 early would never get the rest of the file.
   */
  readonly #holdAnswer: Dispatcher.DispatcherComposeInterceptor = dispatch => (options, handler) =>
    dispatch(options, {
      onRequestStart: (controller, context) => {
        this.started = true;
        this.#answer = undefined;
        handler.onRequestStart?.(controller, context);
      },
      onResponseStart: (controller, status, headers, text) => {
        handler.onResponseStart?.(controller, status, headers, text);
        if (status < 200) return;
        this.#answer = controller;
        controller.pause();
      },
      onResponseData: (controller, chunk) => handler.onResponseData?.(controller, chunk),
      onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
      onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
    });
}

/** Settles when everything given to the socket is written, or will never be. */
function drained(socket: Socket): Promise<void> {
  return new Promise(resolve => {
    const settle = (): void => {
      socket.off('drain', settle).off('close', settle);
      resolve();
    };
    socket.on('drain', settle).on('close', settle);
  });
}

function makeDispatcher(undici: Undici, options: BuiltInEngineOptions, { track, guard }: Wraps): Dispatcher {
  const { tls, lookup, proxy, connectTimeout: timeout } = options;
  // HTTP/2 stays off: slower on one connection, and undici does not multiplex request bodies.
  const direct = { ...tls, timeout, allowH2: false, ...(lookup && { lookup }) } as buildConnector.BuildOptions;
  const agent = {
    connections: 1,
    connect: track(undici.buildConnector(direct)),
    // Every route ends here, also one with TLS in a tunnel, whose connector is undici's own.
    factory: (origin: string | URL, own: object) => {
      const { connect } = own as { connect: buildConnector.connector };
      return new undici.Client(origin, { ...own, connect: guard(connect) });
    },
  };
  if (proxy === undefined) return new undici.Agent(agent);
  const proxied = {
    ...agent,
    requestTls: { ...tls, timeout } as buildConnector.BuildOptions,
    proxyTls: { ...(tls?.ca && { ca: tls.ca }), timeout } as buildConnector.BuildOptions,
    clientFactory: (origin: URL, own: object) => {
      const { connect } = own as { connect: buildConnector.connector };
      return withoutLoop(new undici.Client(origin, { connect: track(connect) }));
    },
  };
  return proxy === 'env' ? new undici.EnvHttpProxyAgent(proxied) : new undici.ProxyAgent({ ...proxied, uri: proxy });
}

/**
 * A proxy that closes the connection instead of making a tunnel: undici takes its own socket error for an idle connection
 * that was lost, and connects again without a pause or an end (nodejs/undici#3897). Under any other code the request fails.
 */
function withoutLoop(client: Client): Client {
  const tunnel = client.connect.bind(client) as (options: unknown) => Promise<unknown>;
  const connect = (options: unknown): Promise<unknown> =>
    tunnel(options).catch(error => {
      throw Object.assign(new Error('no tunnel'), { code: 'ECONNRESET', cause: error });
    });
  return Object.assign(client, { connect: connect as typeof client.connect });
}
