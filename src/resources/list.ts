import type { JsonObject } from '../connection/index.js';
import { FilesError } from '../errors/index.js';
import { readAnnotations } from './annotations.js';
import { type ResourceEnvironment, run, send } from './environment.js';
import { CODE, serverError } from './server-error.js';
import type { Resource, ResourceRequestOptions, ResourceTemplate } from './types.js';
import { unanswered } from './unanswered.js';

/** Pages without an item, one after the other: a list that goes on for longer has no end. */
const MOST_EMPTY_PAGES = 1000;

interface ListKind {
  readonly method: string;
  /** The member of the result that holds the items. */
  readonly member: string;
  /** The member of an item that it cannot be used without. */
  readonly key: string;
}

const RESOURCES: ListKind = { method: 'resources/list', member: 'resources', key: 'uri' };
const TEMPLATES: ListKind = { method: 'resources/templates/list', member: 'resourceTemplates', key: 'uriTemplate' };

/** Every resource, page by page, as they are asked for. */
export function listResources(options: ResourceRequestOptions, env: ResourceEnvironment): AsyncIterable<Resource> {
  return everyItem(RESOURCES, options, env) as AsyncIterable<Resource>;
}

export function listTemplates(
  options: ResourceRequestOptions,
  env: ResourceEnvironment,
): AsyncIterable<ResourceTemplate> {
  return everyItem(TEMPLATES, options, env) as AsyncIterable<ResourceTemplate>;
}

/** Each iteration begins at the first page. A page is asked for when the items before it were taken. */
function everyItem(
  kind: ListKind,
  options: ResourceRequestOptions,
  env: ResourceEnvironment,
): AsyncIterable<JsonObject> {
  return {
    async *[Symbol.asyncIterator]() {
      const cursors = new Set<string>();
      let emptyPages = 0;
      for (let cursor: string | undefined; ; ) {
        const page = await readPage(kind, cursor, options, env);
        yield* page.items;
        cursor = page.nextCursor;
        if (cursor === undefined) return;
        if (cursors.has(cursor)) throw endless(`The server gave the same cursor twice for ${kind.method}.`);
        cursors.add(cursor);
        emptyPages = page.items.length === 0 ? emptyPages + 1 : 0;
        if (emptyPages >= MOST_EMPTY_PAGES) {
          throw endless(`The server's ${kind.method} goes on after ${MOST_EMPTY_PAGES} empty pages.`);
        }
      }
    },
  };
}

async function readPage(
  { method, member, key }: ListKind,
  cursor: string | undefined,
  options: ResourceRequestOptions,
  env: ResourceEnvironment,
): Promise<{ items: JsonObject[]; nextCursor: string | undefined }> {
  const { log, port } = env.context;
  const params = cursor === undefined ? undefined : { cursor };
  const answer = await run(env, options.signal, signal => send(env, method, params, options, signal)).catch(error => {
    const failure = port.failureOf(error);
    if (failure.kind !== 'rpc_error' || failure.code !== CODE.methodNotFound) throw unanswered(method, error, port);
    throw serverError('resource_unsupported', `The server has no ${method}`, { method }, { ...failure, error });
  });
  const result = answer.kind === 'complete' ? answer.result : {};
  const { [member]: found, nextCursor } = result;
  if (!Array.isArray(found)) {
    throw new FilesError('server_violation', `${method} was answered without a list of ${member}.`);
  }
  const note = (message: string): void => log?.({ type: 'note', message: `${method}: ${message}` });
  const items = found.flatMap(item => {
    const usable = readItem(item, key, note);
    if (usable === undefined) note(`an item without ${key} was left out`);
    return usable === undefined ? [] : [usable];
  });
  return { items, nextCursor: typeof nextCursor === 'string' ? nextCursor : undefined };
}

/** What a host cannot do without, checked; everything else as it came. */
function readItem(item: unknown, key: string, note: (message: string) => void): JsonObject | undefined {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return undefined;
  const { annotations: given, ...rest } = item as JsonObject;
  const { [key]: id, name, title } = rest;
  if (typeof id !== 'string' || id === '') return undefined;
  const annotations = readAnnotations(given, note);
  const named = typeof name === 'string' ? name : typeof title === 'string' ? title : id;
  return { ...rest, name: named, ...(annotations === undefined ? {} : { annotations }) };
}

function endless(message: string): FilesError {
  return new FilesError('server_violation', message, { details: { reason: 'endless_list' } });
}
