import { shownName } from '../errors/index.js';
import { readDownloads } from './downloads.js';
import { type FileFacts, readFileFacts } from './file-facts.js';
import { readFileObject } from './file-objects.js';
import { FoundFiles, type ReturnedFile, type Shape } from './found-files.js';
import { type InlineContent, inlineSize, readDataUri } from './inline-content.js';
import { isByteCount, listMember, member, objectMember } from './json.js';
import { pointerOf, segmentsOf } from './json-pointer.js';
import type { JsonObject, Note } from './types.js';
import { WorkBudget } from './work-budget.js';

export { type FilePlace, placesOf, RETURNED_PLACES, type ReturnedFile, type ReturnedSource } from './found-files.js';

/** Values of `structuredContent` that are looked at; a server may send any number. */
const MOST_VALUES = 200_000;

/** Segments of a place that a note names. */
const MOST_SHOWN = 16;

/** Content types that hold base64 in `data`. The first two are the specification's; the others are met in servers. */
const MEDIA: ReadonlySet<unknown> = new Set(['image', 'audio', 'video', 'blob']);

/** Content types that hold or name a file. */
const ITEMS: ReadonlySet<unknown> = new Set([...MEDIA, 'resource', 'resource_link', 'file']);

/**
 * Every file that a tool result holds or names, each once, with all its places: the extension's list in `_meta`, then
 * `content`, then `structuredContent` at any depth, in the order in which they are met. Pure, and never throws: what is
 * malformed is left out with a note, or, where a place plainly means a file, listed as one that cannot be fetched.
 *
 * Counted as files: entries of the extension's list; content items `image`, `audio`, `resource` (text or blob),
 * `resource_link` and SEP-2631's `file`, also where they stand within `structuredContent`; SEP-2631 `FileValue` objects
 * in `structuredContent`. Data URIs count where a `FileValue` or a link has one for its URI.
 */
export function findReturnedFiles(result: JsonObject, note: Note): ReturnedFile[] {
  const found = new FoundFiles();
  const { downloads, pointers } = readDownloads(result, note);
  for (const [index, target] of downloads.entries()) {
    const { name, mimeType, size, digest } = target;
    const facts = { ...(name !== undefined && { name }), ...(mimeType !== undefined && { mimeType }) };
    const checks = { ...(size !== undefined && { size }), ...(digest && { digest }) };
    found.add({ pointer: pointers[index]!, shape: 'download' }, { ...facts, ...checks }, { kind: 'target', target });
  }
  for (const [index, item] of listMember(result, 'content').entries()) {
    if (!isItem(item)) continue;
    const pointer = pointerOf(['content', index]);
    addItem(found, item, pointer, message => note(`the file at ${pointer}: ${message}`));
  }
  searchStructured(found, member(result, 'structuredContent'), note);
  return found.all();
}

function isItem(value: unknown): value is JsonObject {
  return ITEMS.has(member(value, 'type'));
}

/** Adds the file that a content item is; false where it is none. */
function addItem(found: FoundFiles, item: JsonObject, pointer: string, note: Note): boolean {
  if (MEDIA.has(item.type)) return addData(found, item, pointer, note);
  switch (item.type) {
    case 'resource':
      return addResource(found, objectMember(item, 'resource'), pointer, note);
    case 'resource_link':
      return addByUri(found, item, { pointer, shape: 'resource_link' }, note);
    case 'file':
      return addByUri(found, objectMember(item, 'file'), { pointer, shape: 'file' }, note);
    default:
      return false;
  }
}

function addData(found: FoundFiles, item: JsonObject, pointer: string, note: Note): boolean {
  const data = member(item, 'data');
  if (typeof data !== 'string' || typeof member(item, 'mimeType') !== 'string') return false;
  addInline(found, { pointer, shape: 'media' }, readFileFacts(item, note), { base64: data }, undefined, note);
  return true;
}

