import { abortedError, FilesError, isFilesError, safeCause, throwIfAborted } from '../errors/index.js';
import { FILE_SOURCE, type FileSource, isFileSource, type PlannedFile } from './file-source.js';
import { fromBlob, isBlob } from './from-blob.js';

/** Opens, checks and measures a file; no content is kept. Throws only FilesErrors. */
export async function planFile(source: FileSource, signal: AbortSignal, maxSize?: number): Promise<PlannedFile> {
  throwIfAborted(signal);
  try {
    return await source[FILE_SOURCE](signal, maxSize);
  } catch (error) {
    if (signal.aborted) throw abortedError(signal);
    if (isFilesError(error)) throw error;
    throw new FilesError('file_unreadable', `The file "${source.name}" could not be read.`, {
      cause: safeCause(error),
    });
  }
}

/** A file source as it is, a Blob or File as a source, and nothing else: a string is never taken for a path. */
export function toFileSource(value: unknown): FileSource | undefined {
  if (isFileSource(value)) return value;
  return isBlob(value) ? fromBlob(value) : undefined;
}
