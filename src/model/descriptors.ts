import { isObject, member } from '../protocol/json.js';

/** Deeper than any result; a server may send any depth. */
export const MAX_DEPTH = 200;

const NAMES: readonly string[] = ['download', 'upload'];
const TRANSFER_MEMBERS = ['headers', 'transport', 'expiresAt'];

/**
 * Is a member what SEP-2631 tells where to fetch a file, and with what? Other things have a `download` with a `url` too, so
 * it has to stand beside a file, or to say how.
 */
export function isDescriptor(owner: object, name: string, value: unknown): boolean {
  if (!NAMES.includes(name) || typeof member(value, 'url') !== 'string') return false;
  const isOfFile = [owner, member(owner, 'file')].some(file => typeof member(file, 'uri') === 'string');
  return isOfFile || TRANSFER_MEMBERS.some(each => member(value, each) !== undefined);
}

/** All of them in a JSON value. */
export function descriptorsIn(value: unknown, depth = 0): unknown[] {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
  const found: unknown[] = [];
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner !== 'object') continue;
    if (isObject(value) && isDescriptor(value, name, inner)) found.push(inner);
    else for (const each of descriptorsIn(inner, depth + 1)) found.push(each);
  }
  return found;
}
