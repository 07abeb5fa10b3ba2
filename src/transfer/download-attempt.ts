import { abortedError, type FilesError, isFilesError, throwIfAborted } from '../errors/index.js';
import { readServiceCode } from './answer.js';
import { AttemptTimers } from './attempt-timers.js';
import { downloadFailed, sizeMismatch, tooLarge, worthAnew } from './download-failure.js';
import { type DownloadRequest, throwIfExpired } from './download-request.js';
import { echoIn } from './echo.js';
import { EngineError, type EngineResponse, type TransferEngine } from './engine.js';
import { wireHeaders } from './header-rules.js';
import { AS_IT_IS, askFollowing, type Located } from './redirects.js';
import { WORTH_ANOTHER_TRY } from './resend.js';
import type { HeaderEntry } from './target.js';

/** How far a download has come; shared by its attempts. */
export interface Progress {
  received: number;
  /** A strong validator (RFC 9110, 8.8.1) of what was received: with it, the rest can be asked for. */
  etag: string | undefined;
  /** What was received is the beginning of the whole file, as it is: a part of it can be told apart by its place. */
  isWhole: boolean;
}

/** A failure after which the same, or the rest, may be asked for once more. */
export class Interrupted extends Error {
  readonly failure: FilesError;

  constructor(failure: FilesError) {
    super('interrupted');
    this.failure = failure;
  }
}

/**
 * One request and its answer, from where the attempts before it ended. Throws as `download` does, or {@link Interrupted}.
 * However it ends, also when it is left in the middle, everything is closed by then.
 */
export async function* attemptDownload(
  engine: TransferEngine,
  request: DownloadRequest,
  progress: Progress,
): AsyncGenerator<Uint8Array> {
  throwIfAborted(request.signal);
  throwIfExpired(request);
  const timers = new AttemptTimers(request.timeouts, request.signal);
  const start = progress.received;
  let answer: EngineResponse | undefined;
  try {
    const located = await askFollowing(engine, request, headersFor(request, progress), timers);
    answer = located.answer;
    timers.progress();
    const expected = await judge(engine, request, located, progress, timers);
    for await (const chunk of answer.body) {
      // While the reader is at work nothing is waited for here.
      timers.stop();
      progress.received += chunk.byteLength;
      checkCount(request, progress.received);
      request.onReceived(progress.received);
      yield chunk;
      throwIfAborted(request.signal);
      timers.progress();
    }
    timers.stop();
    // Engines count by themselves; a fetch of another make may not.
    if (expected !== undefined && progress.received - start !== expected) {
      throw new EngineError('connection_lost', { beforeRequest: false });
    }
  } catch (error) {
    throw explain(request, error, timers, answer, progress);
  } finally {
    timers.release();
    await answer?.discard();
  }
}

function headersFor(request: DownloadRequest, { received, etag }: Progress): HeaderEntry[] {
  const headers = wireHeaders(request.target, { bodyLength: 0, credentialHeaders: request.credentialHeaders });
  if (!hasHeader(headers, 'accept-encoding')) headers.push(AS_IT_IS);
  if (received === 0) return headers;
  const range: HeaderEntry = ['range', `bytes=${received}-`];
  return etag === undefined ? [...headers, range] : [...headers, range, ['if-range', etag]];
}

/**
 * The number of bytes that are to come, if the answer says. Throws unless it is the file, or the rest of it, in the size
 * that was announced and allowed.
 */
