import { isFilesError, onAbort } from '../errors/index.js';
import { EngineError, type EngineRequest, type EngineResponse, type TransferEngine } from './engine.js';
import { failureOf } from './failure-of.js';

/** Fetch sends a stream chunked, so a stream is collected first, up to this many bytes. */
const MAX_STREAM_BYTES = 64 * 1024 * 1024;

/**
 * Transfers through a `fetch`: the browser's, a mock, a special proxy. It re-encodes URLs, so the policy lets only
 * those through that it leaves alone; it adds headers of its own (`accept`, `user-agent`); on Node it holds a whole file
 * in memory.
 */
export function createFetchEngine(
  fetch: typeof globalThis.fetch,
  { maxStreamBytes = MAX_STREAM_BYTES }: { readonly maxStreamBytes?: number } = {},
): TransferEngine {
  const closing = new AbortController();
  const open = new Set<Exchange>();

  return {
    kind: 'fetch',
    async send({ method, origin, path, headers, body, signal }) {
      if (body?.isStream && body.length > maxStreamBytes) {
        throw new EngineError('stream_needs_built_in_engine', { beforeRequest: true });
      }
      const content = await body?.blob(signal);
      const exchange = new Exchange([signal, closing.signal], () => open.delete(exchange));
      open.add(exchange);
      try {
        const response = await fetch(origin + path, {
          method,
          headers: requestHeaders(headers, body?.contentType),
          ...(content !== undefined && { body: content }),
          redirect: 'manual',
          credentials: 'omit',
          referrerPolicy: 'no-referrer',
          // With a body it would add `Cache-Control: no-cache`, which storages keep with the object.
          ...(method === 'GET' && { cache: 'no-store' as const }),
          signal: exchange.signal,
        });
        // A browser shows nothing of a redirect, not even its status.
        if (response.type === 'opaqueredirect') throw new EngineError('redirected', { beforeRequest: false });
        return asAnswer(response, exchange);
      } catch (error) {
        exchange.end();
        throw fetchFailure(error);
      }
    },
    async close() {
      closing.abort();
      await Promise.all([...open].map(exchange => exchange.ended));
    },
  };
}

/** One request and its answer: ends with either signal, and is over when the answer was read or let go. */
class Exchange {
  readonly #controller = new AbortController();
  readonly signal = this.#controller.signal;
  readonly ended: Promise<void>;
  #end = (): void => {};

  constructor(signals: readonly AbortSignal[], onEnd: () => void) {
    this.ended = new Promise(resolve => {
      const links = signals.map(signal => onAbort(signal, () => this.#controller.abort(signal.reason)));
      this.#end = () => {
        for (const off of links) off();
        onEnd();
        resolve();
      };
    });
  }

  /** Stops what is still on its way, if anything is. */
  end(): void {
    this.#end();
    this.#controller.abort();
  }
}

function requestHeaders(headers: EngineRequest['headers'], contentType: string | undefined): Headers {
  const sent = new Headers(headers.map(([name, value]): [string, string] => [name, value]));
  if (contentType !== undefined) sent.set('content-type', contentType);
  return sent;
}

function asAnswer(response: Response, exchange: Exchange): EngineResponse {
  return {
    status: response.status,
    header: name => response.headers.get(name) ?? undefined,
    body: read(response, exchange),
    async discard() {
      exchange.end();
    },
  };
}

/** By its reader: not every browser iterates a ReadableStream. */
async function* read(response: Response, exchange: Exchange): AsyncGenerator<Uint8Array> {
  try {
    const reader = response.body?.getReader();
    for (;;) {
      const item = await reader?.read();
      if (item === undefined || item.done) return;
      yield item.value;
    }
  } catch (error) {
    throw fetchFailure(error);
  } finally {
    exchange.end();
  }
}

/** Only Node's own fetch tells that nothing was sent; a browser tells nothing, least of all of an answer CORS hid. */
function fetchFailure(error: unknown): Error {
  if (error instanceof EngineError) return error;
  const failure = failureOf(error, false);
  if (isFilesError(failure)) return failure;
  const { reason } = failure;
  const cause = failure.cause as Error;
  if (reason === 'connection_lost') return new EngineError('fetch_failed', { beforeRequest: false, cause });
  return new EngineError(reason, {
    beforeRequest: reason === 'connection_refused' || reason === 'name_not_resolved',
    cause,
  });
}
