import { type FileObject, readFileObject } from './file-objects.js';
import type { InlineContent } from './inline-content.js';
import { isObject, listMember, member } from './json.js';
import type { JsonObject, Note } from './types.js';

/**
 * The one content of a resource, from the answer to `resources/read`: the one under the URI that was asked for, or the only
 * one (the URI of an answer may differ). A SEP-2631 server may name a file in its place. `undefined` where there is none,
 * or no telling which.
 */
export function readResourceFile(answer: JsonObject, uri: string, note: Note): InlineContent | FileObject | undefined {
  const contents = listMember(answer, 'contents').filter(isObject);
  const named = contents.filter(content => member(content, 'uri') === uri);
  const [content, ...others] = named.length > 0 ? named : contents;
  if (content === undefined || others.length > 0) return undefined;
  const [blob, text] = [member(content, 'blob'), member(content, 'text')];
  if (typeof blob === 'string') return { base64: blob };
  return typeof text === 'string' ? { text } : readFileObject(member(content, 'file'), note);
}
