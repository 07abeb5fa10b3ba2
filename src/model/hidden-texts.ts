import type { ReturnedSource } from '../protocol/index.js';

/** A shorter word may be any word. */
const LEAST_WORD = 12;
/** A shorter run of letters and digits may be a word, a number, a checksum. */
const LEAST_BASE64 = 256;

const URL_IN_TEXT = /[a-z][a-z\d+.-]{0,30}:(?:\\?\/){2}[^\s"'<>()[\]{}`|^]+/gi;
const ENCODED_URL = /https?%3A(?:%2F){2}[^\s"'<>()[\]{}`|^&;]+/gi;
/** SEP-2631's own scheme names files and nothing else, also where no file of the result is told of by it. */
const FILE_URI = /\bmcp-file:[^\s"'<>()[\]{}`\\]+/gi;
const WORD = /[\w.~+/%:-]{6,}={0,2}/g;
const DATA_URI =
  /\bdata:(?:[\w.+-]{1,80}\/[\w.+-]{1,80}|(?=;base64,))(?:;[^\s,;"'<>]{1,100}){0,8},[^\s"'<>()[\]{}`\\]*/gi;
const LINES_OF_BASE64 = /(?:[A-Za-z\d+/]{60,80}\r?\n){3,}[A-Za-z\d+/]*={0,2}/g;
const BASE64 = /[A-Za-z\d+/_-]{256,}={0,2}/g;

/**
 * What must not come to a model in any text: where the returned files are, what their targets are signed with, and their
 * content where it came along. Servers say such things more than once: in a text beside the list, or in the JSON of a result
 * as a text.
 */
export class HiddenTexts {
  /** URLs up to their query, in lower case. */
  readonly #urls = new Set<string>();
  /** Ends of them: `path` targets have no origin of their own. */
  readonly #paths = new Set<string>();
  readonly #words = new Set<string>();

  add(source: ReturnedSource): void {
    switch (source.kind) {
      case 'inline':
        if ('base64' in source.content) this.#words.add(withoutPadding(source.content.base64));
        if (source.uri !== undefined && isWeb(source.uri)) this.#addAddress(source.uri);
        return;
      case 'uri':
        // A link may name what a tool takes by its name, `demo://item/1`; a web address is one of the file.
        if (source.by === 'authorize' || isWeb(source.uri)) this.#addAddress(source.uri);
        return;
      case 'target': {
        const { url, path, headers } = source.target;
        if (url) this.#addAddress(url);
        if (path !== undefined) {
          const base = baseOf(path.replace(/^\/+/, ''));
          if (base.includes('/') || path.includes('?')) this.#paths.add(base.toLowerCase());
          this.#addWords(queryValues(path));
        }
        this.#addWords(headers.flatMap(([, value]) => value.split(/[\s;,]+/)));
      }
    }
  }

  /** The text without any of that, without data URIs, and without long runs of base64, whoever they belong to. */
  scrub(text: string): string {
    let scrubbed = text.replace(FILE_URI, '[address removed]');
    if (this.#urls.size + this.#paths.size > 0) {
      scrubbed = scrubbed
        .replace(URL_IN_TEXT, url => (this.#isAddress(url) ? '[address removed]' : url))
        .replace(ENCODED_URL, url => (this.#isAddress(decoded(url)) ? '[address removed]' : url));
    }
    if (this.#words.size + this.#paths.size > 0) {
      scrubbed = scrubbed.replace(WORD, word => (this.#isHidden(word) ? '[removed]' : word));
    }
    if (scrubbed.length >= 'data:;base64,'.length) scrubbed = scrubbed.replace(DATA_URI, '[file content removed]');
    if (scrubbed.length < LEAST_BASE64) return scrubbed;
    return scrubbed
      .replace(LINES_OF_BASE64, lines => (isMixed(lines) ? '[file content removed]' : lines))
      .replace(BASE64, run => (isMixed(run) ? '[file content removed]' : run));
  }

  #addAddress(uri: string): void {
    const base = baseOf(uri);
    // Of an origin alone every link to the site would be one.
    if (/:\/\/[^/]+\/?$/.test(base)) this.#words.add(uri);
    else this.#urls.add(base.toLowerCase());
    if (!/:\/\//.test(uri)) this.#words.add(uri);
    this.#addWords(queryValues(uri));
  }

  #addWords(words: readonly string[]): void {
    for (const word of words) {
      const isType = /^[\w.+-]+\/[\w.+-]+$/.test(word) && !/\d/.test(word);
      if (word.length >= LEAST_WORD && !isType) this.#words.add(withoutPadding(word));
    }
  }

  #isAddress(url: string): boolean {
    const base = baseOf(url.replaceAll('\\/', '/')).toLowerCase();
    for (const each of [base, base.replace(/[.,;:!?*_]+$/, '')]) {
      if (this.#urls.has(each)) return true;
      for (const path of this.#paths) if (each.endsWith(`/${path}`)) return true;
    }
    return false;
  }

  #isHidden(word: string): boolean {
    const whole = withoutPadding(word);
    const bare = whole.replace(/[.:]+$/, '');
    return [whole, bare].some(each => this.#words.has(each) || this.#paths.has(each.replace(/^\/+/, '').toLowerCase()));
  }
}

function isWeb(uri: string): boolean {
  return /^https?:/i.test(uri);
}

/** Up to the query or fragment; servers write `&` and `?` escaped in HTML and JSON. */
function baseOf(uri: string): string {
  return uri.replace(/(?:[?#]|\\u003f).*$/is, '');
}

/** Each value of the query, as it stands and decoded. */
function queryValues(uri: string): string[] {
  const query = /\?([^#]*)/s.exec(uri)?.[1] ?? '';
  const values = query.split('&').map(pair => pair.slice(pair.indexOf('=') + 1));
  return [...values, ...values.map(decoded)].flatMap(value => [value, ...value.split(/\s+/)]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function withoutPadding(text: string): string {
  return text.replace(/=+$/, '');
}

/** Letters of both cases and digits: a run of one kind is a sequence of something else. */
function isMixed(run: string): boolean {
  return /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run);
}
