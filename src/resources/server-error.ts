import { FilesError, type FilesErrorCode, shownPath } from '../errors/index.js';
import { maskEchoes } from './echoes.js';

/** JSON-RPC and MCP codes that the resource methods are answered with. */
export const CODE = {
  methodNotFound: -32601,
  invalidParams: -32602,
  serverError: -32000,
  /** MCP before 2026-07-28. */
  resourceNotFound: -32002,
} as const;

/** What the request was for, and what of it a server may quote. */
interface Asked {
  readonly method: string;
  readonly uri?: string;
  /** Content and metadata that were sent: not shown, also where the server's message quotes them. */
  readonly sent?: readonly string[];
}

interface Answered {
  readonly code: number;
  readonly data: unknown;
  /** The SDK's own error. */
  readonly error: unknown;
}

/** An error of the server as one of ours; its code, message and data are kept in `details`. */
export function serverError(code: FilesErrorCode, what: string, asked: Asked, answered: Answered): FilesError {
  const { data } = answered;
  const message = messageOf(answered.error);
  const maskSent = maskEchoes([...(asked.sent ?? []), ...secretsOf(asked.uri)], textsIn([message, data]));
  // The query is among what is masked; of the rest what looks like a key is not shown, as in our own messages.
  const uri = asked.uri?.replace(/[?#].*$/s, '');
  const mask = (text: string): string => {
    const said = maskSent(text);
    return uri ? said.replaceAll(uri, () => shownPath(uri)) : said;
  };
  const said = mask(message).trim();
  return new FilesError(code, `${what}${said === '' ? '.' : `: ${said}`}`, {
    details: {
      method: asked.method,
      code: answered.code,
      ...(said === '' ? {} : { message: said }),
      ...(data === undefined ? {} : { data: maskedIn(data, mask) }),
    },
    cause: answered.error,
  });
}

/** A URI as it may stand in a message: without its query, and without what looks like a key. */
export function shownUri(uri: string): string {
  return `"${shownPath(uri)}"`;
}

/** Both SDKs put words of their own before the server's. */
function messageOf(error: unknown): string {
  const message = (error as { message?: unknown } | undefined)?.message;
  const data = (error as { data?: { text?: unknown } } | undefined)?.data;
  // An error that came as the body of an HTTP error: the body is the message.
  if (typeof data?.text === 'string') return rpcMessage(data.text);
  if (typeof message !== 'string') return '';
  const brace = message.indexOf('{"');
  if (brace >= 0 && message.includes('"jsonrpc"')) return rpcMessage(message.slice(brace));
  return message.replace(/^MCP error -?\d+: /, '');
}

function rpcMessage(body: string): string {
  try {
    const { error } = JSON.parse(body) as { error?: { message?: unknown } };
    return typeof error?.message === 'string' ? error.message : '';
  } catch {
    return '';
  }
}

function secretsOf(uri: string | undefined): string[] {
  const cut = uri?.search(/[?#]/) ?? -1;
  return uri === undefined || cut < 0 ? [] : [uri.slice(cut + 1)];
}

const MOST_LEVELS = 6;
const MOST_ENTRIES = 256;

/** Every text that {@link maskedIn} masks, one by one. */
function* textsIn(value: unknown, level = -1): Generator<string> {
  if (typeof value === 'string') yield value;
  if (typeof value !== 'object' || value === null || level === MOST_LEVELS) return;
  for (const [key, item] of Object.entries(value).slice(0, MOST_ENTRIES)) {
    if (!Array.isArray(value)) yield key;
    yield* textsIn(item, level + 1);
  }
}

function maskedIn(value: unknown, mask: (text: string) => string, level = 0): unknown {
  if (typeof value === 'string') return mask(value);
  if (typeof value !== 'object' || value === null) return value;
  if (level === MOST_LEVELS) return '[…]';
  if (Array.isArray(value)) return value.slice(0, MOST_ENTRIES).map(item => maskedIn(item, mask, level + 1));
  const entries = Object.entries(value).slice(0, MOST_ENTRIES);
  return Object.fromEntries(entries.map(([key, item]) => [mask(key), maskedIn(item, mask, level + 1)]));
}
