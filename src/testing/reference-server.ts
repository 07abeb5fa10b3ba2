import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { DialectCalls } from './dialect-calls.js';
import { DialectUploads } from './dialect-uploads.js';
import { listenMcp, listenStorage, MCP_PATH } from './http.js';
import { serverFactory } from './mcp-server.js';
import {
  type ReferenceServer,
  type ReferenceServerOptions,
  type ReferenceServerRecord,
  type Settings,
  settingsOf,
} from './options.js';
import { Resources } from './resources.js';
import { PathSigner } from './signed-path.js';
import { Storage } from './storage.js';
import { storageHandler } from './storage-http.js';
import { Targets } from './targets.js';
import { ToolCalls } from './tool-calls.js';

/**
 * Starts an MCP server that takes files as the working draft of `io.modelcontextprotocol/files` describes, for tests of
 * hosts: Streamable HTTP on 127.0.0.1, protocol 2026-07-28 and the eras before it, with a storage of its own on a second
 * port. It forgives nothing: signatures, expiry, one write per target, exact sizes, ordered form fields, credentials
 * only where asked for, a request state that is bound to the call and works once; and it reads the stored bytes back
 * before a tool runs.
 *
 * Tools: `save_file`, `save_files`, `publish` (files at several depths), `save_with_confirmation` (asks beside the
 * upload), `save_image` (`accept`, `maxSize`), `make_report` (returns a file), `return_files` (returns
 * one in every way that a result can hold or name it), `echo` (no file).
 *
 * Resources: text, an image, several contents, one that asks the user, numbered ones for pages, templates; subscriptions in
 * every era; and what clients create (SEP-2571).
 *
 * ```ts
 * await using server = await startReferenceServer({ mode: 'form', maxInlineBytes: 0 });
 * // connect your host to server.url and let it call save_file …
 * expect(server.received()).toMatchObject([{ pointer: '/document', mode: 'form', sha256 }]);
 * expect(server.runs()).toHaveLength(1);
 * ```
 *
 * Targets are plain http on loopback: a client under test has to allow that.
 */
export async function startReferenceServer(options: ReferenceServerOptions = {}): Promise<ReferenceServer> {
  const settings = settingsOf(options);
  const backend = await startBackend(settings);
  const { factory, handleStorage, events } = backend;
  try {
    const mcp = await listenMcp(factory, handleStorage, events, settings);
    const close = async (): Promise<void> => {
      await mcp.close();
      await backend.record.close();
    };
    return { ...backend.record, url: mcp.origin + MCP_PATH, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await backend.record.close();
    throw error;
  }
}

/**
 * The same server over stdio: give it to a child process that a host starts. `targets: 'path'` needs an MCP address and
 * throws a RangeError. The process can exit once its standard input ends.
 *
 * @param streams Where to read and write the messages; the process's own stdin and stdout by default.
 */
export async function serveReferenceStdio(
  options: ReferenceServerOptions = {},
  streams: { readonly input: Readable; readonly output: Writable } = { input: process.stdin, output: process.stdout },
): Promise<ReferenceServerRecord> {
  if (options.targets === 'path') throw new RangeError("targets: 'path' needs an MCP address, which stdio has not.");
  // Hosts end a server by SIGTERM, on which Node runs no `exit` handler: what was stored would stay on disk.
  const exit = (): void => process.exit(143);
  if (streams.input === process.stdin) process.once('SIGTERM', exit);
  const { factory, record, unref } = await startBackend(settingsOf(options));
  unref();
  const stdio = serveStdio(factory, { transport: new StdioServerTransport(streams.input, streams.output) });
  const close = async (): Promise<void> => {
    process.off('SIGTERM', exit);
    await stdio.close();
    await record.close();
  };
  return { ...record, close };
}

/** Storage, targets and tools: what does not depend on how MCP messages travel. */
async function startBackend(settings: Settings) {
  const storage = await Storage.open(settings.now);
  const signer = new PathSigner(settings.now);
  const handleStorage = storageHandler(storage, signer, settings);
  const listener = await listenStorage(handleStorage);
  const targets = new Targets(settings, storage, signer, { storageUrl: listener.origin });
  const calls = new ToolCalls(settings, storage, targets);
  const resources = new Resources(settings);
  const uploads = new DialectUploads(settings, storage, signer, listener.origin);
  const dialects = { uploads, calls: new DialectCalls(settings, uploads, calls) };
  const removeFiles = (): void => storage.close();
  process.once('exit', removeFiles);
  const record: ReferenceServerRecord = {
    storageUrl: listener.origin,
    received: () => [...calls.received],
    runs: () => [...calls.runs],
    touchResource: (uri, text) => resources.touch(uri, text),
    async close() {
      process.off('exit', removeFiles);
      await listener.close();
      removeFiles();
    },
  };
  const factory = serverFactory(settings, calls, resources, dialects);
  return { factory, handleStorage, events: resources.events, record, unref: () => listener.unref() };
}
