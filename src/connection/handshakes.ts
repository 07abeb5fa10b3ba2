import type { TransportLike } from './client-like.js';
import { isObject } from './leg-answer.js';
import type { JsonObject } from './port.js';

interface Seen {
  readonly capabilities: JsonObject;
}

/**
 * What servers said of themselves in their answer to `initialize`, every member of it. Both SDKs hand out only what their
 * schema knows, and both chain the `onmessage` that a transport has when they connect it: that is where it is seen.
 */
export class Handshakes {
  readonly #seen = new WeakMap<object, Seen>();
  readonly #watched = new WeakSet<object>();
  #last: Seen | undefined;

  watch(transport: TransportLike): void {
    if (this.#watched.has(transport)) return;
    this.#watched.add(transport);
    const original = transport.onmessage;
    transport.onmessage = (message, extra) => {
      original?.call(transport, message, extra);
      const capabilities = this.#seen.has(transport) ? undefined : capabilitiesIn(message);
      if (capabilities === undefined) return;
      this.#last = { capabilities };
      this.#seen.set(transport, this.#last);
    };
  }

  /**
   * Of the connection over this transport. A later one over a transport that nobody showed us counts as the same server
   * where the SDK reports the same capabilities of it.
   */
  capabilities(transport: object | undefined, reported: JsonObject | undefined): JsonObject | undefined {
    const seen = transport === undefined ? undefined : this.#seen.get(transport);
    if (seen !== undefined) return seen.capabilities;
    const last = this.#last?.capabilities;
    return last !== undefined && reported !== undefined && covers(last, reported) ? last : undefined;
  }
}

function capabilitiesIn(message: unknown): JsonObject | undefined {
  if (!isObject(message) || !isObject(message.result)) return undefined;
  const { protocolVersion, serverInfo, capabilities } = message.result;
  return typeof protocolVersion === 'string' && isObject(serverInfo) && isObject(capabilities)
    ? capabilities
    : undefined;
}

/** Everything the SDK reports stands in the full answer, with the same value. */
function covers(full: unknown, reported: unknown): boolean {
  if (!isObject(full) || !isObject(reported)) return JSON.stringify(full) === JSON.stringify(reported);
  return Object.entries(reported).every(([name, value]) => Object.hasOwn(full, name) && covers(full[name], value));
}
