import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import { FilesError, safeCause } from '../errors/index.js';

/** Which file this is, and in which state: times in nanoseconds, so that a change within one millisecond shows. */
export type FileIdentity = Pick<BigIntStats, 'dev' | 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'>;

export interface OpenRules {
  /** The base name, for messages: the path itself stays out of them. */
  readonly name: string;
  /** Real path of the folder that the file must be in. */
  readonly root?: string | undefined;
  readonly followSymlinks: boolean;
}

function sameFile(a: FileIdentity, b: FileIdentity): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}

export function sameState(a: FileIdentity, b: FileIdentity): boolean {
  return sameFile(a, b) && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;
}

/** A regular file that is open. The caller closes the handle. */
export interface OpenFile {
  readonly handle: FileHandle;
  readonly identity: BigIntStats;
  /** Its path without any link in it. */
  readonly realPath: string;
}

/**
 * Opens a regular file for reading, and nothing else: what the path leads to is looked at before it is opened (opening
 * a device may already do something), opened without blocking on a FIFO and without following a link that has just
 * been put there, and then compared with what was looked at.
 *
 * @throws {FilesError} `file_unreadable`
 */
export function openRegular(path: string, rules: OpenRules): Promise<OpenFile> {
  return opening(rules, async (refuse, own) => {
    const realPath = await resolve(path, rules, refuse);
    const { handle, before } = await lookAndOpen(realPath, refuse);
    own(handle);
    const identity = await handle.stat({ bigint: true });
    if (!identity.isFile() || !sameFile(identity, before)) throw refuse('was replaced while it was opened');
    // A folder on the way may have become a link between the two looks.
    if (
      rules.root !== undefined &&
      !sameFile(identity, await stat(await resolve(path, rules, refuse), { bigint: true }))
    ) {
      throw refuse('was replaced while it was opened');
    }
    return { handle, identity, realPath };
  });
}

/**
 * Opens a file that was opened before. No link on the way is followed a second time, unless a root has to hold again.
 * Whether it is still the same file is the caller's question to the descriptor, before anything read from it is used.
 *
 * @throws {FilesError} `file_unreadable`
 */
export function reopen(path: string, rules: OpenRules, realPath: string): Promise<FileHandle> {
  if (rules.root !== undefined) return openRegular(path, rules).then(({ handle }) => handle);
  return opening(rules, () => open(realPath, READ_ONLY));
}

/** Without waiting for the writer of a FIFO, and without following a link. */
const READ_ONLY = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

type Refuse = (why: string, cause?: unknown) => FilesError;

/** Closes what `open` has opened, if it fails after all. */
async function opening<T>(
  { name }: OpenRules,
  open: (refuse: Refuse, own: (handle: FileHandle) => void) => Promise<T>,
): Promise<T> {
  const refuse: Refuse = (why, cause) => {
    const message = `The file "${name}" ${why}.`;
    return new FilesError('file_unreadable', message, cause === undefined ? {} : { cause: safeCause(cause) });
  };
  let owned: FileHandle | undefined;
  try {
    return await open(refuse, handle => {
      owned = handle;
    });
  } catch (error) {
    await owned?.close();
    throw error instanceof FilesError ? error : refuse(reasonOf(error), error);
  }
}

async function lookAndOpen(realPath: string, refuse: Refuse): Promise<{ handle: FileHandle; before: BigIntStats }> {
  const before = await lstat(realPath, { bigint: true });
  if (!before.isFile()) throw refuse(`is ${kindOf(before)}, not a regular file`);
  return { handle: await open(realPath, READ_ONLY), before };
}

/** The path without any link in it, checked against the rules. */
async function resolve(path: string, rules: OpenRules, refuse: Refuse): Promise<string> {
  if (!rules.followSymlinks && (await lstat(path)).isSymbolicLink()) throw refuse('is a symbolic link');
  const real = await realpath(path);
  if (rules.root !== undefined && !isInside(real, await realpath(rules.root)))
    throw refuse('is outside the root folder');
  return real;
}

function isInside(path: string, root: string): boolean {
  const way = relative(root, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function kindOf(stats: BigIntStats): string {
  if (stats.isDirectory()) return 'a directory';
  if (stats.isFIFO()) return 'a FIFO';
  if (stats.isSocket()) return 'a socket';
  if (stats.isSymbolicLink()) return 'a symbolic link';
  return 'a device';
}

function reasonOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist';
  if (code === 'EACCES' || code === 'EPERM') return 'may not be read';
  // ELOOP: O_NOFOLLOW met a link that was not there a moment before; ENXIO: a socket or FIFO was.
  if (code === 'ELOOP' || code === 'ENXIO') return 'was replaced while it was opened';
  return 'could not be opened';
}