async function judge(
  engine: TransferEngine,
  request: DownloadRequest,
  { answer, target }: Located,
  progress: Progress,
  timers: AttemptTimers,
): Promise<number | undefined> {
  const { status } = answer;
  if (status < 200 || status > 299) {
    timers.stop();
    const asked = [request, { target, credentialHeaders: [] }].map(each => echoIn(each, new Uint8Array()));
    const serviceCode = await readServiceCode(answer, code => asked.some(isEcho => isEcho(code)));
    throw downloadFailed(request, 'http_status', { status, serviceCode });
  }
  const encoded = !/^(identity)?$/i.test(answer.header('content-encoding')?.trim() ?? '');
  // fetch undoes an encoding, and still shows the length of what was encoded.
  if (encoded && engine.kind !== 'fetch') throw downloadFailed(request, 'content_encoded', { status });
  const length = encoded ? undefined : lengthOf(answer);
  if (progress.received > 0) return judgeRest(request, answer, progress, length);
  // 202: it is being made. 206 answers a Range header, which only the target itself may have set by now.
  const isPart = hasHeader(request.target.headers, 'range');
  if (status === 202 || (status === 206 && !isPart)) throw downloadFailed(request, 'incomplete', { status });
  progress.isWhole = !encoded && !isPart && status === 200;
  progress.etag = progress.isWhole ? strongEtag(answer) : undefined;
  if (length !== undefined) {
    checkTotal(request, length);
    request.onSize(length);
  }
  return length;
}

/** Anything but the very rest of the very same file is no way to go on. */
function judgeRest(
  request: DownloadRequest,
  answer: EngineResponse,
  { received, etag }: Progress,
  length: number | undefined,
): number {
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+)$/i.exec(answer.header('content-range') ?? '') ?? [];
  const isRest = answer.status === 206 && Number(first) === received && Number(last) === Number(total) - 1;
  const isSame = etag === undefined || strongEtag(answer) === etag;
  if (!isRest || !isSame) throw worthAnew(downloadFailed(request, 'connection_lost'));
  checkTotal(request, Number(total));
  return length ?? Number(total) - received;
}

function checkTotal(request: DownloadRequest, total: number): void {
  const { name, size, maxBytes } = request;
  if (maxBytes !== undefined && total > maxBytes) throw tooLarge(name, maxBytes, total);
  if (size !== undefined && total !== size) throw sizeMismatch(request, size, total);
}

function checkCount(request: DownloadRequest, received: number): void {
  const { name, size, maxBytes } = request;
  if (maxBytes !== undefined && received > maxBytes) throw tooLarge(name, maxBytes);
  if (size !== undefined && received > size) throw sizeMismatch(request, size, received);
}

function explain(
  request: DownloadRequest,
  error: unknown,
  timers: AttemptTimers,
  answer: EngineResponse | undefined,
  progress: Progress,
): Error {
  if (isFilesError(error)) return error;
  if (request.signal.aborted) return abortedError(request.signal);
  if (timers.expired !== undefined) {
    return downloadFailed(request, timers.expired === 'stall' ? 'stalled' : 'response_timeout');
  }
  if (!(error instanceof EngineError)) return downloadFailed(request, 'engine_failed', { cause: error });
  const reason = error.reason === 'stream_needs_built_in_engine' ? 'engine_failed' : error.reason;
  const failure = downloadFailed(request, reason, { cause: error.cause });
  // A GET that was not answered may be repeated (RFC 9110, 9.2.2): a connection that was kept may have been closed.
  if (answer === undefined) return WORTH_ANOTHER_TRY.has(error.reason) ? new Interrupted(failure) : failure;
  // A credential is not sent once more.
  if (request.target.credentials !== 'omit') return failure;
  return canGoOn(request, progress) ? new Interrupted(failure) : worthAnew(failure);
}

/** At the start, or in the middle of a file that can be told from any other: by its validator now, or by its digest at the end. */
function canGoOn({ sha256 }: DownloadRequest, { received, etag, isWhole }: Progress): boolean {
  return received === 0 || etag !== undefined || (isWhole && sha256 !== undefined);
}

function strongEtag(answer: EngineResponse): string | undefined {
  return /^"[\x21\x23-\x7e]*"$/.exec(answer.header('etag')?.trim() ?? '')?.[0];
}

function lengthOf(answer: EngineResponse): number | undefined {
  const text = answer.header('content-length')?.trim() ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function hasHeader(headers: readonly HeaderEntry[], wanted: string): boolean {
  return headers.some(([name]) => name.toLowerCase() === wanted);
}
