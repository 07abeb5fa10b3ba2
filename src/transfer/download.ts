import { attemptDownload, Interrupted, type Progress } from './download-attempt.js';
import { digestMismatch, sizeMismatch } from './download-failure.js';
import type { DownloadRequest } from './download-request.js';
import type { TransferEngine } from './engine.js';
import { backOff } from './resend.js';

export { isWorthAnew } from './download-failure.js';
export type { DownloadRequest } from './download-request.js';

/** In a row that bring nothing, beyond the first; and over the whole download. */
const MORE_TRIES = 2;
const MOST_TRIES = 9;

/**
 * Fetches one file, piece by piece. The end is only reached when size and digest are what was announced: whoever needs a
 * verified file must have seen the end. Nothing is open before the first piece is asked for, and nothing after the end,
 * an error or `return()`.
 *
 * A download that is interrupted goes on from where it was if that is safe: an `omit` target, and a file that can be told
 * from any other, by a strong validator of the storage (RFC 9110, 13.1.5 and 14) or by the SHA-256 that was announced.
 * Where it is not, the error {@link isWorthAnew}.
 *
 * @throws {FilesError} `download_failed`, `download_too_large`, `size_mismatch`, `digest_mismatch`, `target_refused`,
 *   `aborted`
 * @throws {TransferError} `transfer_stalled`, `transfer_timeout`
 */
export async function* download(engine: TransferEngine, request: DownloadRequest): AsyncGenerator<Uint8Array> {
  const { size, sha256, signal } = request;
  const hash = await sha256?.start();
  const progress: Progress = { received: 0, etag: undefined, isWhole: false };
  let fruitless = 0;
  for (let tries = 1; ; tries++) {
    const before = progress.received;
    try {
      for await (const piece of attemptDownload(engine, request, progress)) {
        hash?.update(piece);
        yield piece;
      }
      break;
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      fruitless = progress.received > before ? 0 : fruitless + 1;
      if (fruitless > MORE_TRIES || tries === MOST_TRIES) throw error.failure;
    }
    await backOff(Math.max(0, fruitless - 1), signal);
  }
  if (size !== undefined && progress.received !== size) throw sizeMismatch(request, size, progress.received);
  if (hash !== undefined && (await hash.digest()) !== sha256?.expected) throw digestMismatch(request);
}
