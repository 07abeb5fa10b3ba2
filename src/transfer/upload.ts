import { FilesError } from '../errors/index.js';
import type { TransferEngine } from './engine.js';
import { backOff } from './resend.js';
import { attemptUpload, NothingSent } from './upload-attempt.js';
import type { UploadRequest } from './upload-request.js';

export { DEFAULT_TIMEOUTS, type Timeouts } from './attempt-timers.js';
export type { UploadRequest } from './upload-request.js';

export interface UploadReceipt {
  /** The 2xx it was answered with. */
  readonly status: number;
  /** Bytes of the file. */
  readonly bytes: number;
  /** From the call to the answer, tries and waits included. */
  readonly milliseconds: number;
}

/** Beyond the first. Targets may be one-write, so it happens only where nothing can have been processed. */
const MORE_TRIES = 2;

/**
 * Sends one file to one target, and is over only when everything is closed again.
 *
 * @throws {TransferError} with exactly one failure: `transfer_failed`, `transfer_stalled`, `transfer_timeout`
 * @throws {FilesError} `file_changed`, `file_unreadable`, `argument_invalid` (a type that is none, for a form),
 *   `target_refused` (`expired`, or `private_address` from the address guard), `aborted`
 */
export async function upload(engine: TransferEngine, request: UploadRequest): Promise<UploadReceipt> {
  const start = performance.now();
  for (let tries = 0; ; tries++) {
    try {
      const status = await attemptUpload(engine, request);
      return { status, bytes: request.file.size, milliseconds: Math.round(performance.now() - start) };
    } catch (error) {
      if (!(error instanceof NothingSent)) throw withPointer(error, request);
      if (tries === MORE_TRIES) throw error.failure;
    }
    await backOff(tries, request.signal).catch(error => {
      throw withPointer(error, request);
    });
  }
}

function withPointer(error: unknown, { pointer }: UploadRequest): unknown {
  return error instanceof FilesError && error.pointer === undefined ? error.with({ pointer }) : error;
}
