import { onAbort } from '../errors/index.js';
import { EngineError, type EngineRequest, type EngineResponse, type TransferEngine } from './engine.js';
import { failureOf } from './failure-of.js';

/** An answer as the HTTP clients of Node give it. */
export interface SlotAnswer {
  readonly status: number;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * One connection at a time, for one request at a time: so a request can be ended together with its socket at any moment,
 * also while it is still connecting, and it is known when everything is closed (docs/decisions/0005).
 */
export interface Slot {
  /** Whether the last request has begun: before that, none of its bytes was written. */
  readonly started: boolean;
  /** Its connection stands, and can take another request. */
  readonly reusable: boolean;
  request(request: EngineRequest): Promise<SlotAnswer>;
  /** Ends everything at once; settles when every socket is closed. */
  destroy(): Promise<void>;
}

/** Names and values in turn, with those of the body that is sent. */
export function wireFields({ headers, body }: EngineRequest): string[] {
  const fields = headers.flat();
  if (body?.contentType !== undefined) fields.push('content-type', body.contentType);
  if (body !== undefined && body.length > 0) fields.push('content-length', String(body.length));
  return fields;
}

export type MakeSlot = (onDisconnected: (slot: Slot) => void) => Slot;

/** An engine over slots, which are kept for the next request to the same origin. `load` is called at once. */
export class PooledEngine implements TransferEngine {
  readonly kind = 'built-in';
  readonly #idle = new Map<Slot, string>();
  readonly #busy = new Set<Slot>();
  readonly #makeSlot: Promise<MakeSlot>;
  #closed = false;

  constructor(load: () => Promise<MakeSlot>) {
    this.#makeSlot = load();
    // Whoever sends is told.
    this.#makeSlot.catch(() => {});
  }

  async send(request: EngineRequest): Promise<EngineResponse> {
    const makeSlot = await this.#makeSlot;
    if (this.#idle.size > 0) await networkTurn();
    if (this.#closed || request.signal.aborted) throw new EngineError('connection_failed', { beforeRequest: true });
    let slot: Slot;
    try {
      slot = this.#take(request.origin) ?? makeSlot(lost => this.#drop(lost));
    } catch (error) {
      throw failureOf(error, true); // a proxy URL that is none
    }
    this.#busy.add(slot);
    const off = onAbort(request.signal, () => void slot.destroy());
    const release = async (atEnd: boolean): Promise<void> => {
      off();
      this.#busy.delete(slot);
      if (atEnd && slot.reusable && !this.#closed) this.#idle.set(slot, request.origin);
      else await slot.destroy();
    };
    try {
      return new SlotResponse(await slot.request(request), release);
    } catch (error) {
      await release(false);
      throw failureOf(error, !slot.started);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const slots = [...this.#idle.keys(), ...this.#busy];
    this.#idle.clear();
    await Promise.all(slots.map(slot => slot.destroy()));
  }

  /** The connection to this origin that was used last: the likeliest to be still open. */
  #take(origin: string): Slot | undefined {
    const slot = [...this.#idle.keys()].findLast(idle => this.#idle.get(idle) === origin);
    if (slot !== undefined) this.#idle.delete(slot);
    return slot;
  }

  /** A slot whose connection was closed while it was idle is worth nothing. */
  #drop(slot: Slot): void {
    if (this.#idle.delete(slot)) void slot.destroy();
  }
}

/**
 * Until the event loop has asked the network once more: a host that was busy has not heard yet of a connection that was
 * closed meanwhile, and what it wrote there would be lost. The first wait may end without a look, so there are two.
 */
async function networkTurn(): Promise<void> {
  for (let waits = 0; waits < 2; waits++) await new Promise(resolve => setImmediate(resolve));
}

class SlotResponse implements EngineResponse {
  readonly status: number;
  readonly body: AsyncIterable<Uint8Array>;
  readonly #answer: SlotAnswer;
  readonly #release: (atEnd: boolean) => Promise<void>;
  #released: Promise<void> | undefined;

  constructor(answer: SlotAnswer, release: (atEnd: boolean) => Promise<void>) {
    this.#answer = answer;
    this.#release = release;
    this.status = answer.status;
    this.body = this.#read();
  }

  header(name: string): string | undefined {
    const value = this.#answer.headers[name.toLowerCase()];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  discard(): Promise<void> {
    return this.#let(false);
  }

  #let(atEnd: boolean): Promise<void> {
    this.#released ??= this.#release(atEnd);
    return this.#released;
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    let atEnd = false;
    try {
      for await (const chunk of this.#answer.body) yield chunk;
      atEnd = true;
    } catch (error) {
      throw failureOf(error, false);
    } finally {
      await this.#let(atEnd);
    }
  }
}
