import {
  INVALID_PARAMS,
  type JsonObject,
  type LegAnswer,
  type LegFailure,
  METHOD_NOT_FOUND,
} from '../connection/index.js';
import {
  abortedError,
  FilesError,
  isFilesError,
  linkSignals,
  orAborted,
  safeCause,
  shownName,
} from '../errors/index.js';
import type { CallContext } from './context.js';
import type { ExpectedFile } from './fetch-file.js';

/** -32002 is of the protocol before 2026-07-28. */
const NOT_FOUND: ReadonlySet<number> = new Set([INVALID_PARAMS, -32002]);

/**
 * Asks the server about a returned file: the first of the methods that it knows. Throws `download_failed`, with a reason
 * and the JSON-RPC code or HTTP status; `not_connected`, `aborted`. The server's own words are not shown.
 */
export async function askForFile(
  methods: readonly string[],
  params: JsonObject,
  expected: ExpectedFile,
  signal: AbortSignal,
  context: CallContext,
): Promise<LegAnswer> {
  let refusal: unknown;
  for (const method of methods) {
    try {
      return await ask(method, params, expected, signal, context);
    } catch (error) {
      if (!isFilesError(error) || error.details?.reason !== 'method_unsupported') throw error;
      refusal ??= error;
    }
  }
  throw refusal;
}

async function ask(
  method: string,
  params: JsonObject,
  expected: ExpectedFile,
  signal: AbortSignal,
  { port, timeouts }: CallContext,
): Promise<LegAnswer> {
  const timeout = timeouts.response > 0 ? { timeout: timeouts.response } : {};
  // v1 never takes its listener off a signal.
  const own = linkSignals(signal);
  try {
    return await orAborted(port.requestLeg(method, params, { signal: own.signal, ...timeout }), signal);
  } catch (error) {
    if (signal.aborted) throw abortedError(signal);
    throw failed(method, expected, port.failureOf(error), error);
  } finally {
    own.release();
  }
}

/** Is it the server's word that there is no such method, or nothing behind that URI by it? */
export function isUnsupported(error: unknown): boolean {
  if (!isFilesError(error)) return false;
  return error.details?.reason === 'method_unsupported' || error.details?.reason === 'not_found';
}

function failed(method: string, { name }: ExpectedFile, failure: LegFailure, cause: unknown): FilesError {
  const { reason, told, ...details } = explain(failure);
  if (reason === 'not_sent') return new FilesError('not_connected', 'The MCP client is not connected.');
  const message = `The file "${shownName(name)}" was asked for with ${method}: ${told}.`;
  return new FilesError('download_failed', message, {
    details: { reason, method, ...details },
    cause: safeCause(cause),
  });
}

function explain(failure: LegFailure): { reason: string; told: string; rpcCode?: number; status?: number } {
  switch (failure.kind) {
    case 'rpc_error': {
      const { code: rpcCode } = failure;
      if (rpcCode === METHOD_NOT_FOUND) {
        return { reason: 'method_unsupported', told: 'the server does not know that method', rpcCode };
      }
      if (NOT_FOUND.has(rpcCode)) return { reason: 'not_found', told: 'the server has nothing there', rpcCode };
      return { reason: 'server_refused', told: `the server refused it (${rpcCode})`, rpcCode };
    }
    case 'unauthorized':
    case 'http_error': {
      const { status } = failure;
      const told = `the server refused it${status === undefined ? '' : ` (HTTP ${status})`}`;
      return { reason: 'http_status', told, ...(status !== undefined && { status }) };
    }
    case 'refused_by_sdk':
      return { reason: 'answer_malformed', told: 'the answer could not be read' };
    case 'not_sent':
      return { reason: 'not_sent', told: 'it was not sent' };
    default:
      return { reason: 'connection_lost', told: 'no answer came' };
  }
}
