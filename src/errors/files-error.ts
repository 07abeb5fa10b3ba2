import { redact, redactText, safeCause } from './redaction.js';

/**
 * What is known about the tool when an error is thrown.
 *
 * - `not_run`: nothing was sent that could have run the tool.
 * - `unknown`: a request that could run the tool was sent, and no tool result was read.
 * - `completed`: the tool result was read; what failed came after it.
 *
 * It is derived from the phase the call was in, never from the error's code.
 */
export type Outcome = 'not_run' | 'unknown' | 'completed';

/** Every `code` a {@link FilesError} can carry. Stable: safe to switch on. */
export type FilesErrorCode =
  | 'not_connected'
  | 'extension_unsupported'
  | 'argument_invalid'
  | 'file_unreadable'
  | 'file_changed'
  | 'file_too_large'
  | 'file_type_not_accepted'
  | 'approval_denied'
  | 'input_unsupported'
  | 'server_violation'
  | 'target_refused'
  | 'transfer_failed'
  | 'transfer_stalled'
  | 'transfer_timeout'
  | 'outcome_unknown'
  | 'too_many_rounds'
  | 'output_invalid'
  | 'aborted'
  | 'download_failed'
  | 'size_mismatch'
  | 'digest_mismatch'
  | 'download_too_large'
  | 'destination_exists'
  | 'resource_unsupported'
  | 'resource_rejected'
  | 'resource_storage_failed'
  | 'resource_not_found'
  | 'resource_forbidden';

/** How one file of a call travelled. Holds no query string, header value, credential or file byte. */
export interface TransferReport {
  /** JSON Pointer (RFC 6901) of the file inside `arguments`. */
  readonly pointer: string;
  /** The name the server was told. */
  readonly name: string;
  /** Decoded size in bytes. */
  readonly size: number;
  readonly mode: 'inline' | 'put' | 'post' | 'form' | 'data-uri' | 'authorized' | 'link';
  /** Which protocol the argument spoke, as in `FileArgument.dialect`. */
  readonly dialect: string;
  /** Why this way was chosen, for people. */
  readonly reason: string;
  /** Scheme, host and port the bytes went to; absent for inline files. */
  readonly origin?: string;
  /** HTTP status of the transfer; absent for inline files. */
  readonly status?: number;
  /** Bytes of the file that arrived. */
  readonly bytes: number;
  /** Wall-clock time of the transfer in milliseconds. */
  readonly milliseconds: number;
}

/** What a {@link FilesError} carries beside its code and message. */
export interface FilesErrorFields {
  outcome?: Outcome;
  tool?: string;
  pointer?: string;
  details?: Readonly<Record<string, unknown>>;
  transfers?: readonly TransferReport[];
  /** Anything: only class and code are kept of it, save the reason of an AbortSignal in `aborted`. */
  cause?: unknown;
}

const BRAND = Symbol.for('mcp-files-client.error');

/**
 * The one error type of this library: a stable `code`, the `outcome` for the tool, and data instead of prose.
 * Messages are for people and never contain a query string, a header value, a credential, a form value or a file byte:
 * message, `details` and `cause` pass through `redaction.ts` here.
 */
export class FilesError extends Error {
  readonly code: FilesErrorCode;
  readonly outcome: Outcome;
  /** The tool that was called. */
  declare readonly tool?: string;
  /** JSON Pointer (RFC 6901) into `arguments` of the file concerned. */
  declare readonly pointer?: string;
  declare readonly details?: Readonly<Record<string, unknown>>;
  /** What had arrived when the call ended. */
  declare readonly transfers?: readonly TransferReport[];

  constructor(code: FilesErrorCode, message: string, fields: FilesErrorFields = {}) {
    // The reason a caller gave its own AbortSignal is the caller's, and comes back untouched.
    const { cause } = fields;
    super(
      redactText(message),
      cause === undefined ? undefined : { cause: code === 'aborted' ? cause : safeCause(cause) },
    );
    this.code = code;
    this.outcome = fields.outcome ?? 'not_run';
    if (fields.tool !== undefined) this.tool = fields.tool;
    if (fields.pointer !== undefined) this.pointer = fields.pointer;
    if (fields.details !== undefined) this.details = redact(fields.details);
    if (fields.transfers !== undefined) this.transfers = fields.transfers;
    Object.defineProperty(this, BRAND, { value: true });
  }

  static {
    Object.defineProperty(FilesError.prototype, 'name', { value: 'FilesError' });
  }

  /** Adds what the layer that threw could not know. The error stays the same object: class, stack and cause are kept. */
  with(context: Pick<FilesErrorFields, 'outcome' | 'tool' | 'pointer' | 'transfers'>): this {
    for (const [key, value] of Object.entries(context)) {
      if (value !== undefined) Object.defineProperty(this, key, { value, enumerable: true, configurable: true });
    }
    return this;
  }
}

/** The error with the place of the file that it is about, unless it names one; what is not of this library stays as it is. */
export function atPointer(error: unknown, pointer: string): unknown {
  return isFilesError(error) && error.pointer === undefined ? error.with({ pointer }) : error;
}

/** Is this an error of this library? Works across duplicate copies of the package, unlike `instanceof`. */
export function isFilesError(error: unknown): error is FilesError {
  return typeof error === 'object' && error !== null && (error as Record<symbol, unknown>)[BRAND] === true;
}
