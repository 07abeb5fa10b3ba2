import { isObject, member, shown } from './json.js';
import { pointerOf } from './json-pointer.js';
import type { JsonObject, Note, PendingFile, UploadTarget } from './types.js';
import { fileNameIn, isTargetLike, targetsOf } from './upload-request.js';
import { readUploadTarget, violation } from './upload-target.js';

/** A target with what names its file; a lone target may name none. */
type NamedTarget = readonly [name: string | undefined, target: unknown];

/**
 * The targets of an upload entry by JSON Pointer, in the order of `files` (all files of the call): one for each file
 * that is neither empty nor inline, and no other. A target for an empty file is ignored with a note. Throws
 * `server_violation` for a file without a target, a name that is no file's, a target for an inline file, and anything
 * malformed.
 */
export function readTargets(entry: JsonObject, files: readonly PendingFile[], note: Note): Map<string, UploadTarget> {
  if (files.every(file => file.size === 0)) {
    note('an upload request where every file of the call is empty: its targets are ignored');
    return new Map();
  }
  const byPointer = new Map(files.map(file => [file.pointer, file]));
  const pending = files.filter(file => file.size > 0 && !file.inline);
  const given = new Map<string, unknown>();
  for (const [name, target] of namedTargets(entry, byPointer)) {
    const file = name === undefined ? onlyFile(pending) : fileNamed(name, byPointer, note);
    if (file.size === 0) note(`the file at ${shown(file.pointer)} is empty: its upload target is ignored`);
    else if (file.inline) throw violation(`a target for ${shown(file.pointer)}, which was sent inline`, file.pointer);
    else if (given.has(file.pointer)) throw violation(`two targets for ${shown(file.pointer)}`, file.pointer);
    else given.set(file.pointer, target);
  }
  return new Map(
    pending.map(({ pointer }) => {
      if (!given.has(pointer)) throw violation(`no target for the file at ${shown(pointer)}`, pointer);
      return [pointer, readUploadTarget(given.get(pointer), pointer, note)];
    }),
  );
}

function namedTargets(entry: JsonObject, byPointer: ReadonlyMap<string, PendingFile>): NamedTarget[] {
  const targets = targetsOf(entry) ?? [];
  if (isTargetLike(targets)) return [[undefined, targets]];
  if (isObject(targets)) return Object.entries(targets);
  const named = targets.map((target): NamedTarget => [nameIn(target, byPointer), target]);
  if (named.length > 1 && named.some(([name]) => name === undefined)) {
    throw violation('a list of several targets where one does not say which file it is for');
  }
  return named;
}

/** `pointer` or `argument`; `name` only where it is an argument's, since it may be the file's name as well. */
function nameIn(target: unknown, byPointer: ReadonlyMap<string, PendingFile>): string | undefined {
  if (!isObject(target)) throw violation('an item of the list of targets is no object');
  const given = fileNameIn(target);
  if (given !== undefined && typeof given !== 'string') throw violation('a target names its file by no string');
  if (given !== undefined) return given;
  const name = member(target, 'name');
  return typeof name === 'string' && lookUp(name, byPointer) ? name : undefined;
}

function fileNamed(name: string, byPointer: ReadonlyMap<string, PendingFile>, note: Note): PendingFile {
  const file = lookUp(name, byPointer);
  if (!file) throw violation(`a target for ${shown(name)}, where the call has no file`);
  if (file.pointer !== name) note(`a target names its file ${shown(name)}: read as ${shown(file.pointer)}`);
  return file;
}

/** By JSON Pointer, or by the bare name of a top-level argument. */
function lookUp(name: string, byPointer: ReadonlyMap<string, PendingFile>): PendingFile | undefined {
  return byPointer.get(name) ?? byPointer.get(pointerOf([name]));
}

/** The file that a target without a name is for. */
function onlyFile(pending: readonly PendingFile[]): PendingFile {
  const [file] = pending;
  if (file && pending.length === 1) return file;
  throw violation(`a target that does not say which of ${pending.length} files it is for`);
}
