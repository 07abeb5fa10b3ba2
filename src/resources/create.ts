import { effectiveInlineLimit } from '../call/plan.js';
import { isRemoteFile } from '../call/remote-file.js';
import { RemoteSources } from '../call/remote-source.js';
import type { JsonObject } from '../connection/index.js';
import { FilesError, shownName, throwIfAborted } from '../errors/index.js';
import { planFile, typeOfName } from '../source/index.js';
import { createProgress } from '../transfer/progress.js';
import { isDate } from './annotations.js';
import { change } from './change.js';
import { type Content, fileContent, textContent } from './content.js';
import { type ResourceEnvironment, run } from './environment.js';
import { type GivenResource, givenResource } from './new-resource.js';
import type { Supports } from './support.js';
import { isTextType } from './text-type.js';
import type { CreatedResource, CreateResourceOptions, NewResource } from './types.js';

const DEFAULT_MOST_BYTES = 128 * 1024 * 1024;
/** Both SDKs end the connection at a line of 10 MiB; the rest of the message has the difference. */
const MOST_LINE = 10 * 1024 * 1024 - 64 * 1024;
/** The longest string of V8, in characters: a longer message cannot be made. */
const MOST_CHARACTERS = 0x1fff_ffe8 - 64 * 1024;

/** `resources/create` (SEP-2571). */
export function createResource(
  resource: NewResource,
  options: CreateResourceOptions,
  environment: ResourceEnvironment,
  supports: Supports,
): Promise<CreatedResource> {
  const { context } = environment;
  const remotes = new RemoteSources(context);
  return run(environment, options.signal, async signal => {
    try {
      const given = givenResource(resource, value => (isRemoteFile(value) ? remotes.of(value, '/content') : undefined));
      await supports.require('create', options, signal);
      return await createFrom(given, options, environment, signal);
    } finally {
      await remotes.close();
    }
  });
}

async function createFrom(
  given: GivenResource,
  options: CreateResourceOptions,
  environment: ResourceEnvironment,
  signal: AbortSignal,
): Promise<CreatedResource> {
  const { context } = environment;
  const { content, mimeType } = await described(given, signal);
  const name = given.name ?? content.name;
  const encoding = encodingFor(mimeType, given.encoding);
  checkSize(content, encoding, mostBytes(options.maxBytes, environment));
  const progress = createProgress([{ pointer: '/content', name, size: content.size }], options.onProgress);
  progress.phase('reading');
  const encoded = await content.encode(encoding, signal);
  throwIfAborted(signal);
  const { metadata } = given;
  const params: JsonObject = { name, mimeType, content: encoded, ...(metadata === undefined ? {} : { metadata }) };
  if (context.port.stdio) checkLine(params, content.size);
  progress.phase('calling');
  context.log?.({ type: 'resource_encoded', encoding, bytes: content.size });
  const sent = (): string[] => [encoded, ...textsIn(metadata)];
  const answer = await change('create', params, { options, signal, sent, size: content.size }, environment);
  progress.confirm('/content');
  return created(answer, name, mimeType, environment);
}

/** Measures the content and settles its type; nothing is read. */
async function described(
  { content, name, mimeType }: GivenResource,
  signal: AbortSignal,
): Promise<{ content: Content; mimeType: string }> {
  if (typeof content !== 'string') {
    const file = await planFile(content, signal);
    return { content: fileContent(file), mimeType: mimeType ?? file.type };
  }
  const text = textContent(content, name ?? 'resource');
  if (mimeType !== undefined) return { content: text, mimeType };
  const byName = await typeOfName(name ?? '');
  return { content: text, mimeType: byName !== undefined && isTextType(byName) ? byName : 'text/plain' };
}

/** SEP-2571: text under a text type, base64 under any other. */
function encodingFor(mimeType: string, asked: 'text' | 'base64' | undefined): 'text' | 'base64' {
  if (!isTextType(mimeType)) return asked ?? 'base64';
  if (asked !== 'base64') return 'text';
  throw new FilesError(
    'argument_invalid',
    `Under the text type ${shownName(mimeType)} a server takes base64 for the text itself (SEP-2571): give another mimeType, such as application/octet-stream.`,
    { details: { reason: 'base64_under_text_type' } },
  );
}

function mostBytes(maxBytes: number | undefined, { context }: ResourceEnvironment): number {
  if (maxBytes !== undefined && !(maxBytes >= 0)) {
    throw new FilesError('argument_invalid', 'The option maxBytes is no number of bytes.');
  }
  return effectiveInlineLimit(maxBytes ?? context.inlineLimit ?? DEFAULT_MOST_BYTES, undefined, context.port.stdio);
}

/** Before anything is read or encoded. */
function checkSize({ size, name }: Content, encoding: 'text' | 'base64', most: number): void {
  const room = encoding === 'text' ? MOST_CHARACTERS : Math.floor(MOST_CHARACTERS / 4) * 3;
  const maxSize = Math.min(most, room);
  if (size <= maxSize) return;
  throw new FilesError(
    'file_too_large',
    `The content of "${shownName(name)}" has ${size} bytes; a resource travels inside one message, and ${maxSize} is the most here (maxBytes, inlineLimit).`,
    { details: { limit: 'inline', size, maxSize } },
  );
}

/** Text grows as JSON: a line that is too long would end the connection without an answer. */
function checkLine(params: JsonObject, size: number): void {
  const line = new TextEncoder().encode(JSON.stringify(params)).byteLength;
  if (line <= MOST_LINE) return;
  throw new FilesError(
    'file_too_large',
    `The resource has ${size} bytes and takes ${line} as JSON; on stdio a message may have ${MOST_LINE}.`,
    { details: { limit: 'inline', size, maxSize: MOST_LINE } },
  );
}

function created(
  { uri, name, mimeType, createdAt }: JsonObject,
  sentName: string,
  sentType: string,
  { context }: ResourceEnvironment,
): CreatedResource {
  if (typeof uri !== 'string' || uri === '') {
    throw new FilesError('server_violation', 'resources/create was answered without the uri of the resource.', {
      outcome: 'completed',
    });
  }
  if (!isDate(createdAt))
    context.log?.({ type: 'note', message: 'resources/create was answered without a date: left out' });
  return {
    uri,
    name: typeof name === 'string' ? name : sentName,
    mimeType: typeof mimeType === 'string' ? mimeType : sentType,
    ...(isDate(createdAt) ? { createdAt } : {}),
  };
}

/** Every text of the metadata, for the check that no error shows it. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
