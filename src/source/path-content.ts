import { read } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { FilesError, safeCause, throwIfAborted } from '../errors/index.js';
import { changed, PIECE_BYTES } from './content.js';
import type { PlannedFile } from './file-source.js';
import { MemoryPool } from './read-memory.js';
import { type FileIdentity, type OpenFile, type OpenRules, reopen, sameState } from './regular-file.js';

const memory = new MemoryPool(PIECE_BYTES);

/**
 * The content of a file on disk, which must be the one that was planned, and in the same state, when its first byte is
 * given out and after its last was read.
 */
export function contentOf(
  path: string,
  rules: OpenRules,
  { identity: planned, realPath }: Pick<OpenFile, 'identity' | 'realPath'>,
): Pick<PlannedFile, 'size' | 'bytes' | 'chunks' | 'blob' | 'readAhead'> {
  const { name } = rules;
  const size = Number(planned.size);
  const check = async (handle: FileHandle): Promise<void> => {
    const found: FileIdentity = await handle.stat({ bigint: true });
    if (sameState(found, planned)) return;
    const details = { size, found: Number(found.size) };
    throw changed(
      name,
      found.size === planned.size ? 'was changed or replaced' : `has ${found.size} bytes, not ${size}`,
      details,
    );
  };
  /** Bounded by the planned size, so what was appended since is never read. */
  const readInto = (handle: FileHandle, piece: Uint8Array, at: number): Promise<Uint8Array> =>
    fill(handle, size - at < piece.byteLength ? piece.subarray(0, size - at) : piece, at, { name, size });

  /** What fits into one piece is checked once: after it was read, and before it goes out. */
  const readWhole = async (): Promise<Whole> => {
    const handle = await reopen(path, rules, realPath);
    const whole = memory.take();
    try {
      const piece = await readInto(handle, whole, 0);
      await check(handle);
      const closed = handle.close();
      closed.catch(() => {});
      return { whole, piece, closed };
    } catch (error) {
      memory.giveBack(whole, false);
      await handle.close();
      throw error;
    }
  };
  let ahead: Promise<Whole> | undefined;

  const readAhead = async (): Promise<() => void> => {
    ahead ??= readWhole();
    const mine = ahead;
    // A failure goes to whoever sends the file, if anybody does.
    const read = await mine.catch(() => {});
    await read?.closed.catch(() => {});
    return () => {
      if (ahead !== mine) return;
      ahead = undefined;
      if (read !== undefined) memory.giveBack(read.whole, true);
    };
  };

  async function* onePiece(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    throwIfAborted(signal);
    const read = ahead ?? readWhole();
    ahead = undefined;
    const { whole, piece, closed } = await read;
    let written = false;
    try {
      throwIfAborted(signal);
      if (size > 0) yield piece;
      written = true;
    } finally {
      // What was given up in the middle may still be in a socket.
      memory.giveBack(whole, written);
      await closed;
    }
  }

  async function* pieces(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    throwIfAborted(signal);
    const handle = await reopen(path, rules, realPath);
    let open = true;
    const close = (): Promise<void> | undefined => {
      if (!open) return;
      open = false;
      return handle.close();
    };
    // Two are enough: one is read into while the other is being sent. Of files that are sent at once one is read while
    // others are sent, so those that come later need one each.
    const isAlone = memory.isIdle;
    const even = memory.take();
    const odd = isAlone ? memory.take() : even;
    const readAt = (at: number) => readInto(handle, (at / PIECE_BYTES) % 2 === 1 ? odd : even, at);
    let next: Promise<Uint8Array> | undefined;
    let written = false;
    try {
      await check(handle);
      for (let at = 0; at < size; at += PIECE_BYTES) {
        throwIfAborted(signal);
        const piece = await (next ?? readAt(at));
        next = undefined;
        if (at + PIECE_BYTES < size) {
          // One read ahead, while this piece is being sent. Not awaited here, so its failure must not go unhandled.
          if (isAlone) next = readAt(at + PIECE_BYTES);
          next?.catch(ignore);
        } else {
          // Checked and closed before the last piece goes out: a changed file is never sent whole, and the body ends
          // without a further wait (a connection whose answer comes before the end of the body is lost).
          throwIfAborted(signal);
          await check(handle);
          await close();
        }
        yield piece;
      }
      written = true;
    } finally {
      await next?.catch(() => {});
      await close();
      // What was given up in the middle may still be in a socket.
      memory.giveBack(even, written);
      if (isAlone) memory.giveBack(odd, written);
    }
  }

  const bytes = async (signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> => {
    throwIfAborted(signal);
    const handle = await reopen(path, rules, realPath);
    try {
      const all = new Uint8Array(size);
      for (let at = 0; at < size; at += PIECE_BYTES) {
        throwIfAborted(signal);
        await readInto(handle, all.subarray(at, at + PIECE_BYTES), at);
      }
      throwIfAborted(signal);
      await check(handle);
      return all;
    } finally {
      await handle.close();
    }
  };

  const inOne = size <= PIECE_BYTES;
  return {
    size,
    bytes,
    chunks: inOne ? onePiece : pieces,
    ...(inOne && { readAhead }),
    blob: async signal => new Blob([await bytes(signal)]),
  };
}

function ignore(): void {}

/** A file that fits into one piece. */
interface Whole {
  /** The memory that {@link piece} is a part of. */
  readonly whole: Uint8Array;
  readonly piece: Uint8Array;
  readonly closed: Promise<void>;
}

/**
 * Reads until the memory is full; gives it back. By callbacks, since a promise for each step leaves twice the garbage: a
 * heap that grows for it is most of what a large file costs in memory. (`FileHandle.read` leaves 2 KB at each call.)
 */
function fill(
  { fd }: FileHandle,
  memory: Uint8Array,
  start: number,
  { name, size }: { readonly name: string; readonly size: number },
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    let filled = 0;
    const onRead = (error: unknown, bytesRead: number): void => {
      filled += bytesRead;
      const at = start + filled;
      if (error !== null) {
        const cause = safeCause(error);
        reject(new FilesError('file_unreadable', `The file "${name}" could not be read.`, { cause }));
      } else if (filled === memory.byteLength) resolve(memory);
      else if (bytesRead === 0) reject(changed(name, `ended after ${at} of ${size} bytes`, { size, found: at }));
      else read(fd, memory, filled, memory.byteLength - filled, at, onRead);
    };
    read(fd, memory, 0, memory.byteLength, start, onRead);
  });
}
