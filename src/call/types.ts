import type { TransferReport } from '../errors/index.js';
import type { FileArgument, Tool } from '../protocol/index.js';
import type { ProgressEvent } from '../transfer/progress.js';
import type { RemoteFile } from './remote-file.js';

/** A tool call; a file may stand at any depth of `arguments`. Copied at entry: later changes do not count. */
export interface ToolCall {
  readonly name: string;
  readonly arguments?: { readonly [key: string]: unknown };
  /** Passed on with every request of the call. */
  readonly _meta?: { readonly [key: string]: unknown };
}

/** Options of one call, all optional. */
export interface CallOptions {
  /** Ends the call in any phase with `aborted`; its reason becomes the error's `cause`. */
  readonly signal?: AbortSignal;
  /** Called as bytes are accepted; an error it throws is logged and otherwise ignored. */
  readonly onProgress?: (progress: ProgressEvent) => void;
  /** The tool's definition, if the host has it at hand; otherwise `tools/list` is read once per connection. */
  readonly tool?: Tool;
  /** Milliseconds for each `tools/call` request; default: the SDK's, and 300,000 for the retry after an upload. */
  readonly timeout?: number;
  /** A progress notification of the server starts the request's time-out again. */
  readonly resetTimeoutOnProgress?: boolean;
  /** Whose handles the arguments may name: a conversation, an owner. Default: only handles added without a scope. */
  readonly scope?: string;
}

/** A content item of a tool result, as the server sent it. */
export type ContentItem = { type: string; [key: string]: unknown };

/** The server's tool result without the extension's own `_meta` entry, and what became of the files. */
export interface FilesToolResult {
  content: ContentItem[];
  structuredContent?: { [key: string]: unknown };
  /** The tool ran and says it failed: a result, not an exception. */
  isError?: boolean;
  _meta?: { [key: string]: unknown };
  [key: string]: unknown;
  /**
   * Every file that the result holds or names, each once: the extension's own list, then `content`, then
   * `structuredContent`, as they are met (docs/downloads.md).
   */
  files: RemoteFile[];
  /** One report per file sent, in the order of the arguments. */
  transfers: TransferReport[];
}

/** What `approve` is asked about: one file and one destination. */
export interface PlannedTransfer {
  readonly callId: string;
  /** `serverUrl`, or the name the server gave itself. */
  readonly server?: string;
  readonly tool: string;
  /** JSON Pointer (RFC 6901) into `arguments`. */
  readonly pointer: string;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly type: string;
  /** `inline`: in the MCP message; `target`: an HTTP request to `origin`; `publisher`: the host's own `publish`. */
  readonly via: 'inline' | 'target' | 'publisher';
  /** Scheme, host and port of the target. */
  readonly origin?: string;
  /** Path of the target without its query. */
  readonly path?: string;
  readonly method?: 'PUT' | 'POST';
  readonly credentials?: 'omit' | 'include';
  /** The file's name, type and size have already gone to the server: saying no now keeps its bytes only. */
  readonly announced: boolean;
}

/** A question that the server asks beside or between uploads: elicitation, sampling or roots. */
export interface InputRequestForHost {
  readonly key: string;
  readonly method: string;
  readonly params: { readonly [key: string]: unknown } | undefined;
}

/** One step of a call, for `logger`. Holds no query string, header value, credential, form value or file byte. */
export interface LogEvent {
  readonly type: string;
  readonly callId?: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly [key: string]: unknown;
}

/** A tool's definition with the file arguments it declares. */
export type FileTool = Tool & { readonly fileArguments: FileArgument[] };
