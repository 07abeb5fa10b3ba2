import { FilesError, orAborted, safeCause, throwIfAborted, wrongKind } from '../errors/index.js';
import { changed, collect, describe, type FileMeta, META, PIECE_BYTES } from './content.js';
import { FILE_SOURCE, type FileSource } from './file-source.js';
import { cleanName } from './name.js';

/**
 * A file from a Blob or File: what a file input, a drop or `fs.openAsBlob` gives. Read in pieces of 1 MiB, never as a
 * whole. Name and type are the File's own unless `meta` says otherwise; a Blob without a name is called `file`.
 *
 * Throws `argument_invalid` for what is no Blob. A bad type makes the call fail with `argument_invalid`. A Blob that can no
 * longer be read, as after the file behind it was changed, fails with `file_unreadable`: the platform does not tell the two
 * apart.
 *
 * @throws {TypeError} if `meta` is no object, or its name no text.
 */
export function fromBlob(blob: Blob | File, meta: Partial<FileMeta> = {}): FileSource {
  if (!isBlob(blob)) {
    throw new FilesError('argument_invalid', 'fromBlob takes a Blob or File; bytes and text go with fromBytes.');
  }
  const mistake = wrongKind('fromBlob option', meta, META);
  if (mistake !== undefined) throw new TypeError(mistake);
  const ownName = 'name' in blob && typeof blob.name === 'string' ? blob.name : 'file';
  const name = cleanName(meta.name ?? ownName);
  const { size } = blob;

  const read = async (start: number, signal: AbortSignal): Promise<Uint8Array> => {
    const end = Math.min(start + PIECE_BYTES, size);
    let piece: Uint8Array;
    try {
      piece = new Uint8Array(await orAborted(blob.slice(start, end).arrayBuffer(), signal));
    } catch (error) {
      throwIfAborted(signal);
      throw new FilesError(
        'file_unreadable',
        `The file "${name}" could not be read, or was changed after it was picked.`,
        {
          cause: safeCause(error),
        },
      );
    }
    if (piece.byteLength !== end - start) {
      throw changed(name, `gave ${start + piece.byteLength} bytes of ${size}`, {
        size,
        received: start + piece.byteLength,
      });
    }
    return piece;
  };

  async function* chunks(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < size; at += PIECE_BYTES) {
      throwIfAborted(signal);
      yield await read(at, signal);
    }
  }

  return {
    name,
    [FILE_SOURCE]: async () => ({
      ...(await describe(name, meta.type ?? (blob.type || undefined))),
      size,
      bytes: signal => collect({ size, chunks }, signal),
      chunks,
      async blob(signal) {
        throwIfAborted(signal);
        return blob.slice(0, size, ''); // untyped: fetch would make a header of the type
      },
    }),
  };
}

/** By shape: Blobs of another realm or of a polyfill fail `instanceof`. */
export function isBlob(value: unknown): value is Blob {
  if (typeof value !== 'object' || value === null) return false;
  const { [Symbol.toStringTag]: tag, slice, arrayBuffer } = value as Partial<Blob> & { [Symbol.toStringTag]?: string };
  return (tag === 'Blob' || tag === 'File') && typeof slice === 'function' && typeof arrayBuffer === 'function';
}
