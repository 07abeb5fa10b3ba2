import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, type ReadStream, rmSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { KEPT_CONTENT_BYTES, type ReceivedFile, type TransferMode } from './options.js';

/** A request that the storage refuses: an HTTP status and a code as object stores give one. */
export class StorageRefusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(`${status} ${code}`);
    this.status = status;
    this.code = code;
  }
}

/** What one upload target is good for. */
export interface UploadSlot {
  readonly id: string;
  readonly tool: string;
  readonly pointer: string;
  readonly name: string;
  readonly mimeType: string;
  readonly size: number;
  readonly mode: TransferMode;
  readonly credentials: 'omit' | 'include';
  /** Headers that must arrive as they are. */
  readonly headers: Readonly<Record<string, string>>;
  /** Form fields that must arrive in this order, before the file. */
  readonly fields: ReadonlyArray<readonly [string, string]>;
  readonly expires: number;
}

/** A file that can be downloaded. */
export interface DownloadSlot {
  readonly id: string;
  readonly name: string;
  readonly mimeType: string;
  readonly size: number;
  readonly sha256: Buffer;
  readonly credentials: 'omit' | 'include';
  readonly expires: number;
}

export interface Arrival {
  readonly headers: Readonly<Record<string, string>>;
  readonly fields?: ReadonlyArray<readonly [string, string]>;
}

interface Upload {
  readonly slot: UploadSlot;
  state: 'open' | 'writing' | 'stored';
  sha256?: string;
  arrival?: Arrival;
}

/** Files on disk, in a folder of their own that `close` deletes. A body is never held in memory. */
export class Storage {
  readonly #folder: string;
  readonly #uploads = new Map<string, Upload>();
  readonly #downloads = new Map<string, DownloadSlot>();
  readonly #now: () => number;

  private constructor(folder: string, now: () => number) {
    this.#folder = folder;
    this.#now = now;
  }

  static async open(now: () => number): Promise<Storage> {
    await mkdir(tmpdir(), { recursive: true });
    return new Storage(await mkdtemp(join(tmpdir(), 'mcp-files-reference-')), now);
  }

  addUpload(slot: Omit<UploadSlot, 'id'>): UploadSlot {
    for (const [id, old] of this.#uploads) {
      if (old.slot.expires <= this.#now() && old.state !== 'writing') this.discard(id);
    }
    const withId = { ...slot, id: randomUUID() };
    this.#uploads.set(withId.id, { slot: withId, state: 'open' });
    return withId;
  }

  upload(id: string): UploadSlot | undefined {
    return this.#uploads.get(id)?.slot;
  }

  /**
   * Takes a slot for the one write it allows. A write that fails gives it back, as with an object store, where a broken
   * request leaves nothing behind.
   */
  async write(id: string, receive: (save: (body: Readable) => Promise<void>) => Promise<Arrival>): Promise<void> {
    const upload = this.#uploads.get(id);
    if (upload === undefined) throw new StorageRefusal(404, 'NoSuchUpload');
    if (upload.state !== 'open') throw new StorageRefusal(409, 'AlreadyWritten');
    upload.state = 'writing';
    try {
      let sha256: string | undefined;
      const arrival = await receive(async body => {
        sha256 = await this.#save(body, this.#path(id), upload.slot.size);
      });
      if (sha256 === undefined) throw new StorageRefusal(400, 'MissingFile');
      Object.assign(upload, { state: 'stored', sha256, arrival });
    } catch (error) {
      upload.state = 'open';
      await rm(this.#path(id), { force: true });
      throw error;
    }
  }

  /** The file as it lies on disk now, or `undefined` where it is missing or no longer what arrived. */
  async confirm(id: string): Promise<ReceivedFile | undefined> {
    const upload = this.#uploads.get(id);
    if (upload?.state !== 'stored' || upload.arrival === undefined) return undefined;
    const path = this.#path(id);
    const { size } = await stat(path);
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
    const sha256 = hash.digest('hex');
    if (size !== upload.slot.size || sha256 !== upload.sha256) return undefined;
    const { tool, pointer, name, mimeType, mode } = upload.slot;
    const file = { pointer, tool, name, mimeType, size, sha256, mode, ...upload.arrival };
    return size > KEPT_CONTENT_BYTES ? file : withContent(file, await readFile(path));
  }

  discard(id: string): void {
    this.#uploads.delete(id);
    rmSync(this.#path(id), { force: true });
  }

  /** Stores a file to be downloaded. */
  async addDownload(
    file: Pick<DownloadSlot, 'name' | 'mimeType' | 'size' | 'credentials' | 'expires'>,
    content: Iterable<Uint8Array>,
  ): Promise<DownloadSlot> {
    const id = randomUUID();
    const sha256 = await this.#save(Readable.from(content), this.#path(id), file.size);
    const slot = { ...file, id, sha256: Buffer.from(sha256, 'hex') };
    this.#downloads.set(id, slot);
    return slot;
  }

  download(id: string): DownloadSlot | undefined {
    return this.#downloads.get(id);
  }

  read(id: string, range: { readonly start: number; readonly end: number }): ReadStream {
    return createReadStream(this.#path(id), range);
  }

  /** Synchronous, so that it can run while the process exits. */
  close(): void {
    this.#uploads.clear();
    this.#downloads.clear();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #path(id: string): string {
    return join(this.#folder, id);
  }

  /** Writes exactly `size` bytes; a longer body is read to its end, so that its sender can read the refusal. */
  async #save(body: Readable, path: string, size: number): Promise<string> {
    const hash = createHash('sha256');
    let arrived = 0;
    await pipeline(
      body,
      async function* (chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          arrived += chunk.byteLength;
          if (arrived > size) continue;
          hash.update(chunk);
          yield chunk;
        }
      },
      createWriteStream(path),
    );
    if (arrived !== size) throw new StorageRefusal(400, 'SizeMismatch');
    return hash.digest('hex');
  }
}

export function withContent(file: Omit<ReceivedFile, 'content'>, content: Uint8Array): ReceivedFile {
  return Object.defineProperty({ ...file }, 'content', { value: new Uint8Array(content) });
}
