import { shownName } from '../errors/index.js';
import type { JsonObject } from './types.js';

/** A JSON object: neither a list nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * An own member of an object; `undefined` where it is absent or null (serialisers write null for what is not set). What the
 * prototype offers under `__proto__` or `constructor` is no member of the wire.
 */
export function member(object: unknown, name: string): unknown {
  return isObject(object) && Object.hasOwn(object, name) ? (object[name] ?? undefined) : undefined;
}

/** An own member that is an object. */
export function objectMember(object: unknown, name: string): JsonObject | undefined {
  const value = member(object, name);
  return isObject(value) ? value : undefined;
}

/** An own member that is a list; an empty list where it is not. */
export function listMember(object: unknown, name: string): readonly unknown[] {
  const value = member(object, name);
  return Array.isArray(value) ? value : [];
}

/** A count of bytes: an integer of 0 or more. */
export function isByteCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}

/** A name that the other side chose, as it may stand in a message. */
export function shown(name: string): string {
  return `"${shownName(name)}"`;
}
