import { ProtocolError } from '@modelcontextprotocol/server';
import { invalidParams, requireCapability } from './checks.js';
import type { Json, Settings } from './options.js';
import { OWN_RESOURCES, OWN_TEMPLATES, ownContents } from './own-resources.js';
import { RequestStates } from './request-state.js';
import { ResourceEvents } from './resource-events.js';
import { ResourceStore, type StoredResource } from './resource-store.js';

/** -32601 */
const METHOD_NOT_FOUND = -32601;
/** SEP-2571: storage failure or quota. */
const STORAGE_FAILED = -32000;
/** SEP-2571 leaves the code for missing permission to the server. */
const FORBIDDEN = -32003;

const TEXT_TYPE = /^(?:text\/|application\/(?:json|xml|javascript|yaml|x-ndjson|sql)\b|[\w.+/-]+\+(?:json|xml)\b)/i;
const QUESTION = 'reference:///question';
const QUESTION_KEY = 'question_1';

/** One request, whichever era and transport it came by. */
export interface ResourceRequest {
  readonly method: string;
  readonly params: Json;
  /** Who asks: created resources belong to somebody. */
  readonly owner: string;
  readonly requestState: unknown;
  readonly inputResponses: Json;
  readonly client: Json | undefined;
  /** What this connection subscribed to by `resources/subscribe`; absent where a connection is one request. */
  readonly subscribed: Set<string> | undefined;
}

