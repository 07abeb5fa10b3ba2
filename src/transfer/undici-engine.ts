import type { Dispatcher } from 'undici';
import { onAbort } from '../errors/index.js';
import { EngineError, type EngineRequest, type EngineResponse, type TransferEngine } from './engine.js';
import { failureOf } from './failure-of.js';
import { load } from './load.js';
import { type UndiciEngineOptions, UndiciSlot } from './undici-slot.js';

export type { UndiciEngineOptions } from './undici-slot.js';

/**
 * The built-in engine: HTTP/1.1 by undici, which is loaded with it. Connections are kept and used again
 * for the same origin, until the storage or undici's own idle timer (4 s) closes them. How many there are is up to the
 * caller: a request never waits here for another.
 */
export function createUndiciEngine(options: UndiciEngineOptions): TransferEngine {
  return new UndiciEngine(options);
}

class UndiciEngine implements TransferEngine {
  readonly kind = 'built-in';
  readonly #options: UndiciEngineOptions;
  readonly #idle = new Map<UndiciSlot, string>();
  readonly #busy = new Set<UndiciSlot>();
  readonly #undici = load(import('undici'));
  #closed = false;

  constructor(options: UndiciEngineOptions) {
    this.#options = options;
    // Whoever sends is told.
    this.#undici.catch(() => {});
  }

  async send(request: EngineRequest): Promise<EngineResponse> {
    const undici = await this.#undici;
    if (this.#idle.size > 0) await networkTurn();
    if (this.#closed || request.signal.aborted) throw new EngineError('connection_failed', { beforeRequest: true });
    let slot: UndiciSlot;
    try {
      slot = this.#take(request.origin) ?? new UndiciSlot(undici, this.#options, lost => this.#drop(lost));
    } catch (error) {
      throw failureOf(error, true); // a proxy URL that is none
    }
    this.#busy.add(slot);
    const off = onAbort(request.signal, () => void slot.destroy());
    const release = async (reusable: boolean): Promise<void> => {
      off();
      this.#busy.delete(slot);
      if (reusable && slot.connected && !this.#closed) this.#idle.set(slot, request.origin);
      else await slot.destroy();
    };
    try {
      return new UndiciResponse(await slot.request(request), release);
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
  #take(origin: string): UndiciSlot | undefined {
    const slot = [...this.#idle.keys()].findLast(idle => this.#idle.get(idle) === origin);
    if (slot !== undefined) this.#idle.delete(slot);
    return slot;
  }

  /** A slot whose connection was closed while it was idle is worth nothing. */
  #drop(slot: UndiciSlot): void {
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

class UndiciResponse implements EngineResponse {
  readonly status: number;
  readonly body: AsyncIterable<Uint8Array>;
  readonly #data: Dispatcher.ResponseData;
  readonly #release: (reusable: boolean) => Promise<void>;
  #released: Promise<void> | undefined;

  constructor(data: Dispatcher.ResponseData, release: (reusable: boolean) => Promise<void>) {
    this.#data = data;
    this.#release = release;
    this.status = data.statusCode;
    this.body = this.#read();
  }

  header(name: string): string | undefined {
    const value = this.#data.headers[name.toLowerCase()];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  discard(): Promise<void> {
    return this.#let(false);
  }

  #let(reusable: boolean): Promise<void> {
    this.#released ??= this.#release(reusable);
    return this.#released;
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    let atEnd = false;
    try {
      for await (const chunk of this.#data.body) yield chunk;
      atEnd = true;
    } catch (error) {
      throw failureOf(error, false);
    } finally {
      await this.#let(atEnd);
    }
  }
}
