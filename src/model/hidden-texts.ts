import type { ReturnedSource } from '../protocol/index.js';
import { member } from '../protocol/json.js';
import { Addresses, decoded, pathOf, trimmedEnd } from './addresses.js';

/** A shorter word may be any word. */
const LEAST_WORD = 12;
/** A shorter run of letters and digits may be a word, a number, a checksum. */
const LEAST_BASE64 = 256;

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
  readonly #addresses = new Addresses();
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
        const { url, path, headers, malformed } = source.target;
        this.addDescriptor(malformed ?? { url, path, headers: headers.map(([, value]) => value) });
      }
    }
  }

  /** What says where to fetch a file and with what, well-formed or not. */
  addDescriptor(descriptor: unknown): void {
    const [url, path, headers] = ['url', 'path', 'headers'].map(name => member(descriptor, name));
    if (typeof url === 'string' && url !== '') this.#addAddress(url);
    if (typeof path === 'string') {
      this.#addresses.addPath(path);
      this.#addWords(queryValues(path));
    }
    for (const value of textsIn(headers)) this.#addWords(value.split(/[\s;,]+/));
  }

  /** The text without any of that, without data URIs, and without long runs of base64, whoever they belong to. */
  scrub(text: string): string {
    let scrubbed = text.replace(FILE_URI, '[address removed]');
    scrubbed = this.#addresses.scrub(scrubbed);
    if (this.#words.size > 0 || this.#addresses.hasPaths) {
      scrubbed = scrubbed.replace(WORD, word => (this.#isHidden(word) ? '[removed]' : word));
    }
    if (scrubbed.length >= 'data:;base64,'.length) scrubbed = scrubbed.replace(DATA_URI, '[file content removed]');
    if (scrubbed.length < LEAST_BASE64) return scrubbed;
    return scrubbed
      .replace(LINES_OF_BASE64, lines => (isMixed(lines) ? '[file content removed]' : lines))
      .replace(BASE64, run => (isMixed(run) ? '[file content removed]' : run));
  }

  #addAddress(uri: string): void {
    this.#addresses.add(uri);
    if (!/[?#]/.test(uri) || !uri.includes('://')) this.#words.add(pathOf(uri));
    this.#addWords(queryValues(uri));
  }

  #addWords(words: readonly string[]): void {
    for (const word of words) {
      const isType = /^[\w.+-]+\/[\w.+-]+$/.test(word) && !/\d/.test(word);
      if (word.length >= LEAST_WORD && !isType) this.#words.add(withoutPadding(word));
    }
  }

  #isHidden(word: string): boolean {
    const whole = withoutPadding(word);
    const bare = trimmedEnd(whole, '.:');
    return [whole, bare].some(each => this.#words.has(each) || this.#addresses.isPath(each));
  }
}

function isWeb(uri: string): boolean {
  return /^https?:/i.test(uri);
}

/** Each value of the query, as it stands and decoded. */
function queryValues(uri: string): string[] {
  const query = /\?([^#]*)/s.exec(uri)?.[1] ?? '';
  const values = query.split('&').map(pair => pair.slice(pair.indexOf('=') + 1));
  return [...values, ...values.map(decoded)].flatMap(value => [value, ...value.split(/\s+/)]);
}

/** The strings of a list or map of any shape: pairs, objects with a name and a value, values alone. */
function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > 3) return [];
  return Object.values(value).flatMap(inner => textsIn(inner, depth + 1));
}

function withoutPadding(text: string): string {
  return trimmedEnd(text, '=');
}

/** Letters of both cases and digits: a run of one kind is a sequence of something else. */
function isMixed(run: string): boolean {
  return /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run);
}
