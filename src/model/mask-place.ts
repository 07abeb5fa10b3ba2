import type { SchemaNode } from '../protocol/file-keyword.js';
import type { JsonObject } from '../protocol/index.js';
import { isObject, member, objectMember } from '../protocol/json.js';

/** A place in the arguments, as far as it is known there what is a file. */
export interface Place {
  /** The declarations in `_meta` that apply here, as schemas. */
  readonly declared: readonly SchemaNode[];
  /** Something that applies beside takes a handle, so a string has to pass. */
  readonly takesHandle: boolean;
  /** The schema is copied to here from where it stands in the document. */
  readonly isCopy: boolean;
  readonly depth: number;
  /** The references that led here in place: a schema may refer to itself. */
  readonly through: readonly JsonObject[];
}

export const TOP: Place = { declared: [], takesHandle: false, isCopy: false, depth: 0, through: [] };

export function seedsOf(node: JsonObject, declared: readonly SchemaNode[]) {
  return [{ node, sure: true }, ...declared.map(each => ({ node: each, sure: false }))];
}

export function deeper(place: Place): Place {
  return { ...place, depth: place.depth + 1 };
}

/** What a declaration from outside says of a member or item; of any of them where none is named. */
export function declaredBelow(declared: SchemaNode, segment: string | undefined): SchemaNode[] {
  const named = segment === undefined ? undefined : objectMember(declared, 'properties');
  return [...(named ? [member(named, segment!)] : []), ...anyBelow(declared)].filter(isObject) as SchemaNode[];
}

export function anyBelow(declared: SchemaNode): SchemaNode[] {
  const any = objectMember(declared, 'additionalProperties') as SchemaNode | undefined;
  return any ? [any] : [];
}

export function withString(type: unknown): unknown {
  const types = Array.isArray(type) ? type : [type];
  return types.includes('string') ? type : [...types, 'string'];
}

export function nameFor(defs: JsonObject, first: number): string {
  for (let at = first; ; at++) if (!Object.hasOwn(defs, `shared${at}`)) return `shared${at}`;
}

/** Plain assignment would call the setter behind a keyword named `__proto__`. */
export function set(target: JsonObject, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
}
