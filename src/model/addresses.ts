/** What ends a URL in a text, though it may be part of one. */
const DELIMITER = /['()[\]{}|^]/g;
const RUN = /[^\s"'<>()[\]{}`|^]*/y;
/** What follows in brackets that are closed again is part of the query. */
const BRACKETED = /(?:\([^\s"'<>()[\]{}`|^]*\)[^\s"'<>()[\]{}`|^]*|\[[^\s"'<>()[\]{}`|^]*\][^\s"'<>()[\]{}`|^]*)*/y;
const URL_IN_TEXT = /[a-z][a-z\d+.-]{0,30}:(?:\\?\/){2}[^\s"'<>()[\]{}`|^]+/gi;
const WITHOUT_SCHEME = /(?<![\w.-])[a-z\d][a-z\d.-]{2,252}(?::\d{1,5})?\\?\/[^\s"'<>()[\]{}`|^]*/gi;
const ENCODED_URL = /https?%3A(?:%2F){2}[^\s"'<>()[\]{}`|^&;]+/gi;

/** More brackets and quotes are in no URL, and more segments in no path: what a text may cost has a bound. */
const MOST_DELIMITERS = 16;
const MOST_SEGMENTS = 32;

/** Where files are: finds that again in any text, in the spellings that servers use, with any query or none. */
export class Addresses {
  /** Normal forms. */
  readonly #urls = new Set<string>();
  /** Of these every link to the site would be one; with a query it is. */
  readonly #origins = new Set<string>();
  /** Ends of URLs: a `path` has no origin of its own. */
  readonly #paths = new Set<string>();
  #delimiters = 0;
  #segments = 0;

  /** An absolute URI. */
  add(uri: string): void {
    const normal = normalForm(uri);
    if (/^https?:\/\/[^/?#]*\/?(?:[?#]|$)/i.test(uri)) this.#origins.add(trimmedEnd(normal, '/'));
    else this.#urls.add(normal);
    this.#delimiters = Math.max(this.#delimiters, delimitersIn(normal));
  }

  addPath(path: string): void {
    const normal = normalPath(path);
    // Of a single plain word other URLs end as well.
    if (normal === '' || !(/[/\d.]/.test(normal) || path.includes('?'))) return;
    this.#paths.add(normal);
    this.#delimiters = Math.max(this.#delimiters, delimitersIn(normal));
    this.#segments = Math.min(MOST_SEGMENTS, Math.max(this.#segments, normal.split('/').length));
  }

  get hasPaths(): boolean {
    return this.#paths.size > 0;
  }

  scrub(text: string): string {
    if (this.#urls.size + this.#origins.size + this.#paths.size === 0) return text;
    const scrubbed = this.#without(URL_IN_TEXT, text).replace(ENCODED_URL, url =>
      this.#has(decoded(url)) ? '[address removed]' : url,
    );
    return this.#urls.size + this.#origins.size === 0 ? scrubbed : this.#without(WITHOUT_SCHEME, scrubbed);
  }

  /** Is a bare word the `path` of a file? A single segment is where it is no file's name, and no word of a language. */
  isPath(word: string): boolean {
    const path = normalPath(word);
    if (!path.includes('/') && (path.length < 8 || !/\d/.test(path) || /\.[a-z\d]{1,10}$/.test(path))) return false;
    return this.#paths.has(path);
  }

  #without(pattern: RegExp, text: string): string {
    const kept: string[] = [];
    let at = 0;
    const each = new RegExp(pattern);
    for (let match = each.exec(text); match !== null; match = each.exec(text)) {
      const end = this.#endOf(text, match.index, each.lastIndex);
      if (end === undefined) continue;
      kept.push(text.slice(at, match.index), '[address removed]');
      at = end;
      each.lastIndex = end;
    }
    return kept.length === 0 ? text : kept.join('') + text.slice(at);
  }

  /** Where the address that starts there ends, if one does: `end` is where it ends at the latest without brackets or quotes. */
  #endOf(text: string, start: number, end: number): number | undefined {
    const ends = [end];
    for (let last = end; ends.length <= this.#delimiters && isDelimiter(text[last]); ends.push(last)) {
      last = runEnd(RUN, text, last + 1);
    }
    for (const candidate of ends.reverse()) {
      const url = text.slice(start, candidate);
      if (!this.#has(url)) continue;
      if (queryStart(url) >= 0) return runEnd(BRACKETED, text, candidate);
      return start + withoutSentence(url).length;
    }
    return undefined;
  }

  #has(url: string): boolean {
    const normal = normalForm(url);
    if (queryStart(url) >= 0 && this.#origins.has(trimmedEnd(normal, '/'))) return true;
    return [normal, withoutSentence(normal)].some(each => this.#urls.has(each) || this.#endsWithPath(each));
  }

  #endsWithPath(url: string): boolean {
    let at = url.length;
    for (let count = 0; count < this.#segments && at > 0; count++) {
      at = url.lastIndexOf('/', at - 1);
      if (at < 0) return false;
      if (this.#paths.has(url.slice(at + 1))) return true;
    }
    return false;
  }
}

/** Without these at its end; a regular expression would look for the end from each of them. */
export function trimmedEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function withoutSentence(url: string): string {
  return trimmedEnd(url, '.,;:!?*_');
}

/** Servers write `?` escaped in JSON. */
function queryStart(uri: string): number {
  return uri.search(/[?#]|\\u003f/i);
}

export function pathOf(uri: string): string {
  const query = queryStart(uri);
  return query < 0 ? uri : uri.slice(0, query);
}

/** Up to the query or fragment, in lower case, and for the web without scheme and default port. */
function normalForm(uri: string): string {
  return pathOf(uri)
    .replaceAll('\\/', '/')
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^([a-z\d.-]{1,253}):(?:443|80)(?=\/|$)/, '$1');
}

function normalPath(path: string): string {
  let start = 0;
  while (path[start] === '/') start++;
  return pathOf(path.slice(start)).toLowerCase();
}

function delimitersIn(text: string): number {
  return Math.min(MOST_DELIMITERS, text.match(DELIMITER)?.length ?? 0);
}

function isDelimiter(character: string | undefined): boolean {
  return character !== undefined && "'()[]{}|^".includes(character);
}

function runEnd(pattern: RegExp, text: string, from: number): number {
  const run = new RegExp(pattern);
  run.lastIndex = from;
  return from + (run.exec(text)?.[0].length ?? 0);
}
