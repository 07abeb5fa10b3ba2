import type { FilesError } from '../errors/index.js';
import { isObject, member } from './json.js';
import type { JsonObject, NamedValue, Note, UploadTarget } from './types.js';

/** Where in the message a reader is: makes the error for a broken rule, and notes what was guessed. */
export interface Place {
  broken(rule: string): FilesError;
  readonly note: Note;
}

/** The members that upload and download targets share. Throws what `place.broken` makes. */
export function readAccess(
  target: JsonObject,
  place: Place,
): Pick<UploadTarget, 'url' | 'path' | 'headers' | 'credentials' | 'expiresAt'> {
  const headers = member(target, 'headers');
  const expiresAt = readExpiry(target, place.note);
  return {
    ...readDestination(target, place),
    headers: headers === undefined ? [] : readNamedValues(headers, 'headers', place),
    credentials: readCredentials(target, place),
    ...(expiresAt !== undefined && { expiresAt }),
  };
}

function readDestination(target: JsonObject, place: Place): { url: string } | { path: string } {
  const url = member(target, 'url');
  const path = member(target, 'path');
  if (url !== undefined && path !== undefined) throw place.broken('it gives both "url" and "path"');
  if (url === undefined && path === undefined) throw place.broken('it gives neither "url" nor "path"');
  if (typeof url === 'string') return { url };
  if (typeof path === 'string') return { path };
  throw place.broken(`its "${url === undefined ? 'path' : 'url'}" is no string`);
}

function readCredentials(target: JsonObject, place: Place): 'omit' | 'include' {
  const credentials = member(target, 'credentials') ?? 'omit';
  if (credentials === 'omit' || credentials === 'include') return credentials;
  throw place.broken('its "credentials" is neither "omit" nor "include"');
}

/** Headers or form fields: a list of `{ name, value }`, a list of `[name, value]`, or a map. The order is kept. */
export function readNamedValues(value: unknown, what: string, place: Place): NamedValue[] {
  if (!Array.isArray(value) && !isObject(value)) throw place.broken(`its "${what}" is neither a list nor an object`);
  const pairs = Array.isArray(value) ? value.map(pairOf) : Object.entries(value);
  return pairs.map(([name, text]) => {
    if (typeof name === 'string' && typeof text === 'string') return [name, text];
    throw place.broken(`an entry of its "${what}" is no pair of a name and a string`);
  });
}

function pairOf(item: unknown): readonly unknown[] {
  if (Array.isArray(item)) return item.length === 2 ? item : [];
  return [member(item, 'name'), member(item, 'value')];
}

/** RFC 3339; anything else is no reason to refuse a target that may well be valid. */
function readExpiry(target: JsonObject, note: Note): number | undefined {
  const given = member(target, 'expiresAt');
  if (given === undefined) return undefined;
  const time = typeof given === 'string' ? parseRfc3339(given) : undefined;
  if (time === undefined) note('its "expiresAt" is no RFC 3339 date: ignored');
  return time;
}

const RFC_3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,3})\d*)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/** Milliseconds since the epoch. By hand, since `Date.parse` takes other forms too and lets 31 February pass. */
function parseRfc3339(text: string): number | undefined {
  const match = RFC_3339.exec(text);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const [offsetHour, offsetMinute] = [Number(match[9] ?? 0), Number(match[10] ?? 0)];
  // 60 is a leap second, which the clock of the epoch gives to the next minute.
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  const milliseconds = Number((match[7] ?? '').padEnd(3, '0'));
  const offset = (match[8] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute);
  return date.setUTCHours(hour, minute - offset, second, milliseconds);
}
