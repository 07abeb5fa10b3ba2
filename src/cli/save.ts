import { isFilesError, type ProgressEvent, type RemoteFile } from '../index.js';
import { describeFailure, failureOf } from './failure.js';
import { columnsOf, type Io } from './io.js';
import { progressView } from './progress.js';
import { describeFile, describeSaved } from './result-text.js';

/** A returned file as `--json` shows it. Where it can be fetched stays inside the library. */
export interface ReturnedFile {
  readonly name: string;
  readonly mimeType: string | undefined;
  readonly size: number | undefined;
  /** Where it was saved. */
  path?: string;
  /** Why it was not. */
  error?: object;
}

export interface SaveFlags {
  readonly out?: string;
  readonly overwrite?: boolean;
  readonly verbose?: boolean;
  readonly json?: boolean;
}

/** Saves one file; resolves with where. */
export type Save = (file: RemoteFile, options: SaveOptions) => Promise<{ readonly path?: string }>;

interface SaveOptions {
  readonly dir: string;
  readonly overwrite: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ProgressEvent) => void;
}

/**
 * Names the files that a tool returned, and saves them where `--out` says, one after the other. One that fails does not
 * keep the others from being saved; the first failure is thrown in the end.
 */
export async function takeFiles(
  io: Io,
  save: Save,
  files: readonly RemoteFile[],
  flags: SaveFlags,
  report: { files: ReturnedFile[] },
): Promise<void> {
  report.files = files.map(({ name, mimeType, size }) => ({ name, mimeType, size }));
  const failures: unknown[] = [];
  for (const [index, file] of files.entries()) {
    const shown = report.files[index] as ReturnedFile;
    if (flags.out === undefined) {
      if (!flags.json) io.err.write(describeFile(shown));
      continue;
    }
    const progress = progressView(io.err, flags);
    const { out: dir, overwrite = false } = flags;
    try {
      const { path } = await save(file, { dir, overwrite, signal: io.signal, onProgress: progress.show });
      progress.end();
      if (path !== undefined) shown.path = path;
      if (!flags.json) io.err.write(describeSaved(shown));
    } catch (error) {
      progress.end();
      const { transfers: _, ...failure } = failureOf(error);
      shown.error = failure;
      failures.push(error);
      if (isFilesError(error) && error.code === 'aborted') break;
      // The first one is told by whoever ends the command.
      if (failures.length > 1 && !flags.json) io.err.write(describeFailure(failure, columnsOf(io.err), undefined));
    }
  }
  if (failures.length > 0) throw failures[0];
}
