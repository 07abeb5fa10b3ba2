import type { SubscriptionWire, WireContext } from './subscription-wire.js';

/**
 * Before 2026-07-28: one `resources/subscribe` for a resource, `resources/unsubscribe` when nobody listens any more. Changes
 * of the list are sent unasked. What is done for one resource is done in turn, so that a quick change of mind ends as it was
 * meant; other resources do not wait for it.
 */
export class LegacyWire implements SubscriptionWire {
  readonly #context: WireContext;
  readonly #on = new Set<string>();
  readonly #turns = new Map<string, Promise<void>>();
  #dropped = false;

  constructor(context: WireContext) {
    this.#context = context;
  }

  has(uri: string): boolean {
    return this.#on.has(uri);
  }

  async sync(uri?: string): Promise<void> {
    if (uri !== undefined) return await this.#inTurn(uri, false);
    await this.#all(false);
  }

  async renew(): Promise<void> {
    await this.#all(true);
  }

  async close(): Promise<void> {
    await this.sync().catch(() => {});
  }

  drop(): void {
    this.#dropped = true;
  }

  async #all(anew: boolean): Promise<void> {
    const all = new Set([...this.#on, ...this.#context.wanted().uris]);
    const settled = await Promise.allSettled([...all].map(each => this.#inTurn(each, anew)));
    const failed = settled.find(result => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  async #inTurn(uri: string, anew: boolean): Promise<void> {
    const before = this.#turns.get(uri) ?? Promise.resolve();
    const turn = before.catch(() => {}).then(() => this.#step(uri, anew));
    this.#turns.set(uri, turn);
    try {
      await turn;
    } finally {
      if (this.#turns.get(uri) === turn) this.#turns.delete(uri);
    }
  }

  async #step(uri: string, anew: boolean): Promise<void> {
    const wanted = this.#context.wanted().uris.has(uri);
    const isOn = this.#on.has(uri);
    if (this.#dropped || (wanted === isOn && !(wanted && anew))) return;
    if (wanted) {
      try {
        await this.#context.send('resources/subscribe', { uri });
      } catch (error) {
        this.#on.delete(uri);
        throw error;
      }
      this.#on.add(uri);
      return;
    }
    // Whether the server hears it or not, nobody here listens any more.
    this.#on.delete(uri);
    await this.#context.send('resources/unsubscribe', { uri });
  }
}
