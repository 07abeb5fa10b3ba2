import { FilesError } from '../errors/index.js';
import { readFileFacts } from './file-facts.js';
import { isObject, member, objectMember } from './json.js';
import { FILES_EXTENSION } from './names.js';
import { type Place, readAccess } from './target-members.js';
import type { DownloadTarget, JsonObject, Note } from './types.js';

/**
 * The files that a tool returned, from the extension's entry in the result's `_meta`, and the result without that entry
 * (and without a `_meta` that it leaves empty). It never throws: the tool has run, and its result is worth more than a
 * malformed entry. A file whose target is malformed stays listed, with an empty `url` that no policy lets through.
 */
export function readDownloads(result: JsonObject, note: Note): { downloads: DownloadTarget[]; result: JsonObject } {
  const meta = objectMember(result, '_meta');
  if (!meta || !Object.hasOwn(meta, FILES_EXTENSION)) return { downloads: [], result };
  const { [FILES_EXTENSION]: entry, ...otherMeta } = meta;
  const { _meta, ...rest } = result;
  return {
    downloads: listOf(entry, note).flatMap((item, index) => readDownload(item, index, note)),
    result: Object.keys(otherMeta).length > 0 ? { ...rest, _meta: otherMeta } : rest,
  };
}

function listOf(entry: unknown, note: Note): readonly unknown[] {
  const list = Array.isArray(entry) ? entry : (member(entry, 'downloads') ?? member(entry, 'files'));
  if (Array.isArray(list)) return list;
  note('the returned files in "_meta" are no list: ignored');
  return [];
}

function readDownload(item: unknown, index: number, note: Note): DownloadTarget[] {
  const noteItem: Note = message => note(`returned file ${index}: ${message}`);
  if (!isObject(item)) {
    noteItem('it is no object: ignored');
    return [];
  }
  return [{ ...readFileFacts(item, noteItem), ...readTargetOf(item, noteItem) }];
}

function readTargetOf(item: JsonObject, note: Note): ReturnType<typeof readAccess> {
  const place: Place = { broken: rule => new FilesError('server_violation', rule), note };
  try {
    return readAccess(item, place);
  } catch (error) {
    note(`it cannot be fetched: ${(error as Error).message}`);
    return { url: '', headers: [], credentials: 'omit' };
  }
}
