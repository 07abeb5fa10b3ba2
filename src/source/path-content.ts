import { read } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { FilesError, safeCause, throwIfAborted } from '../errors/index.js';
import { changed, PIECE_BYTES } from './content.js';
import type { PlannedFile } from './file-source.js';
import { giveBackMemory, takeMemory } from './read-memory.js';
import { type FileIdentity, type OpenFile, type OpenRules, reopen, sameState } from './regular-file.js';

/**
 * The content of a file on disk, which must be the one that was planned, and in the same state, when its first byte is
 * given out and after its last was read.
 */
export function contentOf(
  path: string,
  rules: OpenRules,
  { identity: planned, realPath }: Pick<OpenFile, 'identity' | 'realPath'>,
): Pick<PlannedFile, 'size' | 'bytes' | 'chunks' | 'blob'> {
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
  const readInto = (handle: FileHandle, memory: Uint8Array, at: number): Promise<Uint8Array> =>
    fill(handle, memory.subarray(0, size - at), at, { name, size });

  async function* chunks(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    throwIfAborted(signal);
    const handle = await reopen(path, rules, realPath);
    // Two are enough: one is read into while the other is being sent.
    const [even, odd] = [takeMemory(), size > PIECE_BYTES ? takeMemory() : undefined];
    const readAt = (at: number) => readInto(handle, ((at / PIECE_BYTES) % 2 === 1 && odd) || even, at);
    let next: Promise<Uint8Array> | undefined;
    let last: Uint8Array | undefined;
    try {
      // What fits into one piece is checked once: after it was read, and before it goes out.
      if (size > PIECE_BYTES) await check(handle);
      for (let at = 0; at < size; at += PIECE_BYTES) {
        throwIfAborted(signal);
        const piece = await (next ?? readAt(at));
        const following = at + PIECE_BYTES;
        if (following >= size) {
          last = piece;
          break;
        }
        // One read ahead, while this piece is being sent. Not awaited here, so its failure must not go unhandled.
        next = readAt(following);
        next.catch(() => {});
        yield piece;
      }
      throwIfAborted(signal);
      await check(handle);
    } finally {
      await next?.catch(() => {});
      await handle.close();
    }
    // Checked and closed before the last piece goes out: a changed file is never sent whole, and the body ends without
    // a further wait (a connection whose answer comes before the end of the body is lost).
    if (last !== undefined) yield last;
    // Nothing comes this far that was given up in the middle: a socket may still have that memory to send.
    giveBackMemory(even);
    if (odd !== undefined) giveBackMemory(odd);
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

  return { size, bytes, chunks, blob: async signal => new Blob([await bytes(signal)]) };
}

/** Reads until the memory is full; gives it back. */
async function fill(
  handle: FileHandle,
  memory: Uint8Array,
  start: number,
  { name, size }: { readonly name: string; readonly size: number },
): Promise<Uint8Array> {
  let filled = 0;
  while (filled < memory.byteLength) {
    const bytesRead = await readOnce(handle.fd, memory, filled, start + filled).catch(error => {
      throw new FilesError('file_unreadable', `The file "${name}" could not be read.`, { cause: safeCause(error) });
    });
    if (bytesRead === 0)
      throw changed(name, `ended after ${start + filled} of ${size} bytes`, { size, found: start + filled });
    filled += bytesRead;
  }
  return memory;
}

/** Not `FileHandle.read`, which leaves 2 KB of garbage behind at each call: a third of what an upload makes. */
function readOnce(fd: number, memory: Uint8Array, offset: number, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(fd, memory, offset, memory.byteLength - offset, position, (error, bytesRead) => {
      if (error === null) resolve(bytesRead);
      else reject(error);
    });
  });
}
