import { type JsonObject, type LegFailure, METHOD_NOT_FOUND } from '../connection/index.js';
import { FilesError, isFilesError, linkSignals, safeCause, TransferError, throwIfAborted } from '../errors/index.js';
import type { CallContext } from './context.js';

/** What a request beside the call was answered with; `unknown`: the server does not know the method. */
export type RequestOutcome =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'refused'; readonly error: unknown; readonly data: unknown };

/**
 * One request for a file that cannot run the tool. A JSON-RPC error is given back, 401 and 403 are thrown on as the SDK's own,
 * an abort is `aborted`; where no answer came it is `transfer_failed`, without a word of an HTTP error's body.
 */
export async function askServer(
  method: string,
  params: JsonObject,
  options: { readonly signal: AbortSignal; readonly timeout?: number | undefined; readonly pointer: string },
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
    return afterFailure(method, error, port.failureOf(error), options);
  } finally {
    own.release();
  }
}

function afterFailure(
  method: string,
  error: unknown,
  failure: LegFailure,
  { signal, pointer }: { readonly signal: AbortSignal; readonly pointer: string },
): RequestOutcome {
  throwIfAborted(signal);
  if (failure.kind === 'rpc_error') {
    return failure.code === METHOD_NOT_FOUND ? { kind: 'unknown' } : { kind: 'refused', error, data: failure.data };
  }
  if (failure.kind === 'not_sent') {
    throw new FilesError('not_connected', 'The MCP client is not connected.', { cause: safeCause(error) });
  }
  if (isFilesError(error) || failure.kind === 'unauthorized') throw error;
  const cause = { pointer, cause: safeCause(error) };
  if (failure.kind === 'http_error') {
    const { status } = failure;
    const message = `${method} was answered with HTTP ${status}. The tool has not run.`;
    throw new TransferError('transfer_failed', message, [{ pointer, status, reason: 'http_status' }], cause);
  }
  const reason = failure.kind === 'refused_by_sdk' ? 'answer_malformed' : 'connection_lost';
  const message = `${method} got no answer that could be read. The tool has not run.`;
  throw new TransferError('transfer_failed', message, [{ pointer, reason }], cause);
}
