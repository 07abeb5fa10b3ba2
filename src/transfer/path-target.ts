import type { FilesError } from '../errors/index.js';
import { refused } from './target.js';

/** How often a path is decoded to see what a chain of servers may make of it. */
const MOST_DECODINGS = 3;

/**
 * The request path, with its query, of a `path` target. The text itself goes to the wire: it is only put behind the
 * endpoint's path, unless its first segments already are the endpoint's. Throws `path_escape` for a path that could
 * leave the endpoint once a server decodes it, and for one that names nothing.
 */
export function resolvePathTarget(raw: string, endpoint: URL, scope: 'endpoint' | 'origin'): string {
  // The decision is made by what stands before the query; a fragment would make that a guess.
  if (raw.includes('#')) throw pathEscape('it has a fragment');
  checkWireText(raw);
  const queryAt = raw.indexOf('?');
  const path = queryAt < 0 ? raw : raw.slice(0, queryAt);
  if (path === '' || path === '/') throw pathEscape('it is empty');
  const problem = pathProblem(path);
  if (problem !== undefined) throw pathEscape(problem);
  const base = scope === 'origin' ? [] : segmentsOf(endpoint.pathname);
  const given = path.replace(/^\//, '');
  const isAlreadyUnder = base.every((segment, index) => given.split('/')[index] === segment);
  const prefix = isAlreadyUnder ? '' : endpoint.pathname.replace(/\/$/, '');
  return `${prefix}/${given}${queryAt < 0 ? '' : raw.slice(queryAt)}`;
}

/** Only visible ASCII can go out as given. */
function checkWireText(raw: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  if (/[\x00-\x1f\x7f]/.test(raw)) throw pathEscape('it has a control character');
  if (raw.includes('\\')) throw pathEscape('it has a backslash');
  if (/[^\x21-\x7e]/.test(raw)) throw refused('url_malformed', 'A path target has a space or a non-ASCII character.');
}

/**
 * What makes a path dangerous at any level of decoding, or `undefined`. Beyond the plain dot segments it knows what
 * servers are known to strip or to fold: `..;x` (servlet path parameters), `..%3f` behind one that decodes twice, `.. `,
 * IIS's `%u002e`, full-width dots.
 */
export function pathProblem(path: string): string | undefined {
  const isRooted = path.startsWith('/');
  let text = path.replace(/^\//, '');
  for (let decodings = 0; ; decodings++) {
    const problem = levelProblem(text, isRooted) ?? levelProblem(text.normalize('NFKC'), isRooted);
    if (problem !== undefined) return problem;
    const decoded = decodeOnce(text);
    if (decoded === undefined) return 'it is not percent-encoded UTF-8';
    if (decoded === text) return undefined;
    if (decodings === MOST_DECODINGS) return `it is encoded more than ${MOST_DECODINGS} times`;
    text = decoded;
  }
}

/** Of a path without its leading slash. */
function levelProblem(text: string, isRooted: boolean): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  if (/[\x00-\x1f\x7f]/.test(text)) return 'it has a control character';
  if (text.includes('\\')) return 'it has a backslash';
  if (!isRooted && /^[a-z][a-z\d+.-]*:/i.test(text)) return 'it has a scheme';
  if (/%u[\da-f]{4}/i.test(text)) return 'it is not percent-encoded UTF-8';
  const segments = text.split('/');
  if (segments.some(segment => /^\.{1,2}\s*([;?#].*)?$/s.test(segment))) return 'it has a dot segment';
  // The last one is empty where the path ends with a slash, which is allowed. Parameters alone are nothing to a servlet.
  if (segments.slice(0, -1).includes('') || segments.some(segment => /^\s*;/.test(segment)))
    return 'it has an empty segment';
  return undefined;
}

/** `undefined` where the bytes are no UTF-8: overlong forms are how dots and slashes are smuggled past a check. */
function decodeOnce(text: string): string | undefined {
  try {
    return text.replace(/(?:%[\da-f]{2})+/gi, run =>
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
        Uint8Array.from(run.slice(1).split('%'), byte => Number.parseInt(byte, 16)),
      ),
    );
  } catch {
    return undefined;
  }
}

/**
 * Whether a server could take this request path for the MCP endpoint itself, where an upload would be a message in the
 * client's name. Compared as loosely as routers do: case, trailing and double slashes, parameters, dots and encodings.
 */
export function isEndpointPath(requestPath: string, endpoint: URL): boolean {
  const [path, own] = [routerSegments(requestPath), routerSegments(endpoint.pathname)];
  return path.length === own.length && path.every((segment, index) => segment === own[index]);
}

function routerSegments(requestPath: string): string[] {
  let text = requestPath.replace(/[?#].*$/s, '');
  for (let decodings = 0; decodings < MOST_DECODINGS; decodings++) text = decodeOnce(text) ?? text;
  const segments: string[] = [];
  for (const part of text.replace(/[?#].*$/s, '').split(/[/\\]/)) {
    const segment = part.replace(/;.*$/s, '').trim().toLowerCase();
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments;
}

/** Whether a request path lies below the endpoint's, by segment. Takes a path without {@link pathProblem}. */
export function isUnderEndpoint(requestPath: string, endpoint: URL): boolean {
  const path = segmentsOf(requestPath.replace(/\?.*$/s, ''));
  return segmentsOf(endpoint.pathname).every((segment, index) => path[index] === segment);
}

function segmentsOf(pathname: string): string[] {
  const text = pathname.replace(/^\//, '').replace(/\/$/, '');
  return text === '' ? [] : text.split('/');
}

function pathEscape(problem: string): FilesError {
  return refused('path_escape', `A path target could leave the server's scope: ${problem}.`);
}
