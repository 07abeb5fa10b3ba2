import type { McpClientLike } from './client-like.js';

type Connect = NonNullable<McpClientLike['connect']>;

/**
 * Says when a client has connected. No SDK has an event for it, so `connect`, a public method, is wrapped on the one client,
 * as long as somebody listens. What it returns and throws stays as it is.
 */
export class ConnectTap {
  readonly #client: McpClientLike;
  readonly #listeners = new Set<() => void>();
  #wrapped: { readonly wrapper: Connect; readonly own: PropertyDescriptor | undefined } | undefined;

  constructor(client: McpClientLike) {
    this.#client = client;
  }

  add(listener: () => void): () => void {
    const entry = (): void => listener();
    this.#listeners.add(entry);
    this.#wrap();
    return () => {
      this.#listeners.delete(entry);
      if (this.#listeners.size === 0) this.#unwrap();
    };
  }

  #wrap(): void {
    const client = this.#client;
    const original = client.connect;
    if (this.#wrapped !== undefined || typeof original !== 'function') return;
    const own = Object.getOwnPropertyDescriptor(client, 'connect');
    const listeners = this.#listeners;
    const wrapper = async function (this: unknown, ...parameters: never[]): Promise<unknown> {
      const result = await original.apply(client, parameters);
      for (const listener of [...listeners]) listener();
      return result;
    };
    const ours = { value: wrapper, configurable: true, writable: true, enumerable: own?.enumerable ?? false };
    // A frozen client keeps its method: later connections show when it is used.
    if (Reflect.defineProperty(client, 'connect', ours)) this.#wrapped = { wrapper, own };
  }

  #unwrap(): void {
    const wrapped = this.#wrapped;
    // Where somebody wrapped it after us it stays in the chain; without listeners it only passes on.
    if (wrapped === undefined || this.#client.connect !== wrapped.wrapper) return;
    this.#wrapped = undefined;
    if (wrapped.own === undefined) Reflect.deleteProperty(this.#client, 'connect');
    else Reflect.defineProperty(this.#client, 'connect', wrapped.own);
  }
}
