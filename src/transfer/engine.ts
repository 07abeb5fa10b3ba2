import type { HeaderEntry } from './target.js';

/** A request body of known length, made anew for each attempt. */
export interface RequestBody {
  /** Exact length in bytes; goes to the wire as Content-Length. */
  readonly length: number;
  /** Set for forms only: the type with its boundary. Raw bodies send the target's own Content-Type or none. */
  readonly contentType?: string;
  /** True where `blob()` has to collect a stream in memory. */
  readonly isStream?: boolean;
  /** In order. A chunk is the engine's until it asks for the next, so it asks when the last is written to its end. */
  chunks(signal: AbortSignal): AsyncIterable<Uint8Array>;
  blob(signal: AbortSignal): Promise<Blob>;
}

export interface EngineRequest {
  readonly method: 'PUT' | 'POST' | 'GET';
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path and query exactly as they must reach the wire. */
  readonly path: string;
  readonly headers: readonly HeaderEntry[];
  readonly body?: RequestBody;
  /** Ends the exchange at any moment, also while the answer's body is read. */
  readonly signal: AbortSignal;
}

export interface EngineResponse {
  readonly status: number;
  header(name: string): string | undefined;
  /** The answer's body; must be consumed or discarded by the caller. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Lets go of the body and, if it was not read to its end, of the connection. Safe to call twice; never throws. */
  discard(): Promise<void>;
}

/** The whole seam between this library and an HTTP client. Redirects are never followed by an engine. */
export interface TransferEngine {
  /** `fetch` cannot send every URL as given and resolves names elsewhere; the policy is stricter there. */
  readonly kind: 'built-in' | 'fetch';
  /**
   * Resolves with the answer's status and headers, which may be before the whole body was sent. Rejects with an
   * {@link EngineError}, with what the body or the address guard threw, or, when aborted, with anything; in each case
   * after the connection is closed.
   */
  send(request: EngineRequest): Promise<EngineResponse>;
  /** Ends what is in flight and closes every connection. */
  close(): Promise<void>;
}

/** Why there was no answer: stable words, shown to hosts as `reason` of a failure. */
export type EngineFailure =
  | 'connection_refused'
  | 'name_not_resolved'
  | 'tls_failed'
  | 'connect_timeout'
  | 'connection_failed'
  | 'connection_lost'
  | 'unsolicited_100_continue'
  | 'answer_malformed'
  | 'request_invalid'
  | 'redirected'
  | 'fetch_failed'
  | 'stream_needs_built_in_engine';

/** No answer came. Carries nothing of the request, and of the HTTP client's own error only its class and code. */
export class EngineError extends Error {
  readonly reason: EngineFailure;
  /** True where it failed before the request began: no byte of it can have been processed. */
  readonly beforeRequest: boolean;

  constructor(reason: EngineFailure, fields: { beforeRequest: boolean; cause?: Error }) {
    super(reason, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.reason = reason;
    this.beforeRequest = fields.beforeRequest;
  }

  static {
    Object.defineProperty(EngineError.prototype, 'name', { value: 'EngineError' });
  }
}
