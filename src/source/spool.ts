import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { throwIfAborted } from '../errors/index.js';
import { collect, PIECE_BYTES } from './content.js';
import type { Spooled } from './file-source.js';

/**
 * Keeps content of unknown size until it can be sent, in a temporary file that only this user can open and that loses its
 * name at once: it is gone with `close()`, or with the process, however that ends.
 */
export async function spoolToDisk(content: AsyncIterable<Uint8Array>): Promise<Spooled> {
  const path = join(tmpdir(), `mcp-files-${crypto.randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  // Some systems keep the name of an open file.
  const isNameless = await rm(path).then(
    () => true,
    () => false,
  );
  const close = async (): Promise<void> => {
    await handle.close();
    if (!isNameless) await rm(path, { force: true });
  };
  let size = 0;
  try {
    for await (const chunk of content) {
      for (let at = 0; at < chunk.byteLength; ) at += (await handle.write(chunk, at)).bytesWritten;
      size += chunk.byteLength;
    }
  } catch (error) {
    await close();
    throw error;
  }

  async function* chunks(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    for (let start = 0; start < size; ) {
      throwIfAborted(signal);
      const piece = Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, size - start));
      const { bytesRead } = await handle.read(piece, 0, piece.byteLength, start);
      if (bytesRead === 0) throw new Error('the temporary file is shorter than it was');
      start += bytesRead;
      yield piece.subarray(0, bytesRead);
    }
  }
  const bytes = (signal: AbortSignal): Promise<Uint8Array> => collect({ size, chunks }, signal);
  const blob = async (signal: AbortSignal): Promise<Blob> =>
    new Blob([(await bytes(signal)) as Uint8Array<ArrayBuffer>]);
  return { size, bytes, chunks, blob, close };
}
