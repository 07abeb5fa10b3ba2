import { FilesError } from '../errors/index.js';
import { isObject, member, objectMember, shown } from './json.js';
import { FILE_KEYWORD, FILES_EXTENSION } from './names.js';
import type { InputRequest, JsonObject, Note, SplitInputRequests } from './types.js';

// Methods of the core specification (2026-07-28, MRTR): never an upload, whatever they carry.
const CORE_METHODS = ['elicitation/create', 'sampling/createMessage', 'roots/list'];
// Seen or proposed; the draft has not settled the name, so the shape of an entry counts as well.
const UPLOAD_METHODS = [`${FILES_EXTENSION}/upload`, 'files/upload', `${FILE_KEYWORD}/upload`];
const CONTAINERS = ['targets', 'uploads', 'files'];

/**
 * Tells the upload entry of `inputRequests` from elicitation, sampling and roots, by method and shape and never by key.
 * `uploadPossible`: the server advertises the extension and a file of the call was sent without data, or is empty.
 * Throws `server_violation` for two upload entries, and for an entry that is neither an upload nor names a method.
 */
export function splitInputRequests(inputRequests: JsonObject, uploadPossible: boolean, note: Note): SplitInputRequests {
  if (!isObject(inputRequests)) throw malformed('"inputRequests" is no object');
  let upload: SplitInputRequests['upload'];
  const others: InputRequest[] = [];
  for (const [key, entry] of Object.entries(inputRequests)) {
    if (!isObject(entry)) throw malformed(`the entry ${shown(key)} is no object`);
    const method = member(entry, 'method');
    if (uploadPossible && isUpload(entry, method)) {
      if (upload) throw malformed(`both ${shown(upload.key)} and ${shown(key)} ask for an upload, and one is allowed`);
      if (!UPLOAD_METHODS.includes(method as string))
        note(`input request ${shown(key)}: taken for an upload by its shape`);
      upload = { key, entry };
    } else if (typeof method === 'string') {
      if (UPLOAD_METHODS.includes(method)) note(`input request ${shown(key)}: no upload is possible here, handed on`);
      others.push({ key, method, params: paramsOf(key, entry, note) });
    } else {
      throw malformed(`the entry ${shown(key)} neither names a method nor carries upload targets`);
    }
  }
  return { ...(upload && { upload }), others };
}

function isUpload(entry: JsonObject, method: unknown): boolean {
  if (CORE_METHODS.includes(method as string)) return false;
  if (UPLOAD_METHODS.includes(method as string)) return true;
  const targets = targetsOf(entry);
  if (typeof method !== 'string' || !targets) return targets !== undefined;
  // Another extension may ask for input with an "url" or "files" of its own. Under a method not known here, only targets
  // that each name their file count: taken by mistake, they name no file of the call, and no byte goes anywhere.
  if (isTargetLike(targets)) return false;
  if (Array.isArray(targets)) return targets.some(target => isTargetLike(target) && fileNameIn(target) !== undefined);
  return Object.values(targets).some(isTargetLike);
}

function paramsOf(key: string, entry: JsonObject, note: Note): JsonObject | undefined {
  const params = member(entry, 'params');
  if (params !== undefined && !isObject(params))
    note(`input request ${shown(key)}: its "params" are no object, ignored`);
  return isObject(params) ? params : undefined;
}

/**
 * What an upload entry carries its targets in: an object by pointer or name, a list, or the lone target itself, in
 * `params` or in the entry.
 */
export function targetsOf(entry: JsonObject): JsonObject | readonly unknown[] | undefined {
  const holders = [objectMember(entry, 'params'), entry].filter(holder => holder !== undefined);
  for (const holder of holders) {
    for (const name of CONTAINERS) {
      const container = member(holder, name);
      if (isObject(container) || Array.isArray(container)) return container;
    }
  }
  return holders.find(isTargetLike);
}

/** A file argument may be called "url": only a text says that this is the target itself. */
export function isTargetLike(value: unknown): value is JsonObject {
  return ['url', 'path'].some(name => typeof member(value, name) === 'string');
}

/** How an item of a list of targets names its file. */
export function fileNameIn(target: JsonObject): unknown {
  return member(target, 'pointer') ?? member(target, 'argument');
}

function malformed(rule: string): FilesError {
  return new FilesError('server_violation', `The server's request for input is malformed: ${rule}.`);
}