/** An embedded resource; SEP-2631 also lets it name a file in place of its text or blob. */
function addResource(found: FoundFiles, resource: JsonObject | undefined, pointer: string, note: Note): boolean {
  const [uri, text, blob] = ['uri', 'text', 'blob'].map(name => member(resource, name));
  const place = { pointer, shape: 'resource' as const };
  if (resource === undefined || typeof uri !== 'string') return false;
  const content = typeof blob === 'string' ? { base64: blob } : typeof text === 'string' ? { text } : undefined;
  if (content === undefined) return addByUri(found, objectMember(resource, 'file'), place, note);
  addInline(found, place, readFileFacts(resource, note), content, uri, note);
  return true;
}

/** A link, or a SEP-2631 `FileValue`: a URI, and what is said of the file behind it. */
function addByUri(
  found: FoundFiles,
  value: JsonObject | undefined,
  place: { readonly pointer: string; readonly shape: Shape },
  note: Note,
): boolean {
  const file = readFileObject(value, note);
  if (file === undefined) return false;
  const { uri, ...facts } = file;
  const inline = readDataUri(uri);
  if (inline === undefined) {
    found.add(place, facts, { kind: 'uri', uri, by: place.shape === 'resource_link' ? 'read' : 'authorize' });
  } else {
    const { content, mimeType } = inline;
    addInline(found, place, { ...(mimeType !== undefined && { mimeType }), ...facts }, content, undefined, note);
  }
  return true;
}

function addInline(
  found: FoundFiles,
  place: { readonly pointer: string; readonly shape: Shape },
  facts: FileFacts,
  content: InlineContent,
  uri: string | undefined,
  note: Note,
): void {
  const size = inlineSize(content);
  if (size === undefined) note('its data cannot be decoded');
  const source = { kind: 'inline' as const, content, ...(uri !== undefined && { uri }) };
  found.add(place, { ...(size !== undefined && { size }), ...facts }, source);
}

/** The file behind a URI that the host names itself; the scheme says which way is tried first. */
export function fileOfUri(uri: string): ReturnedFile {
  const inline = readDataUri(uri);
  if (inline === undefined) {
    return { places: [], source: { kind: 'uri', uri, by: /^mcp-file:/i.test(uri) ? 'authorize' : 'read' } };
  }
  const { content, mimeType } = inline;
  const size = inlineSize(content);
  const facts = { ...(mimeType !== undefined && { mimeType }), ...(size !== undefined && { size }) };
  return { ...facts, places: [], source: { kind: 'inline', content } };
}

/** Depth first, in the order of the members. With a stack of its own: the depth is the server's choice. */
function searchStructured(found: FoundFiles, root: unknown, note: Note): void {
  const budget = new WorkBudget(MOST_VALUES);
  const open: (readonly [value: unknown, pointer: string])[] = [[root, '/structuredContent']];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [value, pointer] = next;
    if (typeof value !== 'object' || value === null) continue;
    const noteFile: Note = message => note(`the file at ${shownPointer(pointer)}: ${message}`);
    if (isItem(value) && addItem(found, value, pointer, noteFile)) continue;
    if (isFileValue(value) && addByUri(found, value, { pointer, shape: 'file' }, noteFile)) continue;
    const members = Object.entries(value);
    if (!budget.spend(members.length)) {
      note('structuredContent is too large: files in the rest of it are not listed');
      return;
    }
    for (const [name, inner] of members.reverse()) {
      if (typeof inner === 'object' && inner !== null) open.push([inner, pointer + pointerOf([name])]);
    }
  }
}

/** The names of the members are the server's choice. */
function shownPointer(pointer: string): string {
  const segments = segmentsOf(pointer);
  const more = segments.length > MOST_SHOWN ? '/…' : '';
  return pointerOf(segments.slice(0, MOST_SHOWN).map(shownName)) + more;
}

/**
 * Does an object without a `type` say of itself that it is a SEP-2631 `FileValue`? Many objects have a `uri`; so it takes a
 * digest, or a type with a size, or a scheme that is used for nothing else.
 */
function isFileValue(value: object): value is JsonObject {
  const uri = member(value, 'uri');
  if (typeof uri !== 'string') return false;
  const digest = member(value, 'digest');
  const hasDigest = typeof member(digest, 'algorithm') === 'string' && typeof member(digest, 'value') === 'string';
  const isDescribed = typeof member(value, 'mimeType') === 'string' && isByteCount(member(value, 'size'));
  return hasDigest || isDescribed || /^(mcp-file|data):/i.test(uri);
}
