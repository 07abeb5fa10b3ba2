import { FilesError, SERVICE_CODE, shownName, TransferError } from '../errors/index.js';
import type { DownloadRequest } from './download-request.js';
import type { EngineFailure } from './engine.js';

/** `details.reason` of a failed download: stable words for hosts to switch on. */
export type DownloadFailure =
  | Exclude<EngineFailure, 'stream_needs_built_in_engine'>
  /** Any status but a success; `status` and perhaps `serviceCode` say more. */
  | 'http_status'
  /** 202, or a part that was not asked for. */
  | 'incomplete'
  | 'too_many_redirects'
  /** Compressed, although it was asked for as it is: its size and digest could not be told. */
  | 'content_encoded'
  | 'stalled'
  | 'response_timeout'
  | 'engine_failed';

const TEXTS: Readonly<Record<DownloadFailure, string>> = {
  connection_refused: 'the connection was refused',
  name_not_resolved: 'the host name could not be resolved',
  tls_failed: 'no TLS connection could be made',
  connect_timeout: 'no connection was made in time',
  connection_failed: 'no connection could be made',
  connection_lost: 'the connection was lost',
  unsolicited_100_continue: 'the storage sent 100 Continue, which was not asked for',
  answer_malformed: 'the answer is not valid HTTP',
  request_invalid: 'the request cannot be sent as HTTP',
  redirected: 'the storage redirected it to where it may not be followed',
  fetch_failed: 'fetch failed; in a browser, CORS may have hidden the answer',
  http_status: 'the storage refused it',
  incomplete: 'the storage did not send the whole file',
  too_many_redirects: 'the storage redirected it too often',
  content_encoded: 'the storage sent it compressed, which was not asked for',
  stalled: 'nothing arrived within the stall limit',
  response_timeout: 'no answer came within the response limit',
  engine_failed: 'the HTTP engine failed',
};

const TIMED_OUT: Partial<Record<DownloadFailure, 'transfer_stalled' | 'transfer_timeout'>> = {
  stalled: 'transfer_stalled',
  response_timeout: 'transfer_timeout',
  connect_timeout: 'transfer_timeout',
};

interface Answered {
  readonly status?: number;
  readonly serviceCode?: string | undefined;
  readonly cause?: unknown;
}

/** The error of one download: `download_failed`, or one of the timers' own. Path, headers and the answer's text stay out. */
export function downloadFailed(request: DownloadRequest, reason: DownloadFailure, answered: Answered = {}): FilesError {
  const { origin } = request.target;
  const { status, cause } = answered;
  const serviceCode = SERVICE_CODE.test(answered.serviceCode ?? '') ? answered.serviceCode : undefined;
  const told = [status && `status ${status}`, serviceCode].filter(Boolean).join(' ');
  const isCredential = status === 401 && request.target.credentials === 'include';
  const advice = isCredential ? ' The credential that the hook credentials gave was not accepted.' : '';
  const message = `Fetching ${shown(request)} from ${origin} failed: ${TEXTS[reason]}${told && ` (${told})`}.${advice}`;
  const known = { reason, ...(status !== undefined && { status }), ...(serviceCode !== undefined && { serviceCode }) };
  const fields = { details: { ...known, origin }, ...(cause !== undefined && { cause }) };
  const code = TIMED_OUT[reason];
  if (code === undefined) return new FilesError('download_failed', message, fields);
  // A returned file stands at no place in any arguments.
  return new TransferError(code, message, [{ pointer: '', ...known }], fields);
}

export function tooLarge(name: string, maxBytes: number, size?: number): FilesError {
  const has =
    size === undefined ? `is larger than the ${maxBytes} bytes allowed` : `has ${size} bytes, over ${maxBytes}`;
  return new FilesError('download_too_large', `The file "${shownName(name)}" ${has}.`, {
    details: { maxBytes, ...(size !== undefined && { size }) },
  });
}

/** Who gave a file: a storage, or, where the content came in an MCP message, the server itself. */
type Given = Pick<DownloadRequest, 'name'> & Partial<Pick<DownloadRequest, 'target'>>;

/** @param received what arrived, or what the storage says that it has */
export function sizeMismatch({ name, target }: Given, size: number, received: number): FilesError {
  const origin = target?.origin;
  const giver = origin ?? 'the server';
  const message = `The file "${shownName(name)}" was announced with ${size} bytes; ${giver} gave ${received}.`;
  return new FilesError('size_mismatch', message, { details: { size, received, ...(origin && { origin }) } });
}

export function digestMismatch({ name, target }: Given): FilesError {
  const origin = target?.origin;
  const from = origin ?? 'the server';
  const message = `The file "${shownName(name)}" from ${from} does not have the SHA-256 that was announced.`;
  return new FilesError('digest_mismatch', message, {
    details: { algorithm: 'sha-256', ...(origin && { origin }) },
  });
}

const fromTheStart = new WeakSet<object>();

/** The file cannot be gone on with from here, but a reader that keeps nothing of it may begin anew. */
export function worthAnew(failure: FilesError): FilesError {
  fromTheStart.add(failure);
  return failure;
}

/** Did a download fail in the middle, in a way that it may be begun anew? */
export function isWorthAnew(error: unknown): boolean {
  return typeof error === 'object' && error !== null && fromTheStart.has(error);
}

function shown({ name }: DownloadRequest): string {
  return `"${shownName(name)}"`;
}
