import { ANY, FilesError, OBJECT, type Rule, TEXT } from '../errors/index.js';
import type { PlannedFile } from './file-source.js';
import { FALLBACK_TYPE, isMediaType, typeOfName } from './media-type.js';

/**
 * Files up to this size travel as one buffer, larger ones in pieces of this size. Measured (docs/performance.md): smaller
 * pieces cost more CPU and leave more garbage, larger ones take more memory.
 */
export const PIECE_BYTES = 1024 * 1024;

/** What the host may say about a file beside its bytes. */
export interface FileMeta {
  /** Shown to the server; cleaned to a base name. */
  readonly name: string;
  /** Media type by RFC 9110 grammar; from the name's extension where absent. */
  readonly type?: string;
}

/** A bad type is for the call to refuse. */
export const META: Record<keyof FileMeta, Rule> = { name: TEXT, type: ANY };

/** Throws TypeError where the file would have no name: where it is made and not where it is sent. */
export function requireName(meta: unknown, usage: string): void {
  if (OBJECT[0](meta) && TEXT[0]((meta as Partial<FileMeta>).name)) return;
  throw new TypeError(`${usage.slice(0, usage.indexOf('('))} needs the name of the file: ${usage}.`);
}

/** The part of a planned file that is about names and types, the same for every kind of source. */
export async function describe(name: string, type: string | undefined) {
  if (type !== undefined && !isMediaType(type)) {
    throw new FilesError('argument_invalid', `The type given for "${name}" is not a media type (RFC 9110, 8.3.1).`);
  }
  const known = type ?? (await typeOfName(name));
  return { name, type: known ?? FALLBACK_TYPE, typeIsFallback: known === undefined };
}

/** The whole content of a file in one array, from its pieces. */
export async function collect(file: Pick<PlannedFile, 'size' | 'chunks'>, signal: AbortSignal): Promise<Uint8Array> {
  let all: Uint8Array | undefined;
  let at = 0;
  for await (const chunk of file.chunks(signal)) {
    if (chunk.byteLength === file.size) return chunk;
    all ??= new Uint8Array(file.size);
    all.set(chunk, at);
    at += chunk.byteLength;
  }
  return all ?? new Uint8Array();
}

/** By its tag: arrays of another realm (a test runner's, a frame's) fail `instanceof`. */
export function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array || Object.prototype.toString.call(value) === '[object Uint8Array]';
}

/** Cuts what is longer than a piece. Views, no copies. */
export function* pieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

/** The error for a source whose content is not what was announced. */
export function changed(name: string, what: string, details?: Readonly<Record<string, unknown>>): FilesError {
  const message = `The file "${name}" ${what}.`;
  return new FilesError('file_changed', message, details === undefined ? {} : { details });
}
