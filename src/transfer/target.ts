/** One request header, in the order given. */
export type HeaderEntry = readonly [name: string, value: string];

/** Where and how one file is to be sent, as the server said it; nothing in it is trusted yet. */
export interface TransferTarget {
  /** Absolute URL, exactly as received. Exactly one of `url` and `path` is set. */
  readonly url?: string;
  /** Path under the MCP endpoint, exactly as received. */
  readonly path?: string;
  /** Upper-case HTTP method as the server named it. */
  readonly method: string;
  readonly headers: readonly HeaderEntry[];
  readonly credentials: 'omit' | 'include';
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number;
  readonly form?: { readonly fields: readonly HeaderEntry[]; readonly fileField: string };
}

/** A target the policy let through, split into what goes to the wire and what may be shown. */
export interface CheckedTarget {
  readonly via: 'url' | 'path';
  readonly method: 'PUT' | 'POST' | 'GET';
  /** Scheme, host and port: safe to show. */
  readonly origin: string;
  /** Host name or address without brackets, lower-case, as WHATWG URL normalised it. */
  readonly hostname: string;
  /** Path without the query: safe to show. */
  readonly shownPath: string;
  /** Path and query exactly as given. Secret: signed URLs carry their credential here. */
  readonly requestPath: string;
  /** The target's own headers, checked; never the host's credential. */
  readonly headers: readonly HeaderEntry[];
  readonly credentials: 'omit' | 'include';
  readonly expiresAt?: number;
  readonly form?: { readonly fields: readonly HeaderEntry[]; readonly fileField: string };
}
