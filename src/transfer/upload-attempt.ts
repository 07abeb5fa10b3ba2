import {
  abortedError,
  type FilesError,
  isFilesError,
  orAborted,
  TransferError,
  throwIfAborted,
} from '../errors/index.js';
import { drain, readServiceCode } from './answer.js';
import { AttemptTimers } from './attempt-timers.js';
import { makeBody } from './body.js';
import { echoIn } from './echo.js';
import { EngineError, type EngineResponse, type TransferEngine } from './engine.js';
import { wireHeaders } from './header-rules.js';
import { MeteredBody } from './metered-body.js';
import { WORTH_ANOTHER_TRY } from './resend.js';
import { asUploadError, uploadFailed } from './upload-failure.js';
import { throwIfExpired, type UploadRequest } from './upload-request.js';

/** A failure after which the request may be sent again: no byte of it can have been processed. */
export class NothingSent extends Error {
  readonly failure: FilesError;

  constructor(failure: FilesError) {
    super('nothing was sent');
    this.failure = failure;
  }
}

/**
 * One request and its answer. Resolves with the success status; throws as `upload` does, or {@link NothingSent}. In
 * each case everything is closed by then: file, answer, timers, listeners, and the socket if it cannot be used again.
 */
export async function attemptUpload(engine: TransferEngine, request: UploadRequest): Promise<number> {
  throwIfAborted(request.signal);
  const { target } = request;
  const file = await makeBody(request.file, target.form).catch(error => {
    throw asUploadError(request, error, false); // form-data could not be loaded
  });
  throwIfExpired(request);
  const timers = new AttemptTimers(request.timeouts, request.signal);
  const body = new MeteredBody(file, {
    // Connecting took its time; the headers go out with the first piece.
    onStart: () => throwIfExpired(request),
    onAccepted: fileBytes => {
      timers.progress();
      request.onSent(fileBytes);
    },
    onRead: () => timers.progress(),
    onEnd: () => timers.sent(engine.kind === 'fetch' ? unseenSending(request) : 0),
  });
  let answer: EngineResponse | undefined;
  let ahead: Promise<() => void> | undefined;
  try {
    // An engine has nothing to read of an empty file, but it must still be the file that was announced.
    if (body.length === 0) for await (const _ of body.chunks(timers.signal));
    // While the connection is made, or is asked whether it still stands.
    else ahead = request.file.readAhead?.();
    answer = await engine.send({
      method: target.method,
      origin: target.origin,
      path: target.requestPath,
      headers: wireHeaders(target, { bodyLength: body.length, credentialHeaders: request.credentialHeaders }),
      body,
      signal: timers.signal,
    });
    return await judge(request, answer, body, timers);
  } catch (error) {
    throw explain(request, error, body, timers);
  } finally {
    timers.release();
    await answer?.discard();
    await body.close();
    (await ahead)?.();
  }
}

/** Only a 2xx is success; a redirect never is, nor a 202 to a part of an upload session (Microsoft Graph). */
async function judge(
  request: UploadRequest,
  answer: EngineResponse,
  body: MeteredBody,
  timers: AttemptTimers,
): Promise<number> {
  const { status } = answer;
  if (!(status >= 200 && status <= 299)) {
    timers.stop();
    const serviceCode = await readServiceCode(answer, echoIn(request, await body.head()));
    throw uploadFailed(request, status < 400 ? 'redirected' : 'http_status', { status, serviceCode });
  }
  if (status === 202 && request.target.headers.some(([name]) => name.toLowerCase() === 'content-range')) {
    throw uploadFailed(request, 'incomplete', { status });
  }
  // A storage may say 200 before it has everything. It is believed once it has.
  if (!body.complete) {
    await orAborted(body.ended, timers.signal);
    if (!body.complete) throw body.failure ?? uploadFailed(request, 'answered_early', { status });
  }
  timers.stop();
  await drain(answer);
  return status;
}

function explain(request: UploadRequest, error: unknown, body: MeteredBody, timers: AttemptTimers): Error {
  if (error instanceof TransferError) return error;
  if (request.signal.aborted) return abortedError(request.signal).with({ pointer: request.pointer });
  if (timers.expired !== undefined) {
    return uploadFailed(request, timers.expired === 'stall' ? 'stalled' : 'response_timeout');
  }
  const fromBody = body.failure !== undefined;
  const failure = asUploadError(request, body.failure ?? error, fromBody);
  if (fromBody || isFilesError(error) || !(error instanceof EngineError)) return failure;
  // A socket that was closed before the first piece, with which the headers go, has sent nothing either.
  const nothingSent = error.beforeRequest || (body.handed === 0 && body.length > 0);
  return nothingSent && WORTH_ANOTHER_TRY.has(error.reason) ? new NothingSent(failure) : failure;
}

/** Fetch shows nothing of a body on its way, so each 4 MiB of it get the time that a socket's buffer would have had. */
function unseenSending({ file, timeouts }: UploadRequest): number {
  return timeouts.stall === 0 ? Number.POSITIVE_INFINITY : Math.ceil(file.size / (4 * 1024 * 1024)) * timeouts.stall;
}
