import { type Platform, PortableFilesClient } from './client.js';
import type { FilesClientOptions } from './client-options.js';
import type { McpClientLike } from './connection/index.js';
import { createFetchEngine } from './transfer/fetch-engine.js';
import type { UndiciEngineOptions } from './transfer/undici-engine.js';

/** undici is loaded with the first transfer. */
const node: Platform = {
  async createEngine({ fetch, timeouts, tls, proxy }, target) {
    if (fetch !== undefined) return createFetchEngine(fetch, {});
    const [{ createUndiciEngine }, { makeGuardedLookup }] = await Promise.all([
      import('./transfer/undici-engine.js'),
      import('./transfer/address-guard.js'),
    ]);
    return createUndiciEngine({
      lookup: makeGuardedLookup(target),
      connectTimeout: timeouts?.connect ?? 10_000,
      // Node reads DER bytes from any Uint8Array; its types name Buffer.
      ...(tls === undefined ? {} : { tls: tls as NonNullable<UndiciEngineOptions['tls']> }),
      ...(proxy === undefined ? {} : { proxy }),
    });
  },
};

/** Sends files into the tools of one MCP client, on Node. */
export class FilesClient extends PortableFilesClient {
  constructor(client: McpClientLike, options: FilesClientOptions = {}) {
    super(client, options, node);
  }
}
