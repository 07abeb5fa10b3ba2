import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { BuiltInEngineOptions } from './built-in-engine.js';
import { EngineError, type EngineRequest, type RequestBody } from './engine.js';
import { type Slot, type SlotAnswer, wireFields } from './pooled-engine.js';

/** Milliseconds for which a connection is kept that nobody uses; less where the storage says so. */
const IDLE_MS = 4_000;

type Create = NonNullable<HttpAgent['createConnection']>;

/** One connection at a time, by Node's own client, for one request at a time. */
export class HttpSlot implements Slot {
  started = false;
  readonly #options: BuiltInEngineOptions;
  readonly #onDisconnected: (slot: Slot) => void;
  #agent: HttpAgent | undefined;
  #request: ClientRequest | undefined;
  #answer: IncomingMessage | undefined;
  #socket: Socket | undefined;
  /** Settles when the connection stands, TLS included. */
  #ready: Promise<void> | undefined;
  #destroyed: Promise<void> | undefined;

  constructor(options: BuiltInEngineOptions, onDisconnected: (slot: Slot) => void) {
    this.#options = options;
    this.#onDisconnected = onDisconnected;
  }

  /** After an answer that came before the end of the body, what is left of the body still goes out. */
  get reusable(): boolean {
    return this.#socket?.writable === true && this.#request?.writableFinished === true;
  }

  async request(wanted: EngineRequest): Promise<SlotAnswer> {
    const { origin, path, method, body, signal } = wanted;
    this.started = false;
    const { protocol, hostname, host, port } = new URL(origin);
    const isSecure = protocol === 'https:';
    this.#agent ??= this.#makeAgent(isSecure);
    // As a list they go out as they are, with nothing added.
    const list = ['host', host, 'connection', 'keep-alive', ...wireFields(wanted)];
    const content = body !== undefined && body.length > 0 ? body : undefined;
    if (content === undefined && method !== 'GET') list.push('content-length', '0');
    const bare = hostname.replace(/^\[|\]$/g, '');
    const request = (isSecure ? requestHttps : requestHttp)({
      agent: this.#agent,
      // Not `host`, before which Node looks for this one, on the prototype too.
      hostname: bare,
      port: port || (isSecure ? 443 : 80),
      method,
      path,
      headers: list,
      ...(this.#options.lookup && { lookup: this.#options.lookup }),
      ...(isSecure && { servername: this.#options.tls?.servername ?? (isIP(bare) ? '' : bare) }),
    });
    this.#request = request;
    this.#answer = undefined;
    request.once('response', message => {
      this.#answer = message;
    });
    const answered = answerTo(request);
    answered.catch(() => {});
    await Promise.race([answered, socketOf(request)]);
    await Promise.race([answered, this.#ready]);
    this.started = true;
    if (content === undefined) {
      request.end();
      return answered;
    }
    // The answer may come before the end of the body, which then goes on.
    const failed = new Promise<never>((_, reject) => {
      send(request, content, signal).catch(error => {
        reject(error);
        request.destroy();
      });
    });
    failed.catch(() => {});
    return Promise.race([answered, failed]);
  }

  destroy(): Promise<void> {
    this.#destroyed ??= this.#destroyAll();
    return this.#destroyed;
  }

  async #destroyAll(): Promise<void> {
    // Never in the middle of Node's own work, where it begins to read a body: code of the source may end everything.
    await undefined;
    const socket = this.#socket;
    const closed = socket && new Promise<void>(resolve => socket.once('close', () => resolve()));
    this.#request?.destroy();
    this.#agent?.destroy();
    socket?.destroy();
    await closed;
  }

  #makeAgent(isSecure: boolean): HttpAgent {
    const kept = { keepAlive: true, maxSockets: 1, timeout: IDLE_MS };
    const agent = isSecure
      ? new HttpsAgent({ ...kept, ...this.#options.tls, ALPNProtocols: ['http/1.1'] })
      : new HttpAgent(kept);
    const connect = agent.createConnection.bind(agent) as Create;
    agent.createConnection = (options, callback) => {
      const socket = connect(options, callback) as Socket;
      this.#track(socket, isSecure);
      return socket;
    };
    return agent;
  }

  #track(socket: Socket, isSecure: boolean): void {
    this.#socket = socket;
    const { connectTimeout } = this.#options;
    const late = (): void => void socket.destroy(Object.assign(new Error('no connection'), { code: 'ETIMEDOUT' }));
    const timer = connectTimeout > 0 ? setTimeout(late, connectTimeout) : undefined;
    this.#ready = new Promise(resolve => {
      socket.once(isSecure ? 'secureConnect' : 'connect', () => {
        clearTimeout(timer);
        resolve();
      });
    });
    // Behind an answer nothing may come: Node drops it or, when it comes a little later, takes it for the next answer.
    socket.on('data', () => {
      if (this.#answer?.complete) socket.destroy();
    });
    socket.once('close', () => {
      clearTimeout(timer);
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      this.#onDisconnected(this);
    });
  }
}

/** The answer's head, or what kept it from coming. A failure after the head is told by its body. */
function answerTo(request: ClientRequest): Promise<SlotAnswer> {
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    request.once('close', () => reject(new Error('closed without an answer')));
    const refuse = (reason: 'unsolicited_100_continue' | 'answer_malformed') => (): void => {
      reject(new EngineError(reason, { beforeRequest: false }));
      request.destroy();
    };
    const refuseMalformed = refuse('answer_malformed');
    request.once('continue', refuse('unsolicited_100_continue'));
    request.once('upgrade', refuseMalformed);
    request.once('response', message => {
      // A 101 that names no protocol, or a number below all of HTTP's.
      if (message.statusCode! < 200) return refuseMalformed();
      // Node tells the body no more than that the connection is gone.
      request.on('error', error => {
        if (!message.complete) message.destroy(error);
      });
      resolve({ status: message.statusCode!, headers: message.headers, body: message });
    });
  });
}

function socketOf(request: ClientRequest): Promise<void> {
  return new Promise(resolve => {
    request.once('socket', () => resolve());
  });
}

/** Each piece is asked for when the one before it is written: its memory may be read into again then. */
async function send(request: ClientRequest, body: RequestBody, signal: AbortSignal): Promise<void> {
  let isClosed = false;
  let onClosed = (): void => {};
  // Node keeps what is written to a connection that the storage has ended, and says nothing of it.
  request.once('close', () => {
    isClosed = true;
    onClosed();
  });
  const written = (piece: Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => {
      onClosed = () => reject(new Error('closed before the end'));
      if (isClosed) onClosed();
      else request.write(piece, error => (error ? reject(error) : resolve()));
    });
  for await (const piece of body.chunks(signal)) await written(piece);
  request.end();
}
