import { type Platform, PortableFilesClient } from './client.js';
import type { FilesClientOptions } from './client-options.js';
import type { McpClientLike } from './connection/index.js';
import { base64 } from './protocol/index.js';
import { fromBlob, planFile } from './source/index.js';
import { base64url } from './transfer/digest.js';
import { createFetchEngine } from './transfer/fetch-engine.js';

const browser: Platform = {
  async createEngine({ fetch }) {
    return createFetchEngine(fetch!, {});
  },
  // Browsers hash nothing piece by piece: a file with a digest is held in memory until its end.
  sha256() {
    const parts: BlobPart[] = [];
    return {
      update: bytes => void parts.push(bytes as Uint8Array<ArrayBuffer>),
      async digest() {
        const hash = await crypto.subtle.digest('SHA-256', await new Blob(parts).arrayBuffer());
        return base64url(base64(new Uint8Array(hash)));
      },
    };
  },
  async spool(content, signal) {
    const parts: BlobPart[] = [];
    for await (const chunk of content) parts.push(chunk as Uint8Array<ArrayBuffer>);
    const { size, bytes, chunks, blob } = await planFile(fromBlob(new Blob(parts)), signal);
    return { size, bytes, chunks, blob, async close() {} };
  },
};

/** Sends files into the tools of one MCP client, in a browser: transfers go through `fetch`. */
export class FilesClient extends PortableFilesClient {
  constructor(client: McpClientLike, options: FilesClientOptions = {}) {
    super(client, { ...options, fetch: options.fetch ?? globalThis.fetch.bind(globalThis) }, browser);
  }
}
