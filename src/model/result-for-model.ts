import { FilesError, safeCause } from '../errors/index.js';
import { FILES_EXTENSION, findReturnedFiles, inlineBytes, placesOf, type ReturnedSource } from '../protocol/index.js';
import { isObject, listMember, member } from '../protocol/json.js';
import { pointerOf } from '../protocol/json-pointer.js';
import type { JsonObject } from '../protocol/types.js';
import { fromBytes, joined } from '../source/index.js';
import { isMediaType } from '../source/media-type.js';
import { descriptorsIn } from './descriptors.js';
import { HiddenTexts } from './hidden-texts.js';
import type { FileRegistry, RegisteredFile } from './registry.js';
import { isRemoteFile, sourceOf } from './remote-file.js';
import { namesOf } from './returned-names.js';
import { lineOf, type ShownFile, shownFile } from './shown-file.js';
import { withoutBytes } from './without-bytes.js';

/** Options of {@link resultForModel}. */
export interface ResultForModelOptions {
  /** Gives each returned file a handle, which the model can pass to the next tool. Default: none get one. */
  readonly registry?: FileRegistry;
  /** Of the handles: the conversation or owner whose calls may use them. Default: calls without a scope. */
  readonly scope?: string;
}

/** A tool result of the specification: what `callTool` of an MCP SDK gives. */
export interface CallToolResult {
  content: { type: string; [key: string]: unknown }[];
  structuredContent?: { [key: string]: unknown };
  isError?: boolean;
  _meta?: { [key: string]: unknown };
  [key: string]: unknown;
}

/** Content items that are nothing but a file. */
const NEVER_SHOWN: readonly unknown[] = ['image', 'audio', 'video', 'blob', 'resource', 'resource_link', 'file'];

/** A file of the result. */
interface Found {
  readonly name: string;
  readonly mimeType?: string;
  readonly size?: number;
  readonly places: readonly string[];
  readonly source: ReturnedSource | undefined;
  /** What a handle of it stands for; absent where only the server can say where it is. */
  readonly file: RegisteredFile | undefined;
}

/**
 * A tool result as a model is to see it. Every returned file is one line of text, in its place in `content` or after the
 * rest: name with its relative folder, type, size, and a handle where a registry is given. In `structuredContent` an object
 * of the same stands in its place. Gone are the bytes of images, audio, blobs and data URIs, the addresses of files, wherever
 * they are quoted, long runs of base64, and what the library added (`files`, `transfers`). Texts stay, that of an embedded
 * resource too: they are what the tool has to say. The result that is given stays as it is.
 *
 * Takes the result of `callToolWithFiles`, or one of an MCP SDK as it is: of that, only files whose bytes are in it get a
 * handle.
 *
 * @throws FilesError `file_unreadable`, outcome `completed`, where the registry takes no file.
 */
export async function resultForModel(
  result: { readonly [key: string]: unknown },
  { registry, scope }: ResultForModelOptions = {},
): Promise<CallToolResult> {
  const { files, transfers: _transfers, resultType: _resultType, ...given } = result;
  const found = await filesOf(files, given);
  const hidden = new HiddenTexts();
  const shown = new Map<string, { readonly file: ShownFile; readonly isFirst: boolean }>();
  const rest: ShownFile[] = [];
  for (const each of found) {
    if (each.source) hidden.add(each.source);
    const handle = each.file && registry ? await register(each.file, registry, scope) : undefined;
    const file = shownFile(each, handle);
    const first = each.places.find(place => /^\/content\/\d+$/.test(place));
    if (first === undefined) rest.push(file);
    for (const place of each.places) shown.set(place, { file, isFirst: place === first });
  }
  for (const descriptor of descriptorsIn(given)) hidden.addDescriptor(descriptor);
  const scrub = (value: unknown, path: readonly string[]): unknown =>
    withoutBytes(value, path, hidden, pointer => shown.get(pointer)?.file);
  const { content: _content, _meta, ...others } = given;
  const meta = isObject(_meta) ? Object.entries(_meta).filter(([name]) => name !== FILES_EXTENSION) : [];
  return {
    ...(scrub(others, []) as JsonObject),
    content: [
      ...listMember(given, 'content').flatMap((item, index) => {
        const pointer = pointerOf(['content', index]);
        const at = shown.get(pointer);
        const annotations = scrub(member(item, 'annotations'), ['content', String(index), 'annotations']);
        if (at === undefined) {
          // What is no file for all that it is called one: a model's interface would take it for an image, and refuse it.
          if (NEVER_SHOWN.includes(member(item, 'type'))) return [textItem('[file content removed]', annotations)];
          return [scrub(item, ['content', String(index)]) as CallToolResult['content'][number]];
        }
        return [...(at.isFirst ? [textItem(lineOf(at.file), annotations)] : []), ...textOf(item, hidden, annotations)];
      }),
      ...rest.map(file => textItem(lineOf(file))),
    ],
    ...(meta.length > 0 && { _meta: scrub(Object.fromEntries(meta), ['_meta']) as JsonObject }),
  };
}

/** The files of a result, each with all its places: what the library made of it, and what else is in it. */
async function filesOf(files: unknown, given: JsonObject): Promise<Found[]> {
  const remote = (Array.isArray(files) ? files : []).filter(isRemoteFile).map((file): Found => {
    const { name, mimeType, size } = file;
    const places = placesOf(file).map(({ pointer }) => pointer);
    const facts = { ...(mimeType !== undefined && { mimeType }), ...(size !== undefined && { size }) };
    return { name, ...facts, places, source: sourceOf(file), file };
  });
  const known = new Set(remote.flatMap(({ places }) => places));
  const others = findReturnedFiles(given, () => {}).filter(({ places }) => !places.some(at => known.has(at.pointer)));
  const names = await namesOf(others);
  return [
    ...remote,
    ...others.map((each, index): Found => {
      const { mimeType, size, source } = each;
      const facts = { ...(mimeType !== undefined && { mimeType }), ...(size !== undefined && { size }) };
      const places = each.places.map(({ pointer }) => pointer);
      return { name: names[index]!, ...facts, places, source, file: inMemory(names[index]!, mimeType, source) };
    }),
  ];
}

/** The bytes that came along, as a file of their own. */
function inMemory(name: string, type: string | undefined, source: ReturnedSource): RegisteredFile | undefined {
  if (source.kind !== 'inline') return undefined;
  try {
    const bytes = joined([...inlineBytes(source.content)]);
    return fromBytes(bytes, { name, ...(type !== undefined && isMediaType(type) && { type }) });
  } catch {
    return undefined; // what cannot be decoded is no file
  }
}

async function register(file: RegisteredFile, registry: FileRegistry, scope: string | undefined): Promise<string> {
  try {
    return await registry.add(file, scope === undefined ? {} : { scope });
  } catch (error) {
    throw new FilesError('file_unreadable', 'The file registry did not take a file that the tool returned.', {
      outcome: 'completed',
      cause: safeCause(error),
    });
  }
}

/** For whom an item is (`annotations.audience`) goes for what stands in its place. */
function textItem(text: string, annotations?: unknown): { type: string; text: string } {
  return { type: 'text', text, ...(isObject(annotations) && { annotations }) };
}

/** The text of an embedded resource: it was sent to be read. */
function textOf(item: unknown, hidden: HiddenTexts, annotations: unknown): { type: string; text: string }[] {
  const text = member(member(item, 'resource'), 'text');
  return typeof text === 'string' && member(item, 'type') === 'resource'
    ? [textItem(hidden.scrub(text), annotations)]
    : [];
}
