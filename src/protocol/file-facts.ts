import { isByteCount, member } from './json.js';
import type { DownloadTarget, JsonObject, Note } from './types.js';

/** What a server may say of a file beside where it is. */
export type FileFacts = Pick<DownloadTarget, 'name' | 'mimeType' | 'size' | 'digest'>;

/** The facts that are of the right form; others are left out with a note. */
export function readFileFacts(item: JsonObject, note: Note): FileFacts {
  const text = (name: string) => checked(item, name, value => typeof value === 'string', note) as string | undefined;
  const [name, mimeType] = [text('name'), text('mimeType')];
  const size = checked(item, 'size', isByteCount, note) as number | undefined;
  const digest = checked(item, 'digest', isDigest, note) as DownloadTarget['digest'];
  return {
    ...(name !== undefined && { name }),
    ...(mimeType !== undefined && { mimeType }),
    ...(size !== undefined && { size }),
    ...(digest && { digest: { algorithm: digest.algorithm, value: digest.value } }),
  };
}

function checked(item: JsonObject, name: string, isRight: (value: unknown) => boolean, note: Note): unknown {
  const value = member(item, name);
  if (value === undefined || isRight(value)) return value;
  note(`its "${name}" is malformed, ignored`);
  return undefined;
}

function isDigest(value: unknown): boolean {
  return ['algorithm', 'value'].every(name => typeof member(value, name) === 'string');
}
