import { FilesError, isFilesError, safeCause, TransferError } from '../errors/index.js';
import { EngineError, type EngineFailure } from './engine.js';
import type { UploadRequest } from './upload-request.js';

/** `reason` of a failed upload: stable words for hosts to switch on. */
export type UploadFailure =
  | EngineFailure
  /** Any status but a success; `status` and perhaps `serviceCode` say more. */
  | 'http_status'
  /** 202 to one part of an upload session: the storage waits for more. */
  | 'incomplete'
  /** A success status for a file that the storage never had the whole of. */
  | 'answered_early'
  | 'stalled'
  | 'response_timeout'
  | 'engine_failed';

const TEXTS: Readonly<Record<UploadFailure, string>> = {
  connection_refused: 'the connection was refused',
  name_not_resolved: 'the host name could not be resolved',
  tls_failed: 'no TLS connection could be made',
  connect_timeout: 'no connection was made in time',
  connection_failed: 'no connection could be made',
  connection_lost: 'the connection was lost before an answer came',
  unsolicited_100_continue: 'the storage sent 100 Continue, which was not asked for',
  answer_malformed: 'the answer is not valid HTTP',
  request_invalid: 'the request cannot be sent as HTTP',
  redirected: 'the storage redirected the upload, which is never followed',
  fetch_failed: 'fetch gave no answer; in a browser, CORS may have hidden one',
  stream_needs_built_in_engine: 'fetch cannot send a stream of this size; the built-in engine can',
  http_status: 'the storage refused it',
  incomplete: 'the storage waits for more of an upload session',
  answered_early: 'the storage answered success, and took no more of the file',
  stalled: 'nothing moved within the stall limit',
  response_timeout: 'no answer came within the response limit',
  engine_failed: 'the HTTP engine failed',
};

const CODES: Partial<Record<UploadFailure, 'transfer_stalled' | 'transfer_timeout'>> = {
  stalled: 'transfer_stalled',
  response_timeout: 'transfer_timeout',
  connect_timeout: 'transfer_timeout',
};

interface Answered {
  readonly status?: number;
  readonly serviceCode?: string | undefined;
  readonly cause?: unknown;
}

/** The error of one transfer. Names the file and the origin; path, headers and the answer's text stay out. */
export function uploadFailed(request: UploadRequest, reason: UploadFailure, answered: Answered = {}): TransferError {
  const { pointer, target, file } = request;
  const { status, serviceCode, cause } = answered;
  const told = [status && `status ${status}`, serviceCode].filter(Boolean).join(' ');
  const message = `Sending "${file.name}" to ${target.origin} failed: ${TEXTS[reason]}${told && ` (${told})`}.`;
  const failure = {
    pointer,
    ...(status !== undefined && { status }),
    ...(serviceCode !== undefined && { serviceCode }),
    reason,
  };
  return new TransferError(CODES[reason] ?? 'transfer_failed', message, [failure], {
    pointer,
    ...(cause !== undefined && { cause }),
  });
}

/** What the engine or the body threw, as one of the errors that `upload` may throw. */
export function asUploadError(request: UploadRequest, error: unknown, fromBody: boolean): FilesError {
  if (isFilesError(error)) return error.pointer === undefined ? error.with({ pointer: request.pointer }) : error;
  if (fromBody) {
    return new FilesError('file_unreadable', `The file "${request.file.name}" could not be read.`, {
      pointer: request.pointer,
      cause: safeCause(error),
    });
  }
  if (error instanceof EngineError) return uploadFailed(request, error.reason, { cause: error.cause });
  return uploadFailed(request, 'engine_failed', { cause: safeCause(error) });
}
