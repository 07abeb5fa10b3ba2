import type { FileHandle } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { FilesError, safeCause, throwIfAborted } from '../errors/index.js';
import { changed, collect, describe, PIECE_BYTES } from './content.js';
import { FILE_SOURCE, type FileSource, type PlannedFile } from './file-source.js';
import { cleanName } from './name.js';
import { type FileIdentity, type OpenFile, type OpenRules, openRegular, sameState } from './regular-file.js';

/**
 * How much of a file larger than {@link PIECE_BYTES} is read at once. Measured (docs/performance.md): less costs CPU,
 * more costs memory.
 */
const READ_BYTES = 512 * 1024;

export interface FromPathOptions {
  /** Shown to the server instead of the path's base name. */
  name?: string;
  /** Media type by RFC 9110 grammar; from the name's extension where absent. */
  type?: string;
  /** The file must be in this folder or below, after all links are resolved. Default: anywhere. */
  root?: string;
  /**
   * `false` refuses a path whose last part is a symbolic link. Default `true`, as for any program that is handed a path
   * by its user; `root` is compared with what a link leads to, either way.
   */
  followSymlinks?: boolean;
}

/**
 * A file on disk. Node only. A relative path is resolved when this is called, the file is opened when the call is
 * planned and again when its bytes are needed, and never read as a whole.
 *
 * Regular files only: a directory, FIFO, socket or device, a file that says it is empty and is not (procfs), one outside
 * `root` or without permission makes the call fail with `file_unreadable`. A file that is not the one that was planned any
 * more (device, inode, size, modification and change time in nanoseconds), up to its last byte, fails with
 * `file_changed`; a bad `type` with `argument_invalid`.
 */
export function fromPath(path: string, options: FromPathOptions = {}): FileSource {
  const absolute = resolve(path);
  const name = cleanName(options.name ?? basename(absolute));
  const rules: OpenRules = {
    name,
    root: options.root === undefined ? undefined : resolve(options.root),
    followSymlinks: options.followSymlinks ?? true,
  };
  return {
    name,
    [FILE_SOURCE]: async signal => {
      throwIfAborted(signal);
      const described = await describe(name, options.type);
      const opened = await openRegular(absolute, rules);
      try {
        if (opened.identity.size === 0n) await refuseHiddenContent(opened.handle, name);
      } finally {
        await opened.handle.close();
      }
      return { ...described, ...contentOf(absolute, rules, opened) };
    },
  };
}

/** procfs says 0 of everything: there is no size to announce. */
async function refuseHiddenContent(handle: FileHandle, name: string): Promise<void> {
  const { bytesRead } = await handle.read(new Uint8Array(1), 0, 1, 0);
  if (bytesRead > 0) {
    throw new FilesError(
      'file_unreadable',
      `The file "${name}" says that it is empty and is not: its size is unknown.`,
    );
  }
}

function contentOf(
  path: string,
  rules: OpenRules,
  { identity: planned, realPath }: Pick<OpenFile, 'identity' | 'realPath'>,
): Pick<PlannedFile, 'size' | 'bytes' | 'chunks' | 'blob'> {
  const { name } = rules;
  const size = Number(planned.size);
  const check = (found: FileIdentity): void => {
    if (sameState(found, planned)) return;
    const details = { size, found: Number(found.size) };
    throw changed(
      name,
      found.size === planned.size ? 'was changed or replaced' : `has ${found.size} bytes, not ${size}`,
      details,
    );
  };

  async function* chunks(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    throwIfAborted(signal);
    const step = size <= PIECE_BYTES ? size : READ_BYTES;
    // Two are enough: one is read into while the other is being sent.
    const [even, odd] = [memory(step), memory(size > step ? step : 0)];
    const { handle, identity } = await openRegular(path, rules, realPath);
    const read = (at: number): Promise<Uint8Array> =>
      readPiece(handle, (at / step) % 2 === 0 ? even : odd, at, size, name);
    let next: Promise<Uint8Array> | undefined;
    let last: Uint8Array | undefined;
    try {
      check(identity);
      for (let at = 0; at < size; at += step) {
        throwIfAborted(signal);
        const piece = await (next ?? read(at));
        const following = at + step;
        if (following >= size) {
          last = piece;
          break;
        }
        // One read ahead, while this piece is being sent. Not awaited here, so its failure must not go unhandled.
        next = read(following);
        next.catch(() => {});
        yield piece;
      }
      throwIfAborted(signal);
      check(await handle.stat({ bigint: true }));
    } finally {
      await next?.catch(() => {});
      await handle.close();
    }
    // Checked and closed before the last piece goes out: a changed file is never sent whole, and the body ends without
    // a further wait (a connection whose answer comes before the end of the body is lost).
    if (last !== undefined) yield last;
  }

  const bytes = (signal: AbortSignal): Promise<Uint8Array> => collect({ size, chunks }, signal);
  return { size, bytes, chunks, blob: async signal => new Blob([(await bytes(signal)) as Uint8Array<ArrayBuffer>]) };
}

/** Not as a Buffer, whose `slice` copies nothing: the reader of a piece must be able to keep some of it. */
function memory(bytes: number): Uint8Array {
  return new Uint8Array(Buffer.allocUnsafeSlow(bytes).buffer);
}

/** One piece, or the rest: bounded by the planned size, so what was appended since is never read. */
async function readPiece(
  handle: FileHandle,
  buffer: Uint8Array,
  start: number,
  size: number,
  name: string,
): Promise<Uint8Array> {
  const piece = buffer.subarray(0, size - start);
  let filled = 0;
  while (filled < piece.byteLength) {
    const { bytesRead } = await handle.read(piece, filled, piece.byteLength - filled, start + filled).catch(error => {
      throw new FilesError('file_unreadable', `The file "${name}" could not be read.`, { cause: safeCause(error) });
    });
    if (bytesRead === 0)
      throw changed(name, `ended after ${start + filled} of ${size} bytes`, { size, found: start + filled });
    filled += bytesRead;
  }
  return piece;
}