/** The resource methods: those of the core protocol, and `resources/create` and `resources/delete` (SEP-2571). */
export class Resources {
  readonly events = new ResourceEvents();
  readonly #settings: Settings;
  readonly #store: ResourceStore;
  readonly #states: RequestStates;
  readonly #changes = new Map<string, number>();

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#store = new ResourceStore(settings.resourceQuota, settings.now);
    this.#states = new RequestStates(settings);
  }

  async answer(request: ResourceRequest): Promise<Json> {
    const { resources } = this.#settings;
    switch (request.method) {
      case 'resources/list':
        return this.#page('resources', [...OWN_RESOURCES, ...this.#listed(request.owner)], request.params);
      case 'resources/templates/list':
        return this.#page('resourceTemplates', OWN_TEMPLATES, request.params);
      case 'resources/read':
        return this.#read(request);
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        return this.#subscribe(request);
      case 'resources/create':
        if (resources === 'full') return this.#create(request);
        break;
      case 'resources/delete':
        if (resources === 'full') return this.#delete(request);
        break;
    }
    throw new ProtocolError(METHOD_NOT_FOUND, 'Method not found');
  }

  /** The content of a resource has changed: created ones get a new text, the server's own count their changes. */
  touch(uri: string, text?: string): void {
    const stored = this.#store.get(uri);
    if (stored !== undefined && text !== undefined) {
      stored.content = stored.isText ? text : Buffer.from(text).toString('base64');
      stored.size = Buffer.byteLength(text);
    } else {
      this.#changes.set(uri, (this.#changes.get(uri) ?? 0) + 1);
    }
    this.events.updated(uri);
  }

  #listed(owner: string): Json[] {
    return this.#store.ownedBy(owner).map(({ uri, name, mimeType, size, createdAt }) => ({
      uri,
      name,
      mimeType,
      size,
      annotations: { lastModified: createdAt },
    }));
  }

  #page(member: string, items: readonly Json[], { cursor }: Json): Json {
    const size = this.#settings.resourcePageSize;
    const from = cursor === undefined ? 0 : Number(/^page-(\d+)$/.exec(String(cursor))?.[1] ?? -1);
    if (from < 0) throw invalidParams('Unknown cursor', 'unknown_cursor');
    const more = from + size < items.length ? { nextCursor: `page-${from + size}` } : {};
    return { [member]: items.slice(from, from + size), ...more };
  }

  #read(request: ResourceRequest): Json {
    const uri = uriOf(request);
    const stored = this.#store.get(uri);
    if (stored !== undefined) {
      if (this.#settings.resourceReaders === 'owner' && stored.owner !== request.owner) throw forbidden(uri);
      return { contents: [contentOf(stored)] };
    }
    if (uri === QUESTION && !this.#isAnswered(uri, request)) return this.#question(uri, request);
    const contents = ownContents(uri, this.#changes.get(uri) ?? 0);
    if (contents === undefined) throw notFound(uri);
    return { contents };
  }

  #question(uri: string, { client }: ResourceRequest): Json {
    requireCapability(client === undefined || client.elicitation !== undefined, { elicitation: {} });
    const requestState = this.#states.seal(
      'resources/read',
      { uri },
      { uploads: {}, uploadAsked: false, confirmationAsked: true },
    );
    const requestedSchema = { type: 'object', properties: {} };
    const params = { mode: 'form', message: 'Read it?', requestedSchema };
    return {
      resultType: 'input_required',
      inputRequests: { [QUESTION_KEY]: { method: 'elicitation/create', params } },
      requestState,
    };
  }

  #isAnswered(uri: string, { requestState, inputResponses }: ResourceRequest): boolean {
    if (requestState === undefined) return false;
    const opened = this.#states.open('resources/read', { uri }, requestState);
    if (opened.kind !== 'valid') throw invalidParams('Invalid request state', 'invalid_request_state');
    this.#states.consume(opened.id);
    if ((inputResponses[QUESTION_KEY] as Json | undefined)?.action === 'accept') return true;
    throw forbidden(uri);
  }

  #subscribe(request: ResourceRequest): Json {
    const { method, subscribed } = request;
    if (subscribed === undefined) throw new ProtocolError(METHOD_NOT_FOUND, 'Subscriptions need a session');
    const uri = uriOf(request);
    if (method === 'resources/unsubscribe') {
      subscribed.delete(uri);
      return {};
    }
    if (this.#store.get(uri) === undefined && ownContents(uri, 0) === undefined) throw notFound(uri);
    subscribed.add(uri);
    return {};
  }

  #create({ params, owner }: ResourceRequest): Json {
    const { name, mimeType, content, metadata = {} } = params;
    if (typeof name !== 'string' || name === '') throw invalidParams('name is missing', 'name_missing');
    if (typeof mimeType !== 'string' || !/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+/.test(mimeType)) {
      throw invalidParams('mimeType is no media type', 'mime_type_invalid');
    }
    if (typeof content !== 'string') throw invalidParams('content is missing', 'content_missing');
    if (typeof metadata !== 'object' || metadata === null)
      throw invalidParams('metadata is no object', 'metadata_invalid');
    const isText = TEXT_TYPE.test(mimeType);
    const bytes = Buffer.from(content, isText ? 'utf8' : 'base64');
    // What was decoded must be all that was sent, encoded the one standard way.
    if (!isText && bytes.toString('base64') !== content) throw invalidParams('content is no base64', 'content_invalid');
    const size = bytes.length;
    const stored = this.#store.add({ owner, name, mimeType, content, isText, size, metadata: metadata as Json });
    if (stored === undefined) {
      throw new ProtocolError(STORAGE_FAILED, 'Quota exceeded', { quota: this.#settings.resourceQuota, size });
    }
    this.events.listChanged();
    const { uri, createdAt } = stored;
    return { uri, name, mimeType, createdAt };
  }

  #delete(request: ResourceRequest): Json {
    const uri = uriOf(request);
    const stored = this.#store.get(uri);
    if (stored === undefined && OWN_RESOURCES.some(own => own.uri === uri)) throw forbidden(uri);
    if (stored === undefined) throw notFound(uri);
    if (stored.owner !== request.owner) throw forbidden(uri);
    this.#store.delete(uri);
    this.events.updated(uri);
    this.events.listChanged();
    return {};
  }
}

function contentOf({ uri, mimeType, content, isText }: StoredResource): Json {
  return { uri, mimeType, ...(isText ? { text: content } : { blob: content }) };
}

function uriOf({ params }: ResourceRequest): string {
  if (typeof params.uri !== 'string' || params.uri === '') throw invalidParams('uri is missing', 'uri_missing');
  return params.uri;
}

/** In every era: the SDK writes the -32002 of earlier protocols as -32602 too. */
function notFound(uri: string): ProtocolError {
  return new ProtocolError(-32602, 'Resource not found', { uri, reason: 'resource_not_found' });
}

function forbidden(uri: string): ProtocolError {
  return new ProtocolError(FORBIDDEN, 'This client may not do that', { uri });
}
