import { isObject, member } from '../protocol/json.js';
import { pointerOf } from '../protocol/json-pointer.js';
import { isDescriptor, MAX_DEPTH } from './descriptors.js';
import type { HiddenTexts } from './hidden-texts.js';
import type { ShownFile } from './shown-file.js';

const REMOVED = '[file content removed]';
/** Content types that are nothing without their bytes. */
const MEDIA: readonly unknown[] = ['image', 'audio', 'video', 'blob'];
const TYPE_MEMBERS = ['mimeType', 'mime_type', 'mediaType', 'contentType', 'content_type'];
const DATA_MEMBERS: ReadonlySet<string> = new Set(['data', 'blob', 'base64']);

/**
 * A copy of a JSON value with every returned file as what may be shown of it, every text scrubbed, and no bytes in members
 * that hold them: also of what is too malformed to be counted as a file, such as an echo of the tool's own arguments.
 */
export function withoutBytes(
  value: unknown,
  path: readonly string[],
  hidden: HiddenTexts,
  fileAt: (pointer: string) => ShownFile | undefined,
): unknown {
  if (typeof value === 'string') return hidden.scrub(value);
  if (typeof value !== 'object' || value === null) return value;
  if (path.length > MAX_DEPTH) return '[…]';
  const file = fileAt(pointerOf(path));
  if (file !== undefined) {
    const text = member(member(value, 'resource'), 'text');
    return { ...file, ...(typeof text === 'string' && { text: hidden.scrub(text) }) };
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => withoutBytes(item, [...path, String(index)], hidden, fileAt));
  }
  const holdsBytes =
    MEDIA.includes(member(value, 'type')) ||
    TYPE_MEMBERS.some(name => typeof member(value, name) === 'string') ||
    (isObject(value) && typeof member(value, 'blob') === 'string');
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      hidden.scrub(name),
      holdsBytes && DATA_MEMBERS.has(name) && typeof inner === 'string'
        ? REMOVED
        : isDescriptor(value, name, inner)
          ? '[address removed]'
          : withoutBytes(inner, [...path, name], hidden, fileAt),
    ]),
  );
}
