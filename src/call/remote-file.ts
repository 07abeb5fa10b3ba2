import { FilesError } from '../errors/index.js';
import { isRemoteFile as isRemoteFileShape, keepSource, REMOTE_FILE } from '../model/remote-file.js';
import { type FilePlace, RETURNED_PLACES, type ReturnedFile } from '../protocol/index.js';

/**
 * A file that a tool returned: for `client.download()`, or as an argument of another call of the same client. Where it can
 * be fetched is private: `JSON.stringify`, `util.inspect` and logs show its name, type and size only.
 */
export class RemoteFile {
  /** Cleaned relative path, for example `out/report.pdf`: safe to join to a folder on every platform. */
  readonly name: string;
  declare readonly mimeType?: string;
  /** Bytes, if the server said or the content came along. */
  declare readonly size?: number;
  readonly #places: readonly FilePlace[];

  /** @internal */
  constructor(name: string, { mimeType, size, places }: Omit<ReturnedFile, 'source'>) {
    this.name = name;
    if (mimeType !== undefined) this.mimeType = mimeType;
    if (size !== undefined) this.size = size;
    this.#places = places;
  }

  /** @internal Where it stands in the result that it came with. */
  get [RETURNED_PLACES](): readonly FilePlace[] {
    return this.#places;
  }

  static {
    Object.defineProperty(RemoteFile.prototype, REMOTE_FILE, { value: true });
  }
}

/** Is this a returned file, of whichever client? */
export function isRemoteFile(value: unknown): value is RemoteFile {
  return isRemoteFileShape(value);
}

/** What the server said of a returned file, and the tool that returned it. */
export interface Returned extends Pick<ReturnedFile, 'source' | 'digest'> {
  /** Absent for a file that the host named itself. */
  readonly tool?: string;
}

/** The files that were returned to one client. What the server said of them is kept here, out of the host's sight. */
export class ReturnedFiles {
  readonly #files = new WeakMap<RemoteFile, Returned>();

  add(name: string, found: ReturnedFile, tool?: string): RemoteFile {
    const file = new RemoteFile(name, found);
    const { source, digest } = found;
    keepSource(file, source);
    this.#files.set(file, { source, ...(digest && { digest }), ...(tool !== undefined && { tool }) });
    return file;
  }

  has(file: RemoteFile): boolean {
    return this.#files.has(file);
  }

  /** Throws `argument_invalid` for a file of another client, a copy of one, and anything else. */
  of(file: RemoteFile, pointer?: string): Returned {
    const returned = this.#files.get(file);
    if (returned !== undefined) return returned;
    const which = pointer === undefined ? 'The file to download' : `The returned file at "${pointer}"`;
    throw new FilesError('argument_invalid', `${which} is none that a tool returned to this client.`, {
      ...(pointer !== undefined && { pointer }),
    });
  }
}
