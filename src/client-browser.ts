import { type Platform, PortableFilesClient } from './client.js';
import type { FilesClientOptions } from './client-options.js';
import type { McpClientLike } from './connection/index.js';
import { createFetchEngine } from './transfer/fetch-engine.js';

const browser: Platform = {
  async createEngine({ fetch }) {
    return createFetchEngine(fetch!, {});
  },
};

/** Sends files into the tools of one MCP client, in a browser: transfers go through `fetch`. */
export class FilesClient extends PortableFilesClient {
  constructor(client: McpClientLike, options: FilesClientOptions = {}) {
    super(client, { ...options, fetch: options.fetch ?? globalThis.fetch.bind(globalThis) }, browser);
  }
}
