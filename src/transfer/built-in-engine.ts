import type { LookupFunction } from 'node:net';
import type { TransferEngine } from './engine.js';
import { HttpSlot } from './http-slot.js';
import { load } from './load.js';
import { PooledEngine } from './pooled-engine.js';

export interface BuiltInEngineOptions {
  /** Resolves and checks host names (the address guard); as `dns.lookup`. IP literals never reach it. */
  readonly lookup?: LookupFunction;
  /** Milliseconds until a connection stands, TLS included; 0 is off. */
  readonly connectTimeout: number;
  /** For private certificate authorities and client certificates. */
  readonly tls?:
    | {
        readonly ca?: string | Buffer | Array<string | Buffer>;
        readonly cert?: string | Buffer;
        readonly key?: string | Buffer;
        readonly servername?: string;
      }
    | undefined;
  /** `'env'`: HTTP_PROXY, HTTPS_PROXY and NO_PROXY are honoured; else the proxy's URL. Default: none. */
  readonly proxy?: string | undefined;
}

/**
 * The built-in engine: HTTP/1.1 by Node's own client, and by undici through a proxy (docs/decisions/0014). Connections are
 * kept and used again for the same origin, until the storage or an idle timer (4 s) closes them. How many there are is up to
 * the caller: a request never waits here for another.
 */
export function createBuiltInEngine(given: BuiltInEngineOptions): TransferEngine {
  // No timer runs longer: one that is set for more fires at once.
  const options = given.connectTimeout < 2 ** 31 ? given : { ...given, connectTimeout: 0 };
  if (options.proxy === undefined) {
    return new PooledEngine(async () => onDisconnected => new HttpSlot(options, onDisconnected));
  }
  return new PooledEngine(async () => {
    const [undici, { UndiciSlot }] = await Promise.all([load(import('undici')), import('./undici-slot.js')]);
    return onDisconnected => new UndiciSlot(undici, options, onDisconnected);
  });
}
