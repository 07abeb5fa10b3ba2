import { FilesError } from '../errors/index.js';
import { isRemoteFile as isRemoteFileShape, REMOTE_FILE } from '../model/remote-file.js';
import type { DownloadTarget } from '../protocol/index.js';
import { portableName } from '../source/index.js';

/**
 * A file that a tool returned: for `client.download()`, or as an argument of another call of the same client. Where it can
 * be fetched is private: `JSON.stringify`, `util.inspect` and logs show its name, type and size only.
 */
export class RemoteFile {
  /** Cleaned relative path, for example `out/report.pdf`: safe to join to a folder on every platform. */
  readonly name: string;
  declare readonly mimeType?: string;
  /** Bytes, if the server said. */
  declare readonly size?: number;

  /** @internal */
  constructor({ name, mimeType, size }: Pick<DownloadTarget, 'name' | 'mimeType' | 'size'>) {
    this.name = relativeName(name);
    if (mimeType !== undefined) this.mimeType = mimeType;
    if (size !== undefined) this.size = size;
  }

  static {
    Object.defineProperty(RemoteFile.prototype, REMOTE_FILE, { value: true });
  }
}

/** Is this a returned file, of whichever client? */
export function isRemoteFile(value: unknown): value is RemoteFile {
  return isRemoteFileShape(value);
}

/** Where a returned file came from. */
export interface Returned {
  readonly target: DownloadTarget;
  readonly tool: string;
}

/** The files that were returned to one client. What the server said of them is kept here, out of the host's sight. */
export class ReturnedFiles {
  readonly #files = new WeakMap<RemoteFile, Returned>();

  add(target: DownloadTarget, tool: string): RemoteFile {
    const file = new RemoteFile(target);
    this.#files.set(file, { target, tool });
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

/** A server's file name as a relative path that cannot leave the folder it is put in, on any platform. */
function relativeName(name: string | undefined): string {
  const withoutDrive = (name ?? '').replace(/^\s*[a-z]:/i, '');
  const segments = withoutDrive.split(/[/\\]/).filter(segment => segment !== '' && !/^[.\s]*$/.test(segment));
  return segments.length === 0 ? 'file' : segments.map(portableName).join('/');
}
