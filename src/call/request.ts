import type { JsonObject, LegFailure } from '../connection/index.js';
import { FilesError, linkSignals, safeCause, throwIfAborted } from '../errors/index.js';
import type { CallContext } from './context.js';

const METHOD_NOT_FOUND = -32601;

/** What a request beside the call was answered with; `unknown`: the server does not know the method. */
export type RequestOutcome =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'refused'; readonly error: unknown; readonly data: unknown };

/**
 * One request that cannot run the tool. A JSON-RPC error is given back; where no answer came, what the SDK threw is thrown
 * on, and an abort is `aborted`.
 */
export async function askServer(
  method: string,
  params: JsonObject,
  options: { readonly signal: AbortSignal; readonly timeout?: number | undefined },
  { port }: Pick<CallContext, 'port'>,
): Promise<RequestOutcome> {
  throwIfAborted(options.signal);
  // The SDKs leave their listeners on the signal they are given.
  const own = linkSignals(options.signal);
  try {
    const { timeout } = options;
    const result = await port.request(method, params, {
      signal: own.signal,
      ...(timeout === undefined ? {} : { timeout }),
    });
    return { kind: 'result', result };
  } catch (error) {
    return afterFailure(error, port.failureOf(error), options.signal);
  } finally {
    own.release();
  }
}

function afterFailure(error: unknown, failure: LegFailure, signal: AbortSignal): RequestOutcome {
  throwIfAborted(signal);
  if (failure.kind === 'rpc_error') {
    return failure.code === METHOD_NOT_FOUND ? { kind: 'unknown' } : { kind: 'refused', error, data: failure.data };
  }
  if (failure.kind === 'not_sent') {
    throw new FilesError('not_connected', 'The MCP client is not connected.', { cause: safeCause(error) });
  }
  throw error;
}
