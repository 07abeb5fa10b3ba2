import { drain } from './answer.js';
import type { AttemptTimers } from './attempt-timers.js';
import { downloadFailed } from './download-failure.js';
import type { DownloadRequest } from './download-request.js';
import type { EngineResponse, TransferEngine } from './engine.js';
import type { CheckedTarget, HeaderEntry } from './target.js';

const MOST_REDIRECTS = 5;

/** Compressed on the way, a file has another length than was announced. */
export const AS_IT_IS: HeaderEntry = ['accept-encoding', 'identity'];

/** 300 and 304 name no other place to ask. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** An answer, and who gave it in the end. */
export interface Located {
  readonly answer: EngineResponse;
  readonly target: CheckedTarget;
}

/**
 * Asks the target, and wherever it is redirected to, for the file. Only an `omit` target is followed, each hop passes
 * the policy anew (a resolved address is checked by the engine, as for every connection), and of the headers only Range
 * goes along: the target's own were meant for one host.
 */
export async function askFollowing(
  engine: TransferEngine,
  request: DownloadRequest,
  headers: readonly HeaderEntry[],
  timers: AttemptTimers,
): Promise<Located> {
  let target = request.target;
  let sent = headers;
  for (let hops = 0; ; hops++) {
    timers.asked();
    const { origin, requestPath: path } = target;
    const answer = await engine.send({ method: 'GET', origin, path, headers: sent, signal: timers.signal });
    if (!REDIRECTS.has(answer.status)) return { answer, target };
    const { status } = answer;
    const location = answer.header('location');
    timers.stop();
    await drain(answer);
    if (request.target.credentials !== 'omit' || location === undefined) {
      throw downloadFailed(request, 'redirected', { status });
    }
    if (hops === MOST_REDIRECTS) throw downloadFailed(request, 'too_many_redirects', { status });
    target = request.checkRedirect(resolveLocation(location, target));
    sent = [...headers.filter(([name]) => name.toLowerCase() === 'range'), AS_IT_IS];
  }
}

/**
 * Where a redirect leads (RFC 9110, 10.2.2). An absolute URL and an absolute path stay as they are written, since they
 * may be signed; the fragment says nothing to a server.
 */
function resolveLocation(location: string, from: CheckedTarget): string {
  const text = location.replace(/#.*$/s, '');
  if (/^[a-z][a-z\d+.-]*:/i.test(text)) return text;
  if (/^\/(?![/\\])/.test(text)) return from.origin + text;
  const base = from.origin + from.requestPath;
  return URL.canParse(text, base) ? new URL(text, base).href : text;
}
