import { FilesError } from '../errors/index.js';
import { readFileFacts } from './file-facts.js';
import { isObject, member, objectMember } from './json.js';
import { pointerOf } from './json-pointer.js';
import { FILES_EXTENSION } from './names.js';
import { type Place, readAccess } from './target-members.js';
import type { DownloadTarget, JsonObject, Note } from './types.js';

export interface Downloads {
  readonly downloads: DownloadTarget[];
  /** Where each of them stands: JSON Pointer (RFC 6901) into the result that was given. */
  readonly pointers: string[];
  readonly result: JsonObject;
}

/**
 * The files that a tool returned, from the extension's entry in the result's `_meta`, and the result without that entry
 * (and without a `_meta` that it leaves empty). It never throws: the tool has run, and its result is worth more than a
 * malformed entry. A file whose target is malformed stays listed, with an empty `url` that no policy lets through.
 */
export function readDownloads(result: JsonObject, note: Note): Downloads {
  const meta = objectMember(result, '_meta');
  if (!meta || !Object.hasOwn(meta, FILES_EXTENSION)) return { downloads: [], pointers: [], result };
  const { [FILES_EXTENSION]: entry, ...otherMeta } = meta;
  const { _meta, ...rest } = result;
  const { list, at } = listOf(entry, note);
  const listed = list.flatMap((item, index) =>
    readDownload(item, index, note).map(target => ({ target, pointer: pointerOf([...at, index]) })),
  );
  return {
    downloads: listed.map(({ target }) => target),
    pointers: listed.map(({ pointer }) => pointer),
    result: Object.keys(otherMeta).length > 0 ? { ...rest, _meta: otherMeta } : rest,
  };
}

function listOf(entry: unknown, note: Note): { list: readonly unknown[]; at: readonly string[] } {
  const at = ['_meta', FILES_EXTENSION];
  if (Array.isArray(entry)) return { list: entry, at };
  const name = member(entry, 'downloads') === undefined ? 'files' : 'downloads';
  const list = member(entry, name);
  if (Array.isArray(list)) return { list, at: [...at, name] };
  note('the returned files in "_meta" are no list: ignored');
  return { list: [], at };
}

function readDownload(item: unknown, index: number, note: Note): DownloadTarget[] {
  const noteItem: Note = message => note(`returned file ${index}: ${message}`);
  if (!isObject(item)) {
    noteItem('it is no object: ignored');
    return [];
  }
  return [{ ...readFileFacts(item, noteItem), ...readTargetOf(item, noteItem) }];
}

function readTargetOf(item: JsonObject, note: Note): ReturnType<typeof readAccess> & Pick<DownloadTarget, 'malformed'> {
  const place: Place = { broken: rule => new FilesError('server_violation', rule), note };
  try {
    return readAccess(item, place);
  } catch (error) {
    note(`it cannot be fetched: ${(error as Error).message}`);
    return { url: '', headers: [], credentials: 'omit', malformed: item };
  }
}
