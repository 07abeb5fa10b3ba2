import { linksIn, type RegisteredFile } from '../model/index.js';
import type { FileSource } from '../source/index.js';
import type { FileInArguments, TextInArguments } from './arguments.js';

/** Looks files up by their name, for one call. */
export interface NamedFiles {
  find(name: string, pointer: string): Promise<RegisteredFile | undefined>;
  sourceOf(file: RegisteredFile, pointer: string): FileSource;
}

/**
 * The registered files that a text names as an image or link, each as a file that goes inline: its name in the text becomes
 * a data URI, and nothing else changes. The first has the pointer of the text, others a number after it, as a text has
 * nothing below it.
 */
export async function filesInText(
  { pointer, text, put }: TextInArguments,
  files: NamedFiles,
): Promise<FileInArguments[]> {
  const pieces: string[] = [];
  const found: FileInArguments[] = [];
  let end = 0;
  for (const { from, to, name } of await linksIn(text)) {
    const file = await files.find(name, pointer);
    if (file === undefined) continue;
    pieces.push(text.slice(end, from), name);
    end = to;
    const at = pieces.length - 1;
    const own = found.length === 0 ? pointer : `${pointer}/${found.length}`;
    found.push({
      pointer: own,
      source: files.sourceOf(file, own),
      put: value => {
        pieces[at] = String(value);
        put(pieces.join(''));
      },
      undeclared: { pointer: own, required: false, dialect: 'data-uri', transferModes: ['inline'] },
    });
  }
  pieces.push(text.slice(end));
  return found;
}
