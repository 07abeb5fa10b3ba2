import { FilesError } from '../errors/index.js';
import { isObject, member, shown } from './json.js';
import { type Place, readAccess, readNamedValues } from './target-members.js';
import type { JsonObject, Note, UploadTarget } from './types.js';

/** The error for an upload request that breaks a rule of the draft. */
export function violation(rule: string, pointer?: string): FilesError {
  return new FilesError('server_violation', `The server's upload request is malformed: ${rule}.`, {
    ...(pointer !== undefined && { pointer }),
  });
}

/** Reads the target of the file at `pointer`. Throws `server_violation`. */
export function readUploadTarget(target: unknown, pointer: string, note: Note): UploadTarget {
  const where = `the target for ${shown(pointer)}`;
  const place: Place = {
    broken: rule => violation(`${where}: ${rule}`, pointer),
    note: message => note(`${where}: ${message}`),
  };
  if (!isObject(target)) throw place.broken('it is no object');
  const form = readForm(target, place);
  const method = readMethod(target, place) ?? (form ? 'POST' : 'PUT');
  if (form && method === 'PUT') throw place.broken('a form cannot be sent with PUT');
  return { ...readAccess(target, place), method, ...(form && { form }) };
}

/** Whether the method may be used is the target policy's question; here it only has to be a word. */
function readMethod(target: JsonObject, place: Place): string | undefined {
  const method = member(target, 'method');
  if (method === undefined) return undefined;
  if (typeof method === 'string' && /^[A-Za-z][A-Za-z-]{0,31}$/.test(method)) return method.toUpperCase();
  throw place.broken('its "method" is no HTTP method');
}

/** `form` of the draft, or `multipart` of SEP-2631. Services without further fields (Cloudflare Images) leave them out. */
function readForm(target: JsonObject, place: Place): UploadTarget['form'] {
  const name = member(target, 'form') === undefined ? 'multipart' : 'form';
  const form = member(target, name);
  if (form === undefined) return undefined;
  if (!isObject(form)) throw place.broken(`its "${name}" is no object`);
  const fileField = member(form, 'fileField') ?? 'file';
  if (typeof fileField !== 'string' || fileField === '') throw place.broken('its "fileField" is no name');
  const given = member(form, 'fields') ?? [];
  if (isObject(given)) place.note('its form fields are an object: sent in the order of its members');
  const fields = readNamedValues(given, 'fields', place);
  if (fields.some(([field]) => field === '')) throw place.broken('a form field has an empty name');
  return { fields, fileField };
}
