import { FilesError, isFilesError, shownPath, TransferError } from '../errors/index.js';
import { EngineError, type EngineFailure } from './engine.js';
import type { CheckedTarget } from './target.js';
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

/** What happened, and what can be done about it, if anything can. */
const TEXTS: Readonly<Record<UploadFailure, readonly [what: string, advice?: string]>> = {
  connection_refused: [
    'the connection was refused',
    'Nothing listens there: the address is wrong or the storage is down.',
  ],
  name_not_resolved: ['the host name could not be resolved', 'Look at the network, or whether a proxy is needed.'],
  tls_failed: ['no TLS connection could be made', 'A private certificate authority is given by the option tls.'],
  connect_timeout: ['no connection was made in time', 'Look at the network; timeouts.connect is how long is waited.'],
  connection_failed: ['no connection could be made', 'Look at the network, and at the options proxy and tls.'],
  connection_lost: ['the connection was lost before an answer came', 'Whether the storage has the file is not known.'],
  unsolicited_100_continue: [
    'the storage sent 100 Continue, which was not asked for',
    'The storage, or a proxy before it, is at fault.',
  ],
  answer_malformed: ['the answer is not valid HTTP', 'The storage, or a proxy before it, is at fault.'],
  request_invalid: ['the request cannot be sent as HTTP', "The target's path or headers are at fault."],
  redirected: [
    'the storage redirected the upload, which is never followed',
    'The server has to name the address that takes the file.',
  ],
  fetch_failed: ['fetch gave no answer', 'In a browser, CORS may have hidden one.'],
  stream_needs_built_in_engine: [
    'fetch cannot send a stream of this size',
    'Send a Blob or a file, or leave the option fetch out.',
  ],
  http_status: ['the storage refused it'],
  incomplete: [
    'the storage waits for more of an upload session',
    'The server has to name a target that takes the file in one request.',
  ],
  answered_early: ['the storage answered success, and took no more of the file', 'The storage is at fault.'],
  stalled: ['nothing moved within the stall limit', 'On a slow link raise timeouts.stall.'],
  response_timeout: [
    'no answer came within the response limit',
    'Where a storage needs longer raise timeouts.response.',
  ],
  engine_failed: ['the HTTP engine failed', 'In a bundle, leave undici and form-data external.'],
};

const NEW_TARGET = 'Call the tool again for a new target.';

/** What a refusal usually means for whoever has to act on it. */
function adviceFor(status: number | undefined, { credentials }: CheckedTarget): string | undefined {
  if (status === 401 && credentials === 'include') {
    return 'The credential that the hook credentials gave was not accepted: it may have expired.';
  }
  switch (status) {
    case 401:
    case 403:
      return `The target may have expired, or not be for this file. ${NEW_TARGET}`;
    case 404:
    case 410:
      return `The target is not there any more. ${NEW_TARGET}`;
    case 409:
    case 412:
      return `The target may have been used before. ${NEW_TARGET}`;
    case 405:
    case 411:
    case 501:
      return 'This storage does not take such a request: the server has to name another target.';
    case 413:
      return 'The file is larger than this storage takes.';
    case 429:
      return 'Try again later.';
    default:
      if (status === undefined || status < 400) return undefined;
      return status < 500 ? 'The server may have left out what this storage asks for.' : 'Try again later.';
  }
}

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

/** The error of one transfer: what was sent where, what came of it, what to do. Names no header and no query. */
export function uploadFailed(request: UploadRequest, reason: UploadFailure, answered: Answered = {}): TransferError {
  const { pointer, target, file } = request;
  const { status, serviceCode, cause } = answered;
  const sent = `${target.method} of "${file.name}" (${file.size} bytes${target.form === undefined ? '' : ', in a form'})`;
  const told = [status && `status ${status}`, serviceCode].filter(Boolean).join(' ');
  const [what, advice = adviceFor(status, target)] = TEXTS[reason];
  const message = [
    `${sent} to ${target.origin}${shownPath(target.shownPath)} failed: ${what}${told && ` (${told})`}.`,
    'The tool has not run.',
    advice,
  ];
  const failure = {
    pointer,
    ...(status !== undefined && { status }),
    ...(serviceCode !== undefined && { serviceCode }),
    reason,
  };
  return new TransferError(CODES[reason] ?? 'transfer_failed', message.filter(Boolean).join(' '), [failure], {
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
      cause: error,
    });
  }
  if (error instanceof EngineError) return uploadFailed(request, error.reason, { cause: error.cause });
  return uploadFailed(request, 'engine_failed', { cause: error });
}
