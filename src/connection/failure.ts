import { isFilesError } from '../errors/index.js';
import { isObject } from './leg-answer.js';
import type { LegFailure } from './port.js';

/** v2's `SdkError.code` where nothing has left the client. */
const NOT_SENT = new Set([
  'NOT_CONNECTED',
  'NOT_INITIALIZED',
  'CAPABILITY_NOT_SUPPORTED',
  'METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION',
]);

/** v2's `SdkError.code` where an answer was read and not handed out. */
const REFUSED = new Set(['INVALID_RESULT', 'UNSUPPORTED_RESULT_TYPE', 'INPUT_REQUIRED_ROUNDS_EXCEEDED']);

/** v2 marks what its authorisation code throws with this registered symbol. */
const AUTH_SEAM = Symbol.for('mcp.authSeamEscape');

/** What v1 gives as the status of a 200 that is neither JSON nor an event stream. */
const UNEXPECTED_CONTENT = -1;

interface HttpFailure {
  readonly status: number;
  readonly text: string;
}

/**
 * Tells apart what a request of either SDK threw, by shape and never by class. A host may also run one SDK's client
 * over the other's transport, so every shape is tried for both.
 */
export function failureOf(error: unknown): LegFailure {
  if (isFilesError(error)) return { kind: 'refused_by_sdk' };
  if (typeof error !== 'object' || error === null) return { kind: 'no_answer' };
  const { code, data, message, name } = error as { code?: unknown; data?: unknown; message?: unknown; name?: unknown };
  const text = typeof message === 'string' ? message : '';

  const http = httpFailure(code, data, text);
  if (http !== undefined) return afterHttp(http);
  if (isUnauthorized(error, text)) return { kind: 'unauthorized' };
  if (typeof code === 'number') {
    return isLocalV1(code, data, text) ? { kind: 'no_answer' } : { kind: 'rpc_error', code, data };
  }
  if (typeof code === 'string') {
    if (NOT_SENT.has(code)) return { kind: 'not_sent' };
    if (REFUSED.has(code)) return { kind: 'refused_by_sdk' };
    return { kind: 'no_answer' };
  }
  // Both SDKs' `request` throws a plain Error here.
  if (text === 'Not connected') return { kind: 'not_sent' };
  // A 200 whose body was no JSON, or no JSON-RPC message.
  if (name === 'SyntaxError' || name === 'ZodError' || name === '$ZodError') return { kind: 'refused_by_sdk' };
  return { kind: 'no_answer' };
}

/** 413 first: with or without JSON the message was refused before any tool saw it. Then a JSON-RPC error is an answer. */
function afterHttp({ status, text }: HttpFailure): LegFailure {
  if (status === UNEXPECTED_CONTENT) return { kind: 'no_answer' };
  if (status === 413) return { kind: 'http_error', status };
  if (status === 401 || status === 403) return { kind: 'unauthorized', status };
  const answer = rpcErrorIn(text);
  return answer === undefined ? { kind: 'http_error', status } : { kind: 'rpc_error', ...answer };
}

const V1_HTTP = /^Streamable HTTP error: (?:Error POSTing to endpoint(?: \(HTTP \d+\))?: )?/;
const SSE_HTTP = /^Error POSTing to endpoint \(HTTP (\d{3})\): /;

function httpFailure(code: unknown, data: unknown, message: string): HttpFailure | undefined {
  // v2 SdkHttpError: a string code, the status and the body in `data`.
  if (typeof code === 'string' && isObject(data) && typeof data.status === 'number') {
    return { status: data.status, text: typeof data.text === 'string' ? data.text : '' };
  }
  // v1 StreamableHTTPError: the status as `code`, the body at the end of the message.
  const v1 = V1_HTTP.exec(message);
  if (v1 !== null && typeof code === 'number') return { status: code, text: message.slice(v1[0].length) };
  // The SSE transports of both SDKs: a plain Error.
  const sse = SSE_HTTP.exec(message);
  return sse === null ? undefined : { status: Number(sse[1]), text: message.slice(sse[0].length) };
}

/** A JSON-RPC error message in an HTTP error's body. Its `id` may be null: the server may not have read so far. */
function rpcErrorIn(text: string): { code: number; data: unknown; unread?: true } | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(message) || message.jsonrpc !== '2.0' || !isObject(message.error)) return undefined;
  const { code, data } = message.error;
  return Number.isInteger(code)
    ? { code: code as number, data, ...(typeof message.id !== 'number' && { unread: true }) }
    : undefined;
}

/** v1's UnauthorizedError has no name of its own and keeps its default message; its OAuth errors have an `errorCode`. */
function isUnauthorized(error: object, message: string): boolean {
  if ((error as Record<symbol, unknown>)[AUTH_SEAM] === true) return true;
  const { name, errorCode, toResponseObject } = error as Record<string, unknown>;
  if (name === 'UnauthorizedError' || error.constructor?.name === 'UnauthorizedError') return true;
  return (typeof errorCode === 'string' && typeof toResponseObject === 'function') || message === 'Unauthorized';
}

/** v1 uses JSON-RPC codes for its own time-out and for a closed connection: only the exact wording tells them apart. */
function isLocalV1(code: number, data: unknown, message: string): boolean {
  if (code === -32000) return message === 'MCP error -32000: Connection closed' && data === undefined;
  if (code !== -32001) return false;
  if (message === 'MCP error -32001: Request timed out') return isObject(data) && typeof data.timeout === 'number';
  return message === 'MCP error -32001: Maximum total timeout exceeded';
}
