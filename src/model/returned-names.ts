import type { ReturnedFile } from '../protocol/index.js';
import { extensionOfType, portableName } from '../source/index.js';

/**
 * The names that the files of one result are known by: relative paths that cannot leave the folder they are put in, on any
 * platform, and no two of them the same there, also where the file system takes `A.txt` and `a.TXT` for one.
 */
export async function namesOf(files: readonly ReturnedFile[]): Promise<string[]> {
  return distinct(await Promise.all(files.map(nameOf)));
}

async function nameOf({ name, mimeType, source }: ReturnedFile): Promise<string> {
  const given = relativeName(name ?? '') ?? (source.kind === 'target' ? undefined : nameInUri(source.uri));
  if (given !== undefined) return given;
  const extension = mimeType === undefined ? undefined : await extensionOfType(mimeType);
  const [kind] = /^(image|audio|video)(?=\/)/i.exec(mimeType ?? '') ?? ['file'];
  return extension === undefined ? kind.toLowerCase() : `${kind.toLowerCase()}.${extension}`;
}

/** Of a deeper or longer path the end is kept: no system opens every path, and each folder of it is looked at. */
const MOST_FOLDERS = 32;
const MOST_CHARACTERS = 1000;

/** A file name that somebody else chose as a relative path, if anything of it is left. */
export function relativeName(name: string): string | undefined {
  const withoutDrive = withoutQuery(name).replace(/^\s*[a-z]:/i, '');
  const segments = withoutDrive.split(/[/\\]/).filter(segment => segment !== '' && !/^[.\s]*$/.test(segment));
  const kept: string[] = [];
  let length = 0;
  for (const segment of segments
    .slice(-1 - MOST_FOLDERS)
    .map(portableName)
    .reverse()) {
    length += segment.length + 1;
    if (length > MOST_CHARACTERS) break;
    kept.unshift(segment);
  }
  return kept.length === 0 ? undefined : kept.join('/');
}

/** A name that is a URL may be a signed one, and one that is a data URI is the content. */
function withoutQuery(name: string): string {
  if (/^\s{0,9}data:[^\s,;]{0,200}[,;]/i.test(name)) return '';
  const isUrl = /^\s{0,9}(?:[a-z][a-z\d+.-]{1,30}(?::[/\\]|%3a%2f)|\/\/[^?])/i.test(name);
  const end = name.search(isUrl ? /[?#]|%3f|%23/i : /\?[\w.~-]{1,64}=/);
  return end < 0 ? name : name.slice(0, end);
}

/** The end of a URI's path, where it looks like a file's name: anything else may be a key of the server's. */
function nameInUri(uri: string | undefined): string | undefined {
  const path = (uri ?? '').replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
  const last = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf(':')) + 1);
  if (!/.\.[a-z\d]{1,10}$/is.test(last)) return undefined;
  try {
    return portableName(decodeURIComponent(last));
  } catch {
    return portableName(last);
  }
}

/** Numbers what is there already: `report (2).pdf`. A file never takes the name of a folder that others stand in. */
function distinct(names: readonly string[]): string[] {
  const folders = new Set(names.flatMap(name => foldersOf(folded(name))));
  const taken = new Set<string>();
  const numbers = new Map<string, number>();
  return names.map(name => {
    let candidate = name;
    while (taken.has(folded(candidate)) || folders.has(folded(candidate))) {
      const number = (numbers.get(folded(name)) ?? 1) + 1;
      numbers.set(folded(name), number);
      candidate = numbered(name, number);
    }
    taken.add(folded(candidate));
    return candidate;
  });
}

function foldersOf(name: string): string[] {
  return [...name.matchAll(/\//g)].map(({ index }) => name.slice(0, index));
}

/** As the file systems see it that take some names for one (APFS, NTFS), or less exactly: more is numbered than must be. */
function folded(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

/** The end of a long name makes room. */
function numbered(name: string, number: number): string {
  const slash = name.lastIndexOf('/') + 1;
  const dot = name.indexOf('.', slash + 1) < 0 ? name.length : name.lastIndexOf('.');
  const [stem, extension] = [[...name.slice(slash, dot)], name.slice(dot)];
  const short = stem.length > 40 ? stem.slice(0, -12) : stem;
  return `${name.slice(0, slash)}${portableName(`${short.join('')} (${number})${extension}`)}`;
}
