/**
 * The one way out. All that a person or a log may come to see of this library passes through here: FilesError puts its
 * message, `details` and `cause` through it, TransferError its failures, FilesClient each log event. A layer cannot
 * forget it, and `util.inspect` has nothing else to show.
 *
 * It is a net and no licence: messages are made of checked words, and text of the other side (answers, header values,
 * form values) is never put into them. What the other side may name (keys, header names, methods, paths) goes through
 * {@link shownName} and {@link shownPath} first, since by its shape alone a name is no secret.
 */

/** Longer texts lose their end. */
const MOST_CHARACTERS = 2000;
const MOST_NAME_CHARACTERS = 100;
const MOST_PATH_CHARACTERS = 300;
const MOST_ENTRIES = 256;
const MOST_LEVELS = 6;

/** What breaks lines or hides text: controls, line separators, bidirectional controls, lone surrogates. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;
/**
 * Scheme, user, host and path, then query and fragment, up to the next space: quotes may be part of a URL. The scheme is
 * bounded so that the search stays linear.
 */
const URL_IN_TEXT = /([a-z][a-z\d+.-]{0,15}:\/\/)(?:[^\s/?#]*@)?([^\s?#]*)([?#]\S*)?/gi;
const DATA_URI = /\bdata:[^\s,]*,\S*/gi;
/** `?sig=…` of a relative URL. */
const PARAMETER = /([?&][\w.~%-]{1,64}=)[^\s&"'#<>]+/g;
/** RFC 6750, RFC 7617 (not "Basic training"), and a JSON Web Token (RFC 7519) anywhere. */
const CREDENTIAL = /\b(Bearer|Basic)\s+(?=\S*[A-Z\d=])[\w.~+/=-]{8,}|\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)*/g;

/** A text as it may stand in a message or a log: one line, bounded, no query, fragment, user or credential in it. */
export function redactText(text: string): string {
  const cut = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
  return cut
    .replace(UNPRINTABLE, '\uFFFD')
    .replace(URL_IN_TEXT, (_, scheme: string, rest: string, secret?: string) => scheme + rest + (secret ? '?…' : ''))
    .replace(DATA_URI, 'data:…')
    .replace(PARAMETER, '$1…')
    .replace(CREDENTIAL, (_, scheme?: string) => (scheme === undefined ? '…' : `${scheme} …`));
}

/** `details` or a log event, copied: texts redacted, bytes as their number, errors as class and code, nothing deep. */
export function redact<T>(value: T): T {
  return redactedAt(value, 0) as T;
}

function redactedAt(value: unknown, level: number): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  if (value instanceof Error) return safeCause(value);
  if (level === MOST_LEVELS) return '[…]';
  if (Array.isArray(value)) return value.slice(0, MOST_ENTRIES).map(item => redactedAt(item, level + 1));
  const entries = Object.entries(value).slice(0, MOST_ENTRIES);
  return Object.fromEntries(entries.map(([key, item]) => [redactText(key), redactedAt(item, level + 1)]));
}

const WORD = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

/**
 * What may be shown of an error behind one of ours: its class and its code, both only if they are plain words. Its
 * message, stack and own members may quote URLs, headers or bodies, so none of them is kept. Safe to apply twice.
 */
export function safeCause(error: unknown): Error {
  const { name, code } = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
  const shownCode = isPlainWord(code) ? code : undefined;
  const shownClass = isPlainWord(name) ? name : 'Error';
  const safe = new Error(shownCode ?? shownClass) as Error & { code?: string };
  safe.name = shownClass;
  safe.stack = `${shownClass}: ${safe.message}`;
  if (shownCode !== undefined) safe.code = shownCode;
  return safe;
}

function isPlainWord(value: unknown): value is string {
  return typeof value === 'string' && WORD.test(value) && withoutKeys(value) === value;
}

/**
 * A name that the other side chose: at most 100 characters of one line, cut where the secret part of a URL could begin,
 * for a server that uses a signed URL as a name, and without anything that looks like a key.
 */
export function shownName(name: string): string {
  const [safe] = /^[^\p{C}\u2028\u2029?#&=:@]*/u.exec(name.slice(0, MOST_NAME_CHARACTERS)) as unknown as [string];
  return withoutKeys(safe) + (safe.length < name.length ? '…' : '');
}

/** A URL without user, query and fragment, and otherwise as it was given. */
export function shownUrl(url: string): string {
  return url.replace(/[?#].*$/s, '').replace(/^([a-z][a-z\d+.-]*:\/\/)[^/]*@/i, '$1');
}

/**
 * A path without its query and without what looks like a key, as several services have their token there; of a long one
 * the beginning.
 */
export function shownPath(path: string): string {
  const plain = withoutKeys(redactText(path.replace(/[?#].*$/s, ''))).replace(KEY_IN_PATH, '…');
  return plain.length > MOST_PATH_CHARACTERS ? `${plain.slice(0, MOST_PATH_CHARACTERS)}…` : plain;
}

/** A folder or file that is a key though a name may look so: a UUID (RFC 9562), letters of both cases with digits. */
const KEY_IN_PATH =
  /(?<=\/)(?:[\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12}|(?=[^/]*\d)(?=[^/]*[a-z])(?=[^/]*[A-Z])[\w~-]{12,})(?=\/|$)/g;

/** Runs that may be a key: as one, so that a key with a dash in it leaves no rest. A folder is a run of its own. */
const RUN = /[\w.~+=%-]{16,}/g;

function withoutKeys(text: string): string {
  return text.replace(RUN, run => (run.split(/[^A-Za-z\d]+/).some(looksLikeKey) ? '…' : run));
}

/** Letters with digits among them, or longer than any word; names, dates and versions are neither. */
function looksLikeKey(piece: string): boolean {
  if (piece.length >= 40) return true;
  const digits = piece.match(/\d+/g)?.length ?? 0;
  return digits > 0 && /[A-Za-z]/.test(piece) && piece.length >= (digits > 1 ? 16 : 20);
}
