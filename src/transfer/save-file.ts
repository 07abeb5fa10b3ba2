import { type FileHandle, link, open, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FilesError, isFilesError, shownName, throwIfAborted } from '../errors/index.js';
import { checkDestination, checkPlace, createIn, type Destination, exists } from './destination.js';

export { destinationAt, destinationIn } from './destination.js';

/**
 * Writes what comes to a temporary file beside the destination, and puts that in place when the end was reached: at no
 * moment does a part of the file stand under its name, and nothing is overwritten unasked. Resolves with its path. On
 * any failure the temporary file is removed, and the folders that were made for it.
 *
 * @throws {FilesError} `destination_exists`; `download_failed` with the reason `unsafe_destination` or `write_failed`;
 *   whatever `chunks` throws
 */
export async function saveFile(
  destination: Destination,
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<string> {
  const made: string[] = [];
  let temporary: Temporary | undefined;
  let placed = false;
  try {
    await checkDestination(destination);
    for await (const chunk of chunks) {
      // Not before there is something to save.
      temporary ??= await Temporary.create(destination, made);
      await temporary.write(chunk);
    }
    temporary ??= await Temporary.create(destination, made);
    throwIfAborted(signal);
    const path = await temporary.place();
    placed = true;
    return path;
  } catch (error) {
    throw isFilesError(error) ? error : writeFailed(destination, error);
  } finally {
    await temporary?.remove();
    if (!placed) for (const folder of made) await rmdir(folder).catch(() => {});
  }
}

class Temporary {
  readonly #destination: Destination;
  readonly #handle: FileHandle;
  readonly #path: string;

  private constructor(destination: Destination, handle: FileHandle, path: string) {
    this.#destination = destination;
    this.#handle = handle;
    this.#path = path;
  }

  static async create(destination: Destination, made: string[]): Promise<Temporary> {
    const name = `.${crypto.randomUUID()}.part`;
    // A sibling that failed may be removing the folder that both need.
    const created = await createIn(destination, name, made).catch(error => {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return createIn(destination, name, made);
    });
    return new Temporary(destination, created.handle, created.path);
  }

  async write(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.byteLength; ) at += (await this.#handle.write(chunk, at)).bytesWritten;
  }

  /** On disk first, then under its name. */
  async place(): Promise<string> {
    const folder = dirname(this.#path);
    const path = join(folder, this.#destination.file);
    await this.#handle.sync();
    await checkPlace(this.#destination, this.#handle, this.#path);
    await this.#handle.close();
    if (this.#destination.overwrite) await rename(this.#path, path);
    else await this.#placeAsNew(path);
    await syncFolder(folder);
    return path;
  }

  /** A link is made or refused in one step; a rename would replace what stands there. */
  async #placeAsNew(path: string): Promise<void> {
    try {
      await link(this.#path, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw exists(this.#destination);
      await this.#placeWithoutLink(path);
    }
  }

  /** For file systems without links (FAT, some network drives): an empty file that nobody else made keeps the place. */
  async #placeWithoutLink(path: string): Promise<void> {
    try {
      await (await open(path, 'wx', 0o600)).close();
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? exists(this.#destination) : error;
    }
    try {
      await rename(this.#path, path);
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  }

  /** Removes what is left of it under its temporary name; safe after `place`. Never throws. */
  async remove(): Promise<void> {
    await this.#handle.close().catch(() => {});
    await rm(this.#path, { force: true }).catch(() => {});
  }
}

/** So that the name is there after a power cut too. Windows and some file systems cannot, and need not. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r').catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

const WHY: Readonly<Record<string, string>> = {
  EACCES: 'no permission',
  EISDIR: 'a folder is in its place',
  ENOENT: 'its folder does not exist',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'what should be its folder is a file',
  EROFS: 'the file system is read-only',
};

function writeFailed({ name }: Destination, cause: unknown): FilesError {
  const { code } = cause as NodeJS.ErrnoException;
  const why = WHY[code ?? ''] ?? code;
  return new FilesError(
    'download_failed',
    `The file "${shownName(name)}" could not be written${why ? `: ${why}` : ''}.`,
    {
      details: { reason: 'write_failed', ...(code !== undefined && { code }) },
      cause,
    },
  );
}
