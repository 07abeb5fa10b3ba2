import { FilesError } from '../errors/index.js';
import { type FileSource, fromBytes, toFileSource } from '../source/index.js';
import { isMediaType } from '../source/media-type.js';
import type { NewResource, ResourceMetadata } from './types.js';

/** A resource as it was given, checked and copied: nothing the caller does later counts. */
export interface GivenResource {
  readonly name: string | undefined;
  readonly content: string | FileSource;
  readonly mimeType: string | undefined;
  readonly metadata: ResourceMetadata | undefined;
  readonly encoding: 'text' | 'base64' | undefined;
}

/** Throws `argument_invalid`. `remote` makes a source of a file that a tool returned. */
export function givenResource(
  resource: NewResource,
  remote: (value: unknown) => FileSource | undefined,
): GivenResource {
  if (typeof resource !== 'object' || resource === null) throw invalid('The resource to create is no object.');
  const { name, content, mimeType, metadata, encoding } = resource;
  const source = sourceOf(content, typeof name === 'string' ? name : 'resource', remote);
  const ownName = typeof source === 'string' || isBytes(content) ? undefined : source.name;
  if (name === undefined ? ownName === undefined : typeof name !== 'string' || name.trim() === '') {
    throw invalid('A resource needs a name: text that is not empty.');
  }
  if (mimeType !== undefined && !(typeof mimeType === 'string' && isMediaType(mimeType))) {
    throw invalid('The mimeType of the resource is not a media type (RFC 9110, 8.3.1).');
  }
  if (encoding !== undefined && encoding !== 'text' && encoding !== 'base64') {
    throw invalid('The encoding of a resource is "text" or "base64".');
  }
  return { name: name ?? ownName, content: source, mimeType, metadata: copiedMetadata(metadata), encoding };
}

function sourceOf(
  content: unknown,
  name: string,
  remote: (value: unknown) => FileSource | undefined,
): string | FileSource {
  if (typeof content === 'string') return content;
  const source = isBytes(content) ? fromBytes(content, { name }) : (remote(content) ?? toFileSource(content));
  if (source === undefined) {
    throw invalid(
      'The content of a resource is text, a Uint8Array, or a file: fromPath, fromBytes, fromBlob, fromStream.',
    );
  }
  return source;
}

function isBytes(value: unknown): value is Uint8Array {
  return Object.prototype.toString.call(value) === '[object Uint8Array]';
}

/** As JSON would carry it. Its values stay out of every message. */
function copiedMetadata(metadata: unknown): ResourceMetadata | undefined {
  if (metadata === undefined) return undefined;
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) {
    throw invalid('The metadata of a resource is no object.');
  }
  let copy: ResourceMetadata;
  try {
    copy = JSON.parse(JSON.stringify(metadata)) as ResourceMetadata;
  } catch (cause) {
    throw invalid('The metadata of the resource cannot be written as JSON.', cause);
  }
  const { ttl, tags } = metadata as ResourceMetadata;
  if (ttl !== undefined && !(typeof ttl === 'number' && Number.isFinite(ttl) && ttl >= 0)) {
    throw invalid('The ttl of a resource is a number of seconds, 0 or more.');
  }
  if (tags !== undefined && !(Array.isArray(tags) && tags.every(tag => typeof tag === 'string'))) {
    throw invalid('The tags of a resource are a list of texts.');
  }
  return copy;
}

function invalid(message: string, cause?: unknown): FilesError {
  return new FilesError('argument_invalid', message, cause === undefined ? {} : { cause });
}
