import type { ReturnedSource } from '../protocol/index.js';

/** Marks a returned file across duplicate copies of the package: one of another copy is refused, not taken for data. */
export const REMOTE_FILE = Symbol.for('mcp-files-client.remote-file');

/** What is to be seen of a file that a tool returned. Where it can be fetched is known to its client alone. */
export interface RemoteFileShape {
  readonly name: string;
  readonly mimeType?: string;
  readonly size?: number;
}

/** Is this a returned file, of whichever client? */
export function isRemoteFile(value: unknown): value is RemoteFileShape {
  return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[REMOTE_FILE] === true;
}

const sources = new WeakMap<object, ReturnedSource>();

/** Kept beside the file, out of sight: what says where it is must not come back in a text of its result. */
export function keepSource(file: object, source: ReturnedSource): void {
  sources.set(file, source);
}

export function sourceOf(file: object): ReturnedSource | undefined {
  return sources.get(file);
}
