import type { Timeouts } from './attempt-timers.js';
import type { Sha256 } from './digest.js';
import { type CheckedTarget, type HeaderEntry, refused } from './target.js';

/** What one download is made of. */
export interface DownloadRequest {
  /** The file's name, for messages. */
  readonly name: string;
  readonly target: CheckedTarget;
  /** The host's own headers for an `include` target; none for `omit`. */
  readonly credentialHeaders: readonly HeaderEntry[];
  /** Bytes that the server announced. */
  readonly size?: number;
  /** The announced SHA-256, base64url without padding, and what computes it. */
  readonly sha256?: { readonly expected: string; readonly start: () => Sha256 | Promise<Sha256> };
  /** More bytes than this are not taken. */
  readonly maxBytes?: number;
  readonly signal: AbortSignal;
  readonly timeouts: Timeouts;
  /** Milliseconds since the epoch, for `expiresAt`. Default: the clock. */
  readonly now?: () => number;
  /** Where a redirect leads to, if it may be followed. Throws `target_refused`. */
  readonly checkRedirect: (url: string) => CheckedTarget;
  /** The storage says how many bytes the whole file has. */
  readonly onSize: (bytes: number) => void;
  /** So many bytes of the file have arrived. Never decreases. */
  readonly onReceived: (bytesSoFar: number) => void;
}

/** A target is never used after it said it would expire. */
export function throwIfExpired({ target, now = Date.now }: DownloadRequest): void {
  if (target.expiresAt === undefined || !(now() >= target.expiresAt)) return;
  throw refused('expired', `The target at ${target.origin} expired before the file was fetched.`, {
    origin: target.origin,
    expiresAt: new Date(target.expiresAt).toISOString(),
  });
}
