import type { HostHooks } from './call/context.js';
import type { LogEvent } from './call/types.js';
import type { FileRegistry } from './model/index.js';
import { checkOptionKinds } from './option-rules.js';
import { checkPolicy, type TargetPolicyOptions } from './transfer/target-policy.js';
import type { Timeouts } from './transfer/upload.js';

/** For targets behind a private certificate authority or with client certificates; PEM text or DER bytes. */
export interface TlsOptions {
  readonly ca?: string | Uint8Array | readonly (string | Uint8Array)[];
  readonly cert?: string | Uint8Array;
  readonly key?: string | Uint8Array;
  readonly servername?: string;
}

/**
 * Options of a {@link FilesClient}; every one has a default. One of the wrong kind, and an unknown member of `policy`,
 * `timeouts` or `tls`, is a TypeError when the client is made. An unknown option beside these is let pass, since hosts
 * spread objects of their own, and named in a `warning` event to `logger`.
 */
export interface FilesClientOptions extends HostHooks {
  /** The address this client calls: the base of `path` targets. Default: none, and `path` targets are refused. */
  readonly serverUrl?: string;
  /** The server's canonical URI: the origin `include` may go to on a `url` target. Default: `serverUrl`. */
  readonly canonicalUrl?: string;
  /**
   * The most decoded bytes that all inline files of one call may have together. Default: 1 MiB where the server names
   * `maxInlineBytes`, else 64 KiB. On stdio never over 7 MiB: both SDKs close the connection at a line of 10 MiB.
   */
  readonly inlineLimit?: number;
  /** Transfers at once, uploads and downloads together, first come first served. Default: 6. */
  readonly concurrency?: number;
  /** Which targets may be used. Default: public https targets only; see docs/security.md. */
  readonly policy?: TargetPolicyOptions;
  /**
   * Milliseconds, 0 turns one off. `connect` (10,000): until the connection stands. `stall` (120,000): no byte accepted
   * by the socket while sending, none received while fetching. `response` (300,000): from the last byte to the status line.
   */
  readonly timeouts?: Partial<Timeouts>;
  /**
   * Transfers go through this instead of the built-in engine: browsers, msw, special proxies. It resolves names itself, so
   * a name that leads to a private address is not noticed: only literals and names that are private by their form are.
   */
  readonly fetch?: typeof globalThis.fetch;
  /**
   * `'env'` (HTTP_PROXY, HTTPS_PROXY, NO_PROXY) or the proxy's URL. Default: none, whatever the environment says. A proxy
   * resolves names itself, as with `fetch`; routes that NO_PROXY exempts keep the check of the resolved address.
   */
  readonly proxy?: 'env' | (string & {});
  readonly tls?: TlsOptions;
  /** One structured, redacted event for each step. What it throws is ignored. */
  readonly logger?: (event: LogEvent) => void;
  /** Where the files behind handles are kept (docs/model.md). Default: a `memoryRegistry()` of this client's own. */
  readonly registry?: FileRegistry;
  /**
   * Where in the arguments a handle (`mcpfile_…`) is resolved: `'declared'` (default) where the tool declares a file or
   * `describeArguments` names one; `'anywhere'` also as any other whole text of the arguments, for executor tools that pass
   * an inner tool's arguments on. There the file is written as the files extension does.
   */
  readonly resolveHandles?: 'declared' | 'anywhere';
  /**
   * `'registered'`: where a text of the arguments is Markdown, the destination of an image or link that is exactly the name
   * of a registered file becomes a data URI, within the inline limit; of several files of a name the newest counts. Not in
   * code, and nowhere that a tool declares a file. Default `'off'`: texts stay as they are.
   */
  readonly textFiles?: 'off' | 'registered';
  /**
   * When a SHA-256 goes along with a request for an upload (SEP-2631). `'auto'`: for files of at most 1 MiB, which are read
   * in one piece anyway, and where the server asks for it. `'always'`: larger files are read twice. Default: `'auto'`.
   */
  readonly digest?: 'auto' | 'always';
  /** Input rounds that one call may take. Default: 10. */
  readonly maxRounds?: number;
  /**
   * The transport that the client will be connected with, not connected yet. Only needed to see whether a server before
   * protocol 2026-07-28 has `resources/create` and `resources/delete`; for later connections of the same client
   * `resources.watchTransport`. Default: none, and `resources.create` and `delete` are `resource_unsupported` there.
   */
  readonly transport?: object;
}

/**
 * The options as they were given: nothing that somebody put on `Object.prototype` counts as one (a polluted prototype must
 * not choose a proxy), and later changes do not either. Members of a class's own prototype do.
 */
export function givenOptions(options: FilesClientOptions): FilesClientOptions {
  const given = members(options) as { -readonly [K in keyof FilesClientOptions]: FilesClientOptions[K] };
  if (typeof given !== 'object' || given === null) return given;
  if (given.policy !== undefined) given.policy = withoutUndefined(members(given.policy));
  if (given.timeouts !== undefined) given.timeouts = withoutUndefined(members(given.timeouts));
  if (given.tls !== undefined) given.tls = members(given.tls);
  return given;
}

/** The options, each of a kind that can work: a mistake shows when a client is made. Throws TypeError. */
export function checkedOptions(options: FilesClientOptions): FilesClientOptions {
  checkOptionKinds(options);
  checkPolicy(options.policy ?? {});
  return options;
}

function members<T extends object>(from: T): T {
  // What is no object is for the checks to refuse.
  if (typeof from !== 'object' || from === null || Array.isArray(from)) return from;
  const copy = Object.create(null) as Record<string, unknown>;
  for (let owner: object | null = from; owner !== null && owner !== Object.prototype; ) {
    for (const key of Object.getOwnPropertyNames(owner)) {
      if (!(key in copy)) copy[key] = (from as Record<string, unknown>)[key];
    }
    owner = Object.getPrototypeOf(owner) as object | null;
  }
  return copy as T;
}

/** A member that is undefined is one that was not given: the default stands. */
function withoutUndefined<T extends object>(from: T): T {
  if (typeof from !== 'object' || from === null) return from;
  for (const [key, value] of Object.entries(from))
    if (value === undefined) delete (from as Record<string, unknown>)[key];
  return from;
}
