import type { FileHandle } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FilesError, mistakeIn, type Rule, safeCause, throwIfAborted } from '../errors/index.js';
import { describe, META } from './content.js';
import { FILE_SOURCE, type FileSource } from './file-source.js';
import { cleanName } from './name.js';
import { contentOf } from './path-content.js';
import { type OpenRules, openRegular } from './regular-file.js';

export interface FromPathOptions {
  /** Shown to the server instead of the path's base name. */
  name?: string;
  /** Media type by RFC 9110 grammar; from the name's extension where absent. */
  type?: string;
  /** The file must be in this folder or below, after all links are resolved. Default: anywhere. */
  root?: string;
  /**
   * `false` refuses a path whose last part is a symbolic link. Default `true`, as for any program that is handed a path
   * by its user; `root` is compared with what a link leads to, either way.
   */
  followSymlinks?: boolean;
}

/** Any text would be true, and an empty root the working directory. */
const OPTIONS: Record<keyof FromPathOptions, Rule> = {
  followSymlinks: [value => typeof value === 'boolean', 'be true or false'],
  name: META.name,
  root: [value => typeof value === 'string' && value !== '', 'be the path of a folder'],
  type: META.type,
};

/**
 * A file on disk, by its path or `file:` URL. Node only. A relative path is resolved when this is called, the file is opened when the call is
 * planned and again when its bytes are needed, and never read as a whole.
 *
 * Regular files only: a directory, FIFO, socket or device, a file that says it is empty and is not (procfs), one outside
 * `root` or without permission makes the call fail with `file_unreadable`. A file that is not the one that was planned any
 * more (device, inode, size, modification and change time in nanoseconds), up to its last byte, fails with
 * `file_changed`; a bad `type` with `argument_invalid`, as an empty path is at once.
 *
 * @throws {TypeError} for an option of the wrong kind, and for one that there is none of: a misspelt `root` would open any file.
 */
export function fromPath(path: string | URL, options: FromPathOptions = {}): FileSource {
  const mistake = mistakeIn('fromPath option', options, OPTIONS);
  if (mistake !== undefined) throw new TypeError(mistake);
  const absolute = resolve(pathOf(path));
  const name = cleanName(options.name ?? basename(absolute));
  const rules: OpenRules = {
    name,
    root: options.root === undefined ? undefined : resolve(options.root),
    followSymlinks: options.followSymlinks ?? true,
  };
  return {
    name,
    [FILE_SOURCE]: async signal => {
      throwIfAborted(signal);
      const described = await describe(name, options.type);
      const opened = await openRegular(absolute, rules);
      try {
        if (opened.identity.size === 0n) await refuseHiddenContent(opened.handle, name);
      } finally {
        await opened.handle.close();
      }
      return { ...described, ...contentOf(absolute, rules, opened) };
    },
  };
}

function pathOf(path: unknown): string {
  const isUrl = path instanceof URL || Object.prototype.toString.call(path) === '[object URL]';
  if (isUrl || (typeof path === 'string' && /^file:\/\//i.test(path))) {
    try {
      return fileURLToPath(String(path));
    } catch (error) {
      throw new FilesError('argument_invalid', 'fromPath takes of URLs only file: ones that name a local file.', {
        cause: safeCause(error),
      });
    }
  }
  if (typeof path === 'string' && path !== '' && !path.includes('\0')) return path;
  throw new FilesError('argument_invalid', 'fromPath takes a path that is not empty, or a file: URL.');
}

/** procfs says 0 of everything: there is no size to announce. */
async function refuseHiddenContent(handle: FileHandle, name: string): Promise<void> {
  const { bytesRead } = await handle.read(new Uint8Array(1), 0, 1, 0);
  if (bytesRead > 0) {
    throw new FilesError(
      'file_unreadable',
      `The file "${name}" says that it is empty and is not: its size is unknown.`,
    );
  }
}
