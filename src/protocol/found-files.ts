import type { FileFacts } from './file-facts.js';
import type { InlineContent } from './inline-content.js';
import type { DownloadTarget } from './types.js';

/** What stands at a place: an entry of the extension's list, a content item of that kind, or a `FileValue`. */
export type Shape = 'download' | 'media' | 'resource' | 'resource_link' | 'file';

/** Where in a tool result a file stands. */
export interface FilePlace {
  /** JSON Pointer (RFC 6901) into the result, to the whole item: `/content/2`, `/structuredContent/report`. */
  readonly pointer: string;
  readonly shape: Shape;
}

/** Where a returned file keeps its places; across duplicate copies of the package. */
export const RETURNED_PLACES: unique symbol = Symbol.for('mcp-files-client.places') as never;

/** The places of a file in `result.files`, in the result as the server sent it; none for anything else. */
export function placesOf(file: unknown): readonly FilePlace[] {
  const places = (file as { readonly [RETURNED_PLACES]?: readonly FilePlace[] } | null | undefined)?.[RETURNED_PLACES];
  return Array.isArray(places) ? places : [];
}

/** How a returned file's content is got. */
export type ReturnedSource =
  | { readonly kind: 'target'; readonly target: DownloadTarget }
  /** By a request to the server: `authorize` asks for a download descriptor (SEP-2631), `read` is `resources/read`. */
  | { readonly kind: 'uri'; readonly uri: string; readonly by: 'authorize' | 'read' }
  | { readonly kind: 'inline'; readonly content: InlineContent; readonly uri?: string };

/** One file of a tool result. Names and types are the server's own words, not cleaned. */
export interface ReturnedFile extends FileFacts {
  /** Every place that holds or names it, in the order in which they were met. */
  readonly places: readonly FilePlace[];
  readonly source: ReturnedSource;
}

interface Entry {
  facts: FileFacts;
  source: ReturnedSource;
  readonly places: FilePlace[];
}

/**
 * Files as they are met. The same file is often told of more than once (in `content` and again in `structuredContent`, as
 * a link and as the thing itself): the same bytes, or the same URI, are one file. What one place does not say of it is
 * taken from the others, and bytes at hand win over an address.
 */
export class FoundFiles {
  readonly #entries: Entry[] = [];
  readonly #byUri = new Map<string, Entry>();
  readonly #byContent = new Map<string, Entry>();

  add(place: FilePlace, facts: FileFacts, source: ReturnedSource): void {
    const uri = uriOf(source);
    const known = this.#known(source, uri);
    const entry = known ?? { facts, source, places: [] };
    if (known === undefined) this.#entries.push(entry);
    else merge(entry, facts, source);
    entry.places.push(place);
    if (uri !== undefined && !this.#byUri.has(uri)) this.#byUri.set(uri, entry);
    if (source.kind === 'inline') this.#byContent.set(contentKey(source.content), entry);
  }

  all(): ReturnedFile[] {
    return this.#entries.map(({ facts, source, places }) => ({ ...facts, source, places }));
  }

  #known(source: ReturnedSource, uri: string | undefined): Entry | undefined {
    // Each entry of the extension's list is a file by the server's own word.
    if (source.kind === 'target') return undefined;
    const sameUri = uri === undefined ? undefined : this.#byUri.get(uri);
    if (source.kind !== 'inline') return sameUri;
    const key = contentKey(source.content);
    // Of two contents under one URI each is a file: parts of something, or two states of it.
    if (sameUri && (sameUri.source.kind !== 'inline' || contentKey(sameUri.source.content) === key)) return sameUri;
    const sameContent = this.#byContent.get(key);
    const otherUri = sameContent && uriOf(sameContent.source);
    return uri === undefined || otherUri === undefined || otherUri === uri ? sameContent : undefined;
  }
}

function merge(entry: Entry, facts: FileFacts, source: ReturnedSource): void {
  const isBetter = source.kind === 'inline' && entry.source.kind !== 'inline';
  const gainsUri = entry.source.kind === 'inline' && source.kind === 'inline' && entry.source.uri === undefined;
  // A size that is counted is worth more than one that is told; a digest that is told is checked all the same.
  entry.facts = isBetter ? { ...entry.facts, ...facts } : { ...facts, ...entry.facts };
  if (isBetter || gainsUri) entry.source = source;
  // A descriptor of the file is checked by its digest; a link is not.
  else if (source.kind === 'uri' && entry.source.kind === 'uri' && source.by === 'authorize') entry.source = source;
}

function uriOf(source: ReturnedSource): string | undefined {
  if (source.kind === 'target') return source.target.url || undefined;
  return source.uri;
}

function contentKey(content: InlineContent): string {
  if ('text' in content) return `text:${content.text}`;
  return 'base64' in content ? `base64:${content.base64}` : `percent:${content.percent}`;
}
