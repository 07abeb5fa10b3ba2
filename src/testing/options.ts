import type { IncomingMessage, ServerResponse } from 'node:http';
import { checkChoices } from './choices.js';
import type { ReferenceDialect } from './dialect-tools.js';

/** The request forms of an upload target. */
export type TransferMode = 'put' | 'post' | 'form';

/** A JSON object of the wire. */
export type Json = { [key: string]: unknown };

/** Options of {@link startReferenceServer}. Every default is that of a well-behaved server. */
export interface ReferenceServerOptions {
  /** TCP port of the MCP endpoint on 127.0.0.1. Default 0: any free port. */
  port?: number;
  /**
   * Largest total decoded size, in bytes, of all inline files of one request, as advertised and enforced. Default 1 MiB.
   * Given as `undefined` it is neither advertised nor enforced.
   */
  maxInlineBytes?: number | undefined;
  /** Which request form targets ask for. Default `auto`: the three in turn over the files of a call, PUT first. */
  mode?: 'auto' | TransferMode;
  /**
   * `url` (default): signed URLs on the storage's own origin, `credentials: 'omit'`. `path`: signed paths under the MCP
   * address, `credentials: 'include'` when `bearer` is set and the client declared it can.
   */
  targets?: 'url' | 'path';
  /** The bearer token that `include` targets demand (401 without it). The MCP endpoint itself stays open. Default none. */
  bearer?: string;
  /** Life of targets and request states in seconds. Default 300. */
  ttlSeconds?: number;
  /**
   * Speaks an earlier dialect instead of the extension, with `save_file` and `save_files` (`base64`: `save_file`) as its
   * tools: `data-uri` (SEP-2356), `file-object` (SEP-2631) and `file-object-older` (its earlier method names),
   * `openai-file-params`, `base64` (`content_base64`, `filename`, `mime_type`). Default: the extension.
   */
  dialect?: ReferenceDialect;
  /** SEP-2631 only: the modes that the tools list and take. Default both. */
  transferModes?: readonly ('inline' | 'upload')[];
  /** SEP-2631 only: refuses an upload without a SHA-256. Default false. */
  requireDigest?: boolean;
  /** Earlier dialects only: `maxSize` of the file arguments, in bytes, as declared and enforced. Default none. */
  maxSize?: number;
  /** Whether the files extension is advertised. Default true, and false with a `dialect`. */
  advertise?: boolean;
  /**
   * When `save_with_confirmation` asks its question: `beside` (default) the upload request, in the same round, or
   * `after` it, in a round of its own.
   */
  elicitation?: 'beside' | 'after';
  /**
   * What the server does with resources. `full` (default): its own ones to list, read and follow, and `resources/create` and
   * `resources/delete` (SEP-2571). `read_only`: without those two. `off`: none of it, and the capability is not advertised.
   *
   * Created resources belong to the client that sent the same `Authorization` header (over stdio: to the only client).
   * Only the owner sees them in the list and may delete them (-32003 for others); they are gone after `metadata.ttl` seconds.
   */
  resources?: 'full' | 'read_only' | 'off';
  /** Bytes that one owner's created resources may have together; above it -32000. Default 16 MiB. */
  resourceQuota?: number;
  /** Who may read a created resource: `anyone` (default) who knows its URI, which cannot be guessed, or its `owner`. */
  resourceReaders?: 'anyone' | 'owner';
  /** Resources on one page of the list. Default 5. */
  resourcePageSize?: number;
  /** Largest JSON body, in bytes, that the MCP endpoint reads; above it HTTP 413. Default 4 MiB, or what inline files need. */
  jsonBodyLimit?: number;
  /** The clock for expiry, in milliseconds since the epoch. Default `Date.now`. */
  now?: () => number;

  /**
   * Changes the upload entry of `inputRequests` before it is sent, to test how a host takes a server that misbehaves:
   * drop a target, name both `url` and `path`, point somewhere else.
   */
  onUploadRequest?: (entry: Json) => Json;
  /**
   * Sees each request to a target after its signature was checked and before its body is read. Return true to have
   * answered it yourself: with a 500, a redirect, half an answer, or none.
   */
  onTransfer?: (
    transfer: { readonly tool: string; readonly pointer: string; readonly mode: TransferMode },
    request: IncomingMessage,
    response: ServerResponse,
  ) => boolean | Promise<boolean>;
  /**
   * The same for requests of returned files, after signature and credential were checked: answer with an error, a
   * redirect, or break off in the middle to see a host go on from there.
   */
  onDownload?: (
    download: { readonly name: string },
    request: IncomingMessage,
    response: ServerResponse,
  ) => boolean | Promise<boolean>;
  /** Changes the tool result before it is sent. */
  onResult?: (result: Json, tool: string) => Json;
}

