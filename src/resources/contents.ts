import type { JsonObject } from '../connection/index.js';
import { FilesError } from '../errors/index.js';
import { isMediaType } from '../source/media-type.js';
import { readAnnotations } from './annotations.js';
import { decodeBase64, decodedLength } from './base64.js';
import { shownUri } from './server-error.js';
import type { ResourceContent } from './types.js';

interface Reading {
  readonly uri: string;
  readonly maxBytes: number | undefined;
  readonly note: (message: string) => void;
}

/**
 * The `contents` of a result. Text is text and a blob is bytes whatever the type says. Throws `server_violation` for none at
 * all (a missing resource is an error, not an empty list), for an item that is neither, and for a blob that is no base64.
 */
export function readContents(result: JsonObject, reading: Reading): ResourceContent[] {
  const { contents } = result;
  const { uri, maxBytes } = reading;
  if (!Array.isArray(contents) || contents.length === 0) throw violation(uri, 'holds no contents');
  if (maxBytes !== undefined) {
    const size = contents.reduce((sum: number, item) => sum + sizeOf(item), 0);
    if (size > maxBytes) throw tooLarge(uri, maxBytes, size);
  }
  return contents.map((item, index) => readContent(item, index, reading));
}

function tooLarge(uri: string, maxBytes: number, size: number): FilesError {
  return new FilesError(
    'download_too_large',
    `The resource ${shownUri(uri)} has ${size} bytes, and ${maxBytes} may be read.`,
    { outcome: 'completed', details: { size, maxBytes } },
  );
}

function readContent(item: unknown, index: number, { uri: asked, note }: Reading): ResourceContent {
  const given = (typeof item === 'object' && item !== null ? item : {}) as JsonObject;
  const { uri, mimeType, text, blob, _meta } = given;
  const annotations = readAnnotations(given.annotations, note);
  if (typeof uri !== 'string') note('a content without uri: taken for the one asked for');
  if (mimeType !== undefined && !isType(mimeType)) note('a content has a mimeType that is none: left out');
  const base = {
    uri: typeof uri === 'string' ? uri : asked,
    ...(isType(mimeType) ? { mimeType } : {}),
    ...(annotations === undefined ? {} : { annotations }),
    ...(isObject(_meta) ? { _meta } : {}),
  };
  if (typeof text === 'string') {
    if (blob !== undefined) note('a content has both text and blob: its text was taken');
    return { ...base, text };
  }
  if (typeof blob !== 'string') throw violation(asked, `has a content (${index}) that is neither text nor blob`);
  const decoded = decodeBase64(blob);
  if (decoded === undefined) throw violation(asked, `has a blob (${index}) that is no base64`);
  if (decoded.irregular) note('a blob is no standard base64 (RFC 4648, section 4) and was read all the same');
  return { ...base, bytes: decoded.bytes };
}

function isType(value: unknown): value is string {
  return typeof value === 'string' && isMediaType(value);
}

/** Of text at least so many: each character is one byte or more. */
function sizeOf(item: unknown): number {
  const { text, blob } = (item ?? {}) as JsonObject;
  if (typeof text === 'string') return text.length;
  return typeof blob === 'string' ? decodedLength(blob) : 0;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function violation(uri: string, what: string): FilesError {
  return new FilesError('server_violation', `The answer to resources/read for ${shownUri(uri)} ${what}.`, {
    outcome: 'completed',
  });
}
