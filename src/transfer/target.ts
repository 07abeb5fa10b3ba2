import { FilesError } from '../errors/index.js';

/** One request header, in the order given. */
export type HeaderEntry = readonly [name: string, value: string];

/** A form around a file: the fields in the order given, then the file. */
export interface TargetForm {
  readonly fields: readonly HeaderEntry[];
  readonly fileField: string;
}

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
  readonly form?: TargetForm;
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
  /**
   * The target's own headers, checked; never the host's credential. A `Content-Length` among them is compared only by
   * `wireHeaders`, which knows the body.
   */
  readonly headers: readonly HeaderEntry[];
  readonly credentials: 'omit' | 'include';
  readonly expiresAt?: number;
  readonly form?: TargetForm;
}

/** Which targets may be used. Every member has a strict default. */
export interface TargetPolicyOptions {
  /**
   * Plain http. `'auto'` (default): to any loopback port, only where `serverUrl` itself is http on loopback;
   * `'loopback'`: to loopback for any server; `'never'`.
   */
  readonly allowHttp?: 'auto' | 'loopback' | 'never';
  /**
   * Addresses that are not public. `false` (default): none. `true`: RFC 1918, unique local (RFC 4193) and loopback. A
   * list: CIDRs, single addresses, and host patterns whose addresses of those three kinds are allowed. Link-local,
   * metadata, unspecified, multicast and broadcast addresses only where a CIDR no wider than their own range is listed.
   */
  readonly allowPrivateNetwork?: boolean | readonly string[];
  /**
   * Exact host names or `*.example.com` (any depth, not `example.com` itself). Once set nothing else is allowed but the
   * server's own origin. Never lifts the address check.
   */
  readonly allowHosts?: readonly string[];
  /** Patterns as in `allowHosts`; beats everything, the server's own origin included. */
  readonly denyHosts?: readonly string[];
  /** What `path` targets count from: the MCP endpoint (default) or its origin's root. */
  readonly pathScope?: 'endpoint' | 'origin';
  /**
   * Which URLs an `include` target may name: any of the server's origin (default), those under its MCP endpoint, or
   * what the function says (a throw is a no). The function sees the whole URL, query included.
   */
  readonly includeScope?: 'origin' | 'endpoint' | ((url: string, method: string) => boolean);
}

/** What a target is judged by. */
export interface TargetContext {
  readonly serverUrl?: string;
  /** Default: `serverUrl`. */
  readonly canonicalUrl?: string;
  readonly policy: TargetPolicyOptions;
  readonly engineKind: 'built-in' | 'fetch';
  /** A proxy is in use: names are resolved elsewhere. */
  readonly proxied: boolean;
  /** The host gave a `credentials` hook. */
  readonly hasCredentials: boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** `upload` (default) takes PUT and POST, `download` takes GET. */
  readonly direction?: 'upload' | 'download';
}

/** `details.reason` of a `target_refused`. */
export type RefusalReason =
  | 'insecure_scheme'
  | 'private_address'
  | 'host_denied'
  | 'userinfo'
  | 'url_malformed'
  | 'url_not_verbatim'
  | 'credentials_scope'
  | 'path_escape'
  | 'header_forbidden'
  | 'expired'
  | 'method_unsupported'
  | 'no_server_url';

/** The error of a refused target. What is shown of the target must be free of secrets: an origin, a header's name. */
export function refused(
  reason: RefusalReason,
  message: string,
  shown: Readonly<Record<string, unknown>> = {},
  cause?: Error,
): FilesError {
  return new FilesError('target_refused', message, { details: { reason, ...shown }, cause });
}

/** Keeps the query, the headers and the form of a target out of `JSON.stringify`, `console.log` and `util.inspect`. */
export function redacted(target: CheckedTarget): CheckedTarget {
  const { via, method, origin, shownPath, credentials } = target;
  const show = { value: () => ({ via, method, origin, shownPath, credentials }) };
  return Object.defineProperties(target, { toJSON: show, [Symbol.for('nodejs.util.inspect.custom')]: show });
}
