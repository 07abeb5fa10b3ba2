import type { JsonObject } from '../connection/index.js';

/** What somebody listens to at present. */
export interface Wanted {
  readonly uris: ReadonlySet<string>;
  readonly list: boolean;
}

/** How one protocol era is told what to send. One wire lasts as long as its connection. */
export interface SubscriptionWire {
  /**
   * Brings the server in line with what is wanted. Settles when that is done; rejects where the server does not take it.
   * `uri`: what changed; absent for everything.
   */
  sync(uri?: string): Promise<void>;
  /** Tells the server of everything once more, although it was told: it may have forgotten it. */
  renew(): Promise<void>;
  /** Is the server telling us of this resource? */
  has(uri: string): boolean;
  /** Takes back what the server was told, as far as it can be reached. */
  close(): Promise<void>;
  /** Does nothing more: the connection is gone, or another wire has taken over. */
  drop(): void;
}

/** What a wire needs of the subscriptions. */
export interface WireContext {
  wanted(): Wanted;
  send(method: string, params: JsonObject): Promise<unknown>;
  log(event: { type: string; [key: string]: unknown }): void;
}
