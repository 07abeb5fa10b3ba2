import { FilesError } from '../errors/index.js';
import type { PlannedFile } from '../source/file-source.js';
import type { Timeouts } from './attempt-timers.js';
import type { CheckedTarget, HeaderEntry } from './target.js';

/** What one upload is made of. */
export interface UploadRequest {
  /** JSON Pointer into `arguments`: the label of failures. */
  readonly pointer: string;
  readonly target: CheckedTarget;
  readonly file: PlannedFile;
  /** The host's own headers for an `include` target; none for `omit`. */
  readonly credentialHeaders: readonly HeaderEntry[];
  readonly signal: AbortSignal;
  readonly timeouts: Timeouts;
  /** Milliseconds since the epoch, for `expiresAt`. Default: the clock. */
  readonly now?: () => number;
  /** So many bytes of the file were taken by the socket. A retry may start again at 0. */
  readonly onSent: (fileBytesSoFar: number) => void;
}

/** A target is never used after it said it would expire: what it signs may be gone, or someone else's by then. */
export function throwIfExpired({ target, pointer, now = Date.now }: UploadRequest): void {
  if (target.expiresAt === undefined || !(now() >= target.expiresAt)) return;
  const at = new Date(target.expiresAt).toISOString();
  throw new FilesError('target_refused', `The target at ${target.origin} expired at ${at}, before the file was sent.`, {
    pointer,
    details: { reason: 'expired', expiresAt: at },
  });
}
