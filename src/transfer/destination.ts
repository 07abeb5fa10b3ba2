import { type FileHandle, lstat, mkdir, open, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { FilesError, shownName } from '../errors/index.js';
import { WINDOWS_DEVICE } from '../source/index.js';

/** Where a file is to be saved. */
export interface Destination {
  /** The file's name, for messages. */
  readonly name: string;
  /** Absolute path of the folder that the host named. Links in it are the host's own. */
  readonly root: string;
  /** Whether it is made where it is missing. */
  readonly makesRoot: boolean;
  /** Folders below it as the server named them: real ones only, and they never lead out of `root`. */
  readonly folders: readonly string[];
  readonly file: string;
  readonly overwrite: boolean;
}

/** At a path of the host's choice, whose folder must exist. */
export function destinationAt(to: string, name: string, overwrite: boolean): Destination {
  const path = resolve(to);
  return { name, root: dirname(path), makesRoot: false, folders: [], file: basename(path), overwrite };
}

/** In a folder, under the file's own relative name; it, and folders below it, are made where they are missing. */
export function destinationIn(dir: string, name: string, overwrite: boolean): Destination {
  const segments = name.split('/');
  const [folders, file] = [segments.slice(0, -1), segments.at(-1)!];
  const destination = { name, root: resolve(dir), makesRoot: true, folders, file, overwrite };
  if (!segments.every(segment => isFileName(segment, process.platform)))
    throw unsafe(destination, 'has a name that is none here');
  return destination;
}

/** Windows gives some names to devices, and what follows a colon to a hidden stream of the file before it. */
export function isFileName(name: string, platform: NodeJS.Platform): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  if (name === '' || name === '.' || name === '..' || /[/\\\x00-\x1f]/.test(name)) return false;
  if (platform !== 'win32') return true;
  return !/[<>:"|?*]|[ .]$/.test(name) && !WINDOWS_DEVICE.test(name);
}

/** Throws what can be known before anything is fetched; makes nothing. */
export async function checkDestination(destination: Destination): Promise<void> {
  const { root, makesRoot, folders, file, overwrite } = destination;
  if (!makesRoot) await stat(root);
  let folder = root;
  for (const segment of folders) {
    folder = join(folder, segment);
    const found = await lstatOf(folder);
    if (found === undefined) return;
    if (!found.isDirectory()) throw unsafe(destination, 'belongs into a folder that is none, or a link');
  }
  const existing = await lstatOf(join(folder, file));
  // A folder is never replaced by a file.
  if (existing !== undefined && (!overwrite || existing.isDirectory()))
    throw exists(destination, existing.isDirectory());
}

/**
 * Makes the folders and a new file in the last of them, with no link among them. Node opens nothing relative to an open
 * folder, so what was made is looked at once more afterwards: a link that was put in the way meanwhile is noticed
 * before a byte is written.
 *
 * @param made gets the folders that did not exist, the innermost first
 */
export async function createIn(
  destination: Destination,
  fileName: string,
  made: string[],
): Promise<{ readonly handle: FileHandle; readonly path: string }> {
  const { root, makesRoot, folders } = destination;
  const first = makesRoot ? await mkdir(root, { recursive: true }) : undefined;
  for (let folder = root; first !== undefined && folder.length >= first.length; folder = dirname(folder))
    made.push(folder);
  let folder = root;
  for (const segment of folders) {
    folder = join(folder, segment);
    if (await makeFolder(folder)) made.unshift(folder);
    if (!(await lstat(folder)).isDirectory())
      throw unsafe(destination, 'belongs into a folder that is none, or a link');
  }
  const path = join(folder, fileName);
  // For this user alone, also once it has its name: what a tool returned is nobody else's.
  const handle = await open(path, 'wx', 0o600);
  try {
    await checkPlace(destination, handle, path);
    return { handle, path };
  } catch (error) {
    await handle.close();
    await rm(path, { force: true });
    throw error;
  }
}

/** Throws unless the path leads to the open file, and to a place within the root. */
export async function checkPlace(destination: Destination, handle: FileHandle, path: string): Promise<void> {
  const way = relative(await realpath(destination.root), await realpath(dirname(path)));
  const isOutside = way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
  const [here, there] = [await handle.stat({ bigint: true }), await lstat(path, { bigint: true })];
  if (isOutside || here.ino !== there.ino || here.dev !== there.dev) {
    throw unsafe(destination, 'belongs into a folder that was replaced meanwhile');
  }
}

/** False where there is something of that name already. */
async function makeFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function lstatOf(path: string) {
  try {
    return await lstat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export function exists({ name }: Destination, isFolder = false): FilesError {
  const what = isFolder ? 'taken by a folder, which no file replaces' : 'taken; it was not overwritten';
  return new FilesError('destination_exists', `The place for "${shownName(name)}" is ${what}.`);
}

function unsafe({ name }: Destination, why: string): FilesError {
  return new FilesError('download_failed', `The file "${shownName(name)}" ${why}.`, {
    details: { reason: 'unsafe_destination' },
  });
}
