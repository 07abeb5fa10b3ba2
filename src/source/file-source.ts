/** What planning found out about a file, and the only way to its bytes. Made once per call. */
export interface PlannedFile {
  /** Cleaned base name: no controls, no separators, at most 255 bytes of UTF-8. */
  readonly name: string;
  /** Media type by RFC 9110 grammar; `application/octet-stream` where nothing says better. */
  readonly type: string;
  /** True where `type` is only the fallback: `accept` lists do not hold it against the file. */
  readonly typeIsFallback: boolean;
  /** Exact size in bytes. */
  readonly size: number;
  /** True where `blob()` has to collect a stream in memory: `fetch` takes no more than 64 MiB that way. */
  readonly isStream?: boolean;
  /**
   * The whole content. Throws `file_changed` if the file is no longer the one that was planned, `file_unreadable` if it
   * cannot be read.
   */
  bytes(signal: AbortSignal): Promise<Uint8Array>;
  /**
   * The content in order, in chunks of at most 1 MiB, ending exactly at `size` without a further read. A new iteration
   * starts at the beginning (a body is made anew for each attempt). Throws as `bytes` does.
   *
   * A chunk is the reader's until it asks for the next: its memory may be read into again then. Whoever sends it asks
   * when it is written, and whoever keeps it copies it.
   */
  chunks(signal: AbortSignal): AsyncIterable<Uint8Array>;
  /**
   * Begins to read a small file for the iteration that comes next, so that its turn need not wait for the disk. Never
   * rejects; settles when nothing is open any more, to what lets go of the content if nobody took it. Absent where there
   * is nothing to gain.
   */
  readAhead?(): Promise<() => void>;
  /** The content as an untyped Blob for `fetch`, without reading it where the platform can. */
  blob(signal: AbortSignal): Promise<Blob>;
}

/** Marks a file source across duplicate copies of the package. */
export const FILE_SOURCE: unique symbol = Symbol.for('mcp-files-client.source') as never;

/** A file to send. Made by `fromPath`, `fromBytes`, `fromBlob` and `fromStream`; opaque to the host. */
export interface FileSource {
  /** Cleaned base name. */
  readonly name: string;
  /**
   * @internal Opens, checks and measures the file; nothing is read before. Of one that has to be read to be measured, no more
   * than `maxSize` bytes are: then it throws `file_too_large`.
   */
  readonly [FILE_SOURCE]: (signal: AbortSignal, maxSize?: number) => Promise<PlannedFile>;
}

/** Is this a file source (of any copy of this package)? */
export function isFileSource(value: unknown): value is FileSource {
  return (
    typeof value === 'object' && value !== null && typeof (value as Partial<FileSource>)[FILE_SOURCE] === 'function'
  );
}

/** Content of unknown size that was kept until it can be sent. */
export interface Spooled extends Pick<PlannedFile, 'size' | 'bytes' | 'chunks' | 'blob'> {
  close(): Promise<void>;
}
