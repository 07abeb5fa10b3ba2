import type { JsonObject } from '../connection/index.js';
import {
  FilesError,
  type FilesErrorCode,
  isFilesError,
  OutcomeUnknownError,
  safeCause,
  throwIfAborted,
} from '../errors/index.js';
import { type ResourceEnvironment, send } from './environment.js';
import { CODE, serverError, shownUri } from './server-error.js';
import type { ResourceRequestOptions } from './types.js';

/** One request that changes something on the server. */
interface Change {
  readonly options: ResourceRequestOptions;
  readonly signal: AbortSignal;
  readonly uri?: string;
  /** What a server may quote and nobody else should see. Asked for in case of an error. */
  readonly sent?: () => readonly string[];
  /** Bytes of content, for a transport that refuses the message. */
  readonly size?: number;
}

/**
 * Sends `resources/create` or `resources/delete`, once. The outcome of its errors says what became of the change: `not_run`
 * where the server refused it or never saw it, `unknown` where no answer was read.
 */
export async function change(
  what: 'create' | 'delete',
  params: JsonObject,
  request: Change,
  environment: ResourceEnvironment,
): Promise<JsonObject> {
  const method = `resources/${what}`;
  throwIfAborted(request.signal);
  try {
    const answer = await send(environment, method, params, request.options, request.signal);
    if (answer.kind === 'complete') return answer.result;
    throw new FilesError('server_violation', `${method} was answered with a request for input, which it has not.`, {
      outcome: 'unknown',
    });
  } catch (error) {
    throw failed(what, error, request, environment);
  }
}

function failed(
  what: 'create' | 'delete',
  error: unknown,
  { uri, sent, size }: Change,
  { context: { port } }: ResourceEnvironment,
): unknown {
  // Aborted after it was sent: nobody knows.
  if (isFilesError(error)) return error.code === 'aborted' ? error.with({ outcome: 'unknown' }) : error;
  if (isTooLong(error)) {
    return new FilesError('file_too_large', `The request resources/${what} is too long to be written as JSON.`, {
      details: { limit: 'inline', ...(size === undefined ? {} : { size }) },
    });
  }
  const failure = port.failureOf(error);
  switch (failure.kind) {
    case 'rpc_error': {
      const asked = { method: `resources/${what}`, ...(uri === undefined ? {} : { uri }), sent: sent?.() ?? [] };
      // An expired session and the like: the transport's word, not that of resources.
      if (failure.unread && failure.code > -32100) return error;
      const mapped = meaningOf(what, failure.code, uri);
      return mapped === undefined ? error : serverError(...mapped, asked, { ...failure, error });
    }
    case 'unauthorized':
      return error;
    case 'not_sent':
      return new FilesError('not_connected', 'The MCP client is not connected.', { cause: safeCause(error) });
    case 'http_error':
      if (failure.status !== 413) break;
      return new FilesError(
        'file_too_large',
        `The server's transport refused the request as too large (HTTP 413)${size === undefined ? '' : ` with ${size} bytes of content`}.`,
        { details: { limit: 'transport', ...(size === undefined ? {} : { size }) } },
      );
    case 'refused_by_sdk':
      return new OutcomeUnknownError(
        `The server answered resources/${what}, but the MCP SDK refused the answer.`,
        'result_refused_by_sdk',
        { cause: safeCause(error) },
      );
    case 'no_answer':
      break;
  }
  const status = failure.kind === 'http_error' ? { details: { status: failure.status } } : {};
  return new OutcomeUnknownError(`No answer to resources/${what}: it may have been done.`, 'response_lost', {
    cause: safeCause(error),
    ...status,
  });
}

/** What V8 throws for a text longer than it can hold. */
function isTooLong(error: unknown): boolean {
  const { name, message } = (error ?? {}) as { name?: unknown; message?: unknown };
  return name === 'RangeError' && message === 'Invalid string length';
}

/**
 * SEP-2571: -32602 for what is malformed, -32000 for storage and quota, a code of the server's own for permission. Codes that
 * JSON-RPC and MCP reserve for something else are not ours to explain.
 */
function meaningOf(
  what: 'create' | 'delete',
  code: number,
  uri = '',
): [code: FilesErrorCode, what: string] | undefined {
  switch (code) {
    case CODE.methodNotFound:
      return ['resource_unsupported', `The server has no resources/${what}, although it advertises it`];
    case CODE.invalidParams:
      return what === 'create'
        ? ['resource_rejected', 'The server does not take the resource']
        : ['resource_not_found', `The server has no resource ${shownUri(uri)}`];
    case CODE.resourceNotFound:
      return what === 'delete' ? ['resource_not_found', `The server has no resource ${shownUri(uri)}`] : undefined;
    case CODE.serverError:
      return [
        'resource_storage_failed',
        what === 'create' ? 'The server could not store the resource' : 'The server could not delete the resource',
      ];
    default:
      if (isReserved(code)) return undefined;
      return [
        'resource_forbidden',
        what === 'create'
          ? 'The server does not let this client create the resource'
          : `The server does not let this client delete ${shownUri(uri)}`,
      ];
  }
}

/** What JSON-RPC 2.0 (section 5.1) and MCP (-32020 to -32099) give a meaning of their own. */
function isReserved(code: number): boolean {
  return code === -32603 || (code <= -32020 && code >= -32768);
}
