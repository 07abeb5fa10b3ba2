import { callTool } from './call/call-tool.js';
import type { CallContext } from './call/context.js';
import {
  checkDownloadOptions,
  type DownloadedFile,
  type DownloadOptions,
  type OpenDownload,
  openDownload,
  readable,
} from './call/download.js';
import { namedByHost, type RemoteFileFacts } from './call/host-file.js';
import { Operations } from './call/operations.js';
import { type RemoteFile, ReturnedFiles } from './call/remote-file.js';
import { CALL_OPTIONS, givenFor, REQUEST_OPTIONS } from './call/request-options.js';
import { ToolCatalog } from './call/tool-catalog.js';
import type { CallOptions, FilesToolResult, FileTool, LogEvent, ToolCall } from './call/types.js';
import { checkedOptions, type FilesClientOptions, givenOptions } from './client-options.js';
import { type McpClientLike, type McpPort, portFor } from './connection/index.js';
import { FilesError, orAborted, redact, throwIfAborted } from './errors/index.js';
import { type FileRegistry, memoryRegistry } from './model/index.js';
import { OPTIONS } from './option-rules.js';
import {
  clientCapability,
  DIALECTS,
  FILES_EXTENSION,
  olderCapabilities,
  readServerCapability,
} from './protocol/index.js';
import { ResourcesClient } from './resources/index.js';
import type { TransferEngine } from './transfer/engine.js';
import { createLimiter } from './transfer/limiter.js';
import type { TargetContext } from './transfer/target-policy.js';
import { DEFAULT_TIMEOUTS, type Timeouts } from './transfer/upload.js';

/** What the connected server supports. */
export interface ServerFileCapabilities {
  /** The server advertises the files extension. */
  readonly extension: boolean;
  /** Largest total of inline bytes in one request, if the server named one. */
  readonly maxInlineBytes?: number;
  readonly era: 'modern' | 'legacy';
  readonly sdk: 'v1' | 'v2';
}

/** The part that differs between Node and browsers. @internal */
export interface Platform extends Pick<CallContext, 'sha256' | 'spool'>, Partial<Pick<CallContext, 'dialects'>> {
  createEngine(options: FilesClientOptions, target: TargetContext, timeouts: Timeouts): Promise<TransferEngine>;
}

/** Options of `listTools`. */
export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds for each request; default: the SDK's. */
  readonly timeout?: number;
}

const DEFAULT_CONCURRENCY = 6;
const DEFAULT_MAX_ROUNDS = 10;

/**
 * Sends files into the tools of one MCP client. Make it before the client connects, so that the extension is declared;
 * it holds no file and writes nothing to disk.
 */
export class PortableFilesClient implements AsyncDisposable {
  /** Files behind handles, which the model passes in place of them. */
  readonly registry: FileRegistry;
  /** The server's resources: to create, delete, list, read and follow. */
  readonly resources: ResourcesClient;
  readonly #port: McpPort;
  readonly #tools: ToolCatalog;
  readonly #context: CallContext;
  readonly #options: FilesClientOptions;
  readonly #operations = new Operations();
  #engine: Promise<TransferEngine> | undefined;
  #calls = 0;