/** One file that a tool of the reference server was run with. */
export interface ReceivedFile {
  /** JSON Pointer (RFC 6901) into the call's `arguments`. */
  readonly pointer: string;
  readonly tool: string;
  readonly name: string;
  readonly mimeType: string;
  /** Bytes that arrived. */
  readonly size: number;
  /** SHA-256, in hex, of the bytes that arrived, read back from storage. */
  readonly sha256: string;
  /** `link`: fetched from where the host has published it. */
  readonly mode: 'inline' | 'link' | TransferMode;
  /** Forms only: the fields before the file, in the order they arrived. */
  readonly fields?: ReadonlyArray<readonly [name: string, value: string]>;
  /** Headers of the transfer request, names in lower case. Absent for inline files. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The bytes, for files up to 1 MiB. Not enumerable: JSON, IPC and spread copies carry the metadata alone. */
  readonly content?: Uint8Array;
}

/** One time that a tool was run: counts what the draft says happens at most once per call. */
export interface ToolRun {
  readonly tool: string;
  readonly arguments: Readonly<Json>;
}

/** What a running reference server gives away about itself. */
export interface ReferenceServerRecord {
  /** Origin of the storage, for example `http://127.0.0.1:50123`. */
  readonly storageUrl: string;
  /** Files that tools were run with, in the order of the runs and of each call's arguments. */
  received(): ReceivedFile[];
  /** Tool runs in order, calls without files included. */
  runs(): ToolRun[];
  /**
   * Tells subscribers that a resource has changed. Of a created one `text` is the new content; the server's own ones show in
   * their text how often they have changed.
   */
  touchResource(uri: string, text?: string): void;
  /** Stops listening, drops open connections, deletes what was stored. Safe to call twice. */
  close(): Promise<void>;
}

/** A running reference server over Streamable HTTP. */
export interface ReferenceServer extends ReferenceServerRecord, AsyncDisposable {
  /** The MCP endpoint, for example `http://127.0.0.1:50122/mcp`. */
  readonly url: string;
}

export const EXTENSION = 'io.modelcontextprotocol/files';

const MIB = 1024 * 1024;

/** Files up to this many bytes keep their content for {@link ReceivedFile.content}. */
export const KEPT_CONTENT_BYTES = MIB;

export interface Settings {
  readonly port: number;
  readonly maxInlineBytes: number | undefined;
  readonly mode: 'auto' | TransferMode;
  readonly targets: 'url' | 'path';
  readonly bearer: string | undefined;
  readonly ttlSeconds: number;
  readonly dialect: ReferenceDialect | undefined;
  readonly transferModes: readonly ('inline' | 'upload')[];
  readonly requireDigest: boolean;
  readonly maxSize: number | undefined;
  readonly advertise: boolean;
  readonly elicitation: 'beside' | 'after';
  readonly resources: 'full' | 'read_only' | 'off';
  readonly resourceQuota: number;
  readonly resourceReaders: 'anyone' | 'owner';
  readonly resourcePageSize: number;
  readonly jsonBodyLimit: number;
  readonly now: () => number;
  readonly hooks: Pick<ReferenceServerOptions, 'onUploadRequest' | 'onTransfer' | 'onDownload' | 'onResult'>;
}

export function settingsOf(options: ReferenceServerOptions): Settings {
  checkChoices(options);
  const maxInlineBytes = 'maxInlineBytes' in options ? options.maxInlineBytes : MIB;
  return {
    port: options.port ?? 0,
    maxInlineBytes,
    mode: options.mode ?? 'auto',
    targets: options.targets ?? 'url',
    bearer: options.bearer,
    ttlSeconds: options.ttlSeconds ?? 300,
    dialect: options.dialect,
    transferModes: options.transferModes ?? ['inline', 'upload'],
    requireDigest: options.requireDigest ?? false,
    maxSize: options.maxSize,
    advertise: options.advertise ?? options.dialect === undefined,
    elicitation: options.elicitation ?? 'beside',
    resources: options.resources ?? 'full',
    resourceQuota: options.resourceQuota ?? 16 * MIB,
    resourceReaders: options.resourceReaders ?? 'anyone',
    resourcePageSize: options.resourcePageSize ?? 5,
    // Base64 takes four bytes for three.
    jsonBodyLimit: options.jsonBodyLimit ?? Math.max(4 * MIB, Math.ceil((maxInlineBytes ?? 0) / 3) * 4 + MIB),
    now: options.now ?? Date.now,
    hooks: options,
  };
}
