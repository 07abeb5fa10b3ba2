import type { DownloadTarget } from '../protocol/index.js';
import { cleanName } from '../source/index.js';

const targets = new WeakMap<RemoteFile, DownloadTarget>();

/**
 * A file that a tool returned. Where it can be fetched is private: `JSON.stringify`, `util.inspect` and logs show its
 * name, type and size only.
 */
export class RemoteFile {
  /** Cleaned relative path, for example `out/report.pdf`. */
  readonly name: string;
  readonly mimeType?: string;
  /** Bytes, if the server said. */
  readonly size?: number;

  /** @internal */
  constructor(name: string, target: DownloadTarget) {
    this.name = name;
    if (target.mimeType !== undefined) this.mimeType = target.mimeType;
    if (target.size !== undefined) this.size = target.size;
    targets.set(this, target);
  }
}

/** A server's file name as a relative path that cannot leave the folder it is put in. */
export function relativeName(name: string | undefined): string {
  const segments = (name ?? '').split(/[/\\]/).filter(segment => segment !== '' && !/^[.\s]*$/.test(segment));
  return segments.length === 0 ? 'file' : segments.map(cleanName).join('/');
}
