import { access, constants, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isFilesError, type ProgressEvent, type RemoteFile } from '../index.js';
import { CommandError } from './exit-code.js';
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

/**
 * Whether files can be put into a folder, before anything is asked of a server: afterwards the tool has run and what it
 * returned has no place. Makes nothing.
 *
 * @param made whether the folder is made where it is missing
 */
export async function checkFolder(flag: string, path: string, made: boolean): Promise<void> {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    try {
      if (!(await stat(folder)).isDirectory()) throw unusable(flag, path, `"${folder}" is no folder`);
      return await access(folder, constants.W_OK | constants.X_OK);
    } catch (error) {
      if (error instanceof CommandError) throw error;
      const { code } = error as NodeJS.ErrnoException;
      // Below a file, too, nothing is found; the file itself is told.
      const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
      if (isMissing && !made) throw unusable(flag, path, `there is no folder "${folder}"`);
      if (!isMissing || folder === dirname(folder))
        throw unusable(flag, path, `"${folder}" may not be written to (${code})`);
    }
  }
}

/** As {@link checkFolder}, for one file, whose folder must be there. */
export async function checkFile(flag: string, path: string): Promise<void> {
  await checkFolder(flag, dirname(resolve(path)), false);
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) throw unusable(flag, path, 'it is a folder');
}

function unusable(flag: string, path: string, why: string): CommandError {
  return new CommandError('destination_unusable', `Nothing can be saved to ${flag} "${path}": ${why}.`);
}
