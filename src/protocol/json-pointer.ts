import { FilesError } from '../errors/index.js';

const ARRAY_INDEX = /^(?:0|[1-9][0-9]*)$/;

/** Writes a JSON Pointer (RFC 6901): `['a', 0, 'b/c']` is `/a/0/b~1c`. */
export function pointerOf(segments: readonly (string | number)[]): string {
  return segments.map(segment => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Reads a JSON Pointer (RFC 6901) into its segments. Throws `argument_invalid` where it is none. */
export function segmentsOf(pointer: string): string[] {
  const segments = parsePointer(pointer);
  if (!segments) {
    throw new FilesError(
      'argument_invalid',
      'Not a JSON Pointer (RFC 6901): it is empty or starts with "/", and "~" is "~0".',
    );
  }
  return segments;
}

/** As {@link segmentsOf}, for pointers of the other side: `undefined` where it is none. */
export function parsePointer(pointer: unknown): string[] | undefined {
  if (typeof pointer !== 'string' || /~(?![01])/.test(pointer)) return undefined;
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) return undefined;
  // RFC 6901 section 4: "~1" first, so that "~01" becomes "~1" and not "/".
  return pointer
    .slice(1)
    .split('/')
    .map(segment => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The index that a segment names in a list, or `undefined`: no sign, no leading zero (RFC 6901 section 4). */
export function arrayIndex(segment: string): number | undefined {
  return ARRAY_INDEX.test(segment) ? Number(segment) : undefined;
}

/**
 * The value at a JSON Pointer, through own members and list items only; `undefined` where there is none. Throws
 * `argument_invalid` for a malformed pointer.
 */
export function valueAt(root: unknown, pointer: string): unknown {
  return valueAtSegments(root, segmentsOf(pointer));
}

/** As {@link valueAt}, for a pointer already read. */
export function valueAtSegments(root: unknown, segments: readonly string[]): unknown {
  let value = root;
  for (const segment of segments) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value) && arrayIndex(segment) === undefined) return undefined;
    if (!Object.hasOwn(value, segment)) return undefined;
    value = (value as Record<string, unknown>)[segment];
  }
  return value;
}
