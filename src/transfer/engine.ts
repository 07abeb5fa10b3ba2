import type { HeaderEntry } from './target.js';

/** A request body of known length, made anew for each attempt. */
export interface RequestBody {
  /** Exact length in bytes; goes to the wire as Content-Length. */
  readonly length: number;
  /** Set for forms only: the type with its boundary. Raw bodies send the target's own Content-Type or none. */
  readonly contentType?: string;
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
  readonly signal: AbortSignal;
}

export interface EngineResponse {
  readonly status: number;
  header(name: string): string | undefined;
  /** The answer's body; must be consumed or discarded by the caller. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Lets go of the body and, if it was not read to its end, of the connection. */
  discard(): Promise<void>;
}

/** The whole seam between this library and an HTTP client. Redirects are never followed by an engine. */
export interface TransferEngine {
  /** `fetch` cannot send every URL as given and resolves names elsewhere; the policy is stricter there. */
  readonly kind: 'built-in' | 'fetch';
  send(request: EngineRequest): Promise<EngineResponse>;
  close(): Promise<void>;
}
