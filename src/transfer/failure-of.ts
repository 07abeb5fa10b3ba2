import { type FilesError, isFilesError, safeCause } from '../errors/index.js';
import { EngineError, type EngineFailure } from './engine.js';

const REASONS: ReadonlyArray<readonly [RegExp, EngineFailure]> = [
  [/^ECONNREFUSED$/, 'connection_refused'],
  [/^(ENOTFOUND|EAI_[A-Z]+)$/, 'name_not_resolved'],
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/, 'connect_timeout'],
  // OpenSSL's verification results come as bare codes.
  [/^(ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH$|EPROTO$)/, 'tls_failed'],
  // undici's parser error has a class name and, as undici 7 looks it up, no code.
  [/^(HPE_|HTTPParserError$|UND_ERR_HEADERS_OVERFLOW$|UND_ERR_RES_)/, 'answer_malformed'],
  [/^(ERR_UNESCAPED_CHARACTERS|ERR_INVALID_CHAR|UND_ERR_INVALID_ARG|UND_ERR_NOT_SUPPORTED)$/, 'request_invalid'],
];

interface Told {
  readonly code?: unknown;
  readonly name?: unknown;
  readonly message?: unknown;
  readonly syscall?: unknown;
}

/** What an HTTP client of Node threw, as an error of ours: a FilesError that came through it, or a reason word. */
export function failureOf(error: unknown, beforeRequest: boolean): FilesError | EngineError {
  if (error instanceof EngineError) return error;
  const chain = [...causes(error)];
  const own = chain.find(isFilesError);
  if (own !== undefined) return own;
  const cause = safeCause(error);
  // undici 7 ends the connection on a 100 that nobody asked for, with this text and the code of any socket error.
  if (chain.some(({ code, message }) => code === 'UND_ERR_SOCKET' && message === 'bad response')) {
    return new EngineError('unsolicited_100_continue', { beforeRequest, cause });
  }
  const words = chain
    .filter(each => !hasGoneSilent(each))
    .flatMap(({ code, name }) => [code, name])
    .filter(word => typeof word === 'string');
  const known = REASONS.find(([pattern]) => words.some(word => pattern.test(word)))?.[1];
  const reason = known ?? (beforeRequest ? 'connection_failed' : 'connection_lost');
  return new EngineError(reason, { beforeRequest, cause });
}

/** A connection that stood; one that never came has the same code. */
function hasGoneSilent({ code, syscall }: Told): boolean {
  return code === 'ETIMEDOUT' && (syscall === 'read' || syscall === 'write');
}

/** The error and what is behind it: fetch wraps once, an attempt on several addresses has an error for each. */
function* causes(error: unknown, depth = 0): Generator<Told> {
  if (typeof error !== 'object' || error === null || depth > 4) return;
  yield error;
  const { cause, errors } = error as { cause?: unknown; errors?: unknown };
  yield* causes(cause, depth + 1);
  if (Array.isArray(errors)) for (const inner of errors) yield* causes(inner, depth + 1);
}
