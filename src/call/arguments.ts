import { FilesError, OBJECT } from '../errors/index.js';
import { type FileDeclaration, pointerOf } from '../protocol/index.js';
import { type FileSource, toFileSource } from '../source/index.js';

/** Deeper than any schema declares a file; keeps a cyclic or hostile value from exhausting the stack. */
const MAX_DEPTH = 256;

/** A file found in the arguments of a call. */
export interface FileInArguments {
  /** JSON Pointer (RFC 6901) into `arguments`. */
  readonly pointer: string;
  readonly source: FileSource;
  /** Puts the value that goes to the wire in the file's place in the copied arguments. */
  readonly put: (value: unknown) => void;
  /** How it is written where the tool declares no file; absent: it may not stand there. */
  readonly undeclared?: FileDeclaration;
}

/** A text of the arguments that may stand for a file. */
export interface TextInArguments {
  readonly pointer: string;
  readonly text: string;
  readonly put: (value: unknown) => void;
  /** So many of the files stand before it. */
  readonly after: number;
}

/** A private copy of a call's arguments, and what is in it of files, depth first. */
export interface CopiedArguments {
  readonly arguments: { [key: string]: unknown };
  readonly files: readonly FileInArguments[];
  /** The texts that were asked for. */
  readonly texts: readonly TextInArguments[];
}

/** The source behind a value of the arguments that is a file. Throws `argument_invalid` for one that cannot be sent. */
type SourceOf = (value: object, pointer: () => string) => FileSource | undefined;

/** Copies the arguments as JSON would carry them, so that the caller's later changes do not count. */
export function copyArguments(
  original: { readonly [key: string]: unknown } | undefined,
  sourceOf: SourceOf = toFileSource,
  isWanted: (text: string) => boolean = () => false,
): CopiedArguments {
  const files: FileInArguments[] = [];
  const texts: TextInArguments[] = [];
  const path: (string | number)[] = [];
  const open = new Set<object>();
  const pointerHere = (): string => pointerOf(path);

  const copy = (value: unknown, put: (value: unknown) => void): unknown => {
    if (typeof value === 'string' && isWanted(value)) {
      texts.push({ pointer: pointerOf(path), text: value, put, after: files.length });
    }
    if (typeof value !== 'object' || value === null) return checkedScalar(value, path);
    const source = sourceOf(value, pointerHere);
    if (source !== undefined) {
      files.push({ pointer: pointerHere(), source, put });
      return null;
    }
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
      throw invalid(path, 'holds bare bytes; wrap them with fromBytes(bytes, { name })');
    }
    if (typeof (value as { toJSON?: unknown }).toJSON === 'function') {
      return copy((value as { toJSON(): unknown }).toJSON(), put);
    }
    const live = liveKind(value);
    if (live !== undefined) throw invalid(path, `holds ${live}`);
    if (open.has(value) || path.length >= MAX_DEPTH)
      throw invalid(path, `is cyclic or deeper than ${MAX_DEPTH} levels`);
    open.add(value);
    const container: unknown = Array.isArray(value) ? copyArray(value) : copyObject(value);
    open.delete(value);
    return container;
  };

  const copyArray = (from: readonly unknown[]): unknown[] => {
    const to: unknown[] = new Array(from.length);
    for (let index = 0; index < from.length; index++) {
      path.push(index);
      to[index] = copy(from[index], value => {
        to[index] = value;
      });
      path.pop();
    }
    return to;
  };

  const copyObject = (from: object): { [key: string]: unknown } => {
    const to: { [key: string]: unknown } = {};
    for (const [key, value] of Object.entries(from)) {
      if (value === undefined) continue;
      path.push(key);
      const put = (copied: unknown): void => define(to, key, copied);
      put(copy(value, put));
      path.pop();
    }
    return to;
  };

  if (
    original !== undefined &&
    !(OBJECT[0](original) && sourceOf(original, pointerHere) === undefined && liveKind(original) === undefined)
  ) {
    throw invalid(path, 'must be an object of named arguments');
  }
  return { arguments: copyObject(original ?? {}), files, texts };
}

/** Plain assignment would call the setter behind a member named `__proto__`. */
export function define(target: { [key: string]: unknown }, key: string, value: unknown): void {
  if (key !== '__proto__') target[key] = value;
  else Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

function checkedScalar(value: unknown, path: readonly (string | number)[]): unknown {
  if (typeof value === 'bigint' || typeof value === 'function' || typeof value === 'symbol') {
    throw invalid(path, `is a ${typeof value}, which JSON cannot carry`);
  }
  return value;
}

/** What JSON would quietly make `{}` of, or spell out with a local path in it: handles, streams, promises, collections. */
function liveKind(value: object): string | undefined {
  const { then, pipe, getReader, createReadStream } = value as Record<string, unknown>;
  if (typeof then === 'function') return 'a promise, which JSON cannot carry: await it first';
  if (typeof pipe === 'function' || typeof getReader === 'function' || Symbol.asyncIterator in value)
    return 'a stream, which JSON cannot carry: wrap it with fromStream';
  if (typeof createReadStream === 'function') return 'an open file, which JSON cannot carry: name it with fromPath';
  if (!Array.isArray(value) && Symbol.iterator in value) return 'a collection, which JSON cannot carry';
  return undefined;
}

function invalid(path: readonly (string | number)[], rule: string): FilesError {
  const pointer = pointerOf(path);
  return new FilesError('argument_invalid', `The argument at "${pointer}" ${rule}.`, { pointer });
}