  /** @internal */
  protected constructor(client: McpClientLike, hooks: FilesClientOptions, platform: Platform) {
    const options = checkedOptions(givenOptions(hooks));
    const timeouts: Timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
    this.#options = options;
    this.registry = options.registry ?? memoryRegistry();
    this.#port = portFor(client);
    this.#tools = new ToolCatalog(this.#port);
    const targetContext: TargetContext = {
      ...(options.serverUrl === undefined ? {} : { serverUrl: options.serverUrl }),
      ...(options.canonicalUrl === undefined ? {} : { canonicalUrl: options.canonicalUrl }),
      policy: options.policy ?? {},
      engineKind: options.fetch === undefined ? 'built-in' : 'fetch',
      proxied: options.proxy !== undefined,
      hasCredentials: options.credentials !== undefined,
      now: Date.now,
    };
    this.#context = {
      port: this.#port,
      hooks,
      targetContext,
      timeouts,
      inlineLimit: options.inlineLimit,
      digest: options.digest ?? 'auto',
      dialects: platform.dialects ?? DIALECTS,
      maxRounds: options.maxRounds ?? DEFAULT_MAX_ROUNDS,
      engine: () => (this.#engine ??= platform.createEngine(options, targetContext, timeouts)),
      limit: createLimiter(options.concurrency ?? DEFAULT_CONCURRENCY),
      findTool: (name, signal) => this.#tools.find(name, signal),
      knownTool: name => this.#tools.known(name),
      registry: this.registry,
      resolveHandles: options.resolveHandles ?? 'declared',
      textFiles: options.textFiles ?? 'off',
      returned: new ReturnedFiles(),
      sha256: platform.sha256,
      spool: platform.spool,
      log: options.logger && (event => this.#log(event)),
    };
    this.resources = new ResourcesClient({
      context: this.#context,
      requireConnected: () => this.#requireConnected(),
      operations: this.#operations,
    });
    if (options.transport !== undefined) this.resources.watchTransport(options.transport);
    const declared = this.#port.declareCapabilities({
      extensions: { [FILES_EXTENSION]: clientCapability({ include: options.credentials !== undefined }) },
      ...olderCapabilities(),
    });
    givenFor('FilesClient', options, OPTIONS, this.#context.log);
    if (!declared) {
      this.#log({
        type: 'warning',
        message: 'The client was connected before FilesClient was made: the server may not see the files extension.',
      });
    }
  }

  /** What the connected server supports. Throws `not_connected` before connect. */
  get capabilities(): ServerFileCapabilities {
    this.#requireConnected();
    const { advertised, maxInlineBytes } = readServerCapability(this.#port.serverExtensions(), () => {});
    return {
      extension: advertised,
      ...(maxInlineBytes === undefined ? {} : { maxInlineBytes }),
      era: this.#port.era,
      sdk: this.#port.sdk,
    };
  }

  /** Every page of `tools/list`, each tool with the file arguments it declares. Fills the cache anew. */
  async listTools(options: RequestOptions = {}): Promise<FileTool[]> {
    const given = givenFor('listTools', options, REQUEST_OPTIONS, this.#context.log);
    return this.#operations.run(given, async signal => {
      throwIfAborted(signal);
      this.#requireConnected();
      return await orAborted(this.#tools.refresh(signal, given.timeout), signal);
    });
  }

  /**
   * Calls a tool with files anywhere in its arguments: checks them against the tool's declarations, sends them inline or
   * straight to storage, and repeats `tools/call` once they have arrived. A call without files goes through the SDK's
   * own `callTool`.
   *
   * Throws {@link FilesError} with `code` and `outcome`; an error that the server itself raised is rethrown as the SDK's
   * own object. A result with `isError: true` is returned.
   */
  async callToolWithFiles(call: ToolCall, options: CallOptions = {}): Promise<FilesToolResult> {
    const callId = `call-${++this.#calls}`;
    const given = givenFor('callToolWithFiles', options, CALL_OPTIONS, this.#context.log);
    return this.#operations.run(given, async signal => {
      // What is no call at all is refused below.
      this.#requireConnected(call?.name);
      return callTool(callId, call, given, this.#context, signal);
    });
  }

  /**
   * Makes a file that a tool returned readable: `bytes()` and `stream()` fetch it, anew each time, within `concurrency`.
   * Nothing is fetched before, so a file that is never read costs nothing; whether the storage still has it shows when it
   * is read.
   *
   * Throws {@link FilesError}, always with the outcome `completed`: `argument_invalid` for a file of another client,
   * `target_refused`, `download_too_large`, `aborted`; and when it is read also `download_failed`, `transfer_stalled`,
   * `transfer_timeout`, `size_mismatch`, `digest_mismatch`.
   */
  async download(file: RemoteFile, options: DownloadOptions = {}): Promise<DownloadedFile> {
    checkDownloadOptions(options);
    return readable(await this.openDownload(file, options));
  }

  /**
   * A file that the server has under a URI, for `download()` or as an argument of a call: a resource (read with
   * `resources/read`), a SEP-2631 file (asked for with `files/authorizeDownload`), or an `https:` address (fetched under
   * `policy`, without a credential). Nothing is asked before it is read. `name` is cleaned; default: the end of the URI's
   * path. `size` (bytes), where given, is verified.
   *
   * Throws `argument_invalid` for what is no URI.
   */
  remoteFile(uri: string, facts: RemoteFileFacts = {}): RemoteFile {
    return this.#context.returned.add(...namedByHost(uri, facts));
  }

  /** @internal */
  protected openDownload(file: RemoteFile, options: DownloadOptions): Promise<OpenDownload> {
    return openDownload(file, options, this.#context, this.#operations);
  }

  /** Aborts what is in flight, waits until nothing of it is left, and closes the connections. Safe to call twice. */
  async close(): Promise<void> {
    await this.#operations.close();
    this.#tools.close();
    await this.resources.close();
    const engine = this.#engine;
    this.#engine = undefined;
    await (await engine?.catch(() => undefined))?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #requireConnected(tool?: string): void {
    if (this.#port.connected) return;
    throw new FilesError('not_connected', 'The MCP client is not connected.', tool === undefined ? {} : { tool });
  }

  #log(event: Omit<LogEvent, 'time'>): void {
    try {
      const logged: unknown = this.#options.logger?.(redact({ ...event, time: Date.now() } as LogEvent));
      if (logged instanceof Promise) logged.catch(() => {});
    } catch {
      // A logger that fails must not end a transfer.
    }
  }
}
