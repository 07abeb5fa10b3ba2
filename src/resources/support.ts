import type { JsonObject } from '../connection/index.js';
import { FilesError, linkSignals, throwIfAborted } from '../errors/index.js';
import type { ResourceEnvironment } from './environment.js';
import type { ResourceRequestOptions, ResourceSupport } from './types.js';
import { unanswered } from './unanswered.js';

/** What is known of the present server; `visible` is whether `create` and `delete` could be seen at all. */
interface Known extends ResourceSupport {
  readonly visible: boolean;
}

/** Finds out once for each connection what the server does with resources. */
export class Supports {
  readonly #environment: ResourceEnvironment;
  #connection: object | undefined;
  #known: Known | undefined;

  constructor(environment: ResourceEnvironment) {
    this.#environment = environment;
  }

  async get(options: ResourceRequestOptions, signal: AbortSignal): Promise<Known> {
    const { context, requireConnected } = this.#environment;
    requireConnected();
    const connection = context.port.connectionKey;
    if (this.#known !== undefined && this.#connection === connection) return this.#known;
    const own = linkSignals(signal);
    let full: JsonObject | undefined;
    try {
      const { timeout } = options;
      full = await context.port.fullCapabilities({ signal: own.signal, ...(timeout === undefined ? {} : { timeout }) });
    } catch (error) {
      throwIfAborted(signal);
      throw unanswered('server/discover', error, context.port);
    } finally {
      own.release();
    }
    const known = supportIn(full, context.port.serverCapabilities());
    // The answer to a handshake that was not watched may still come to be seen.
    if (known.visible) {
      this.#known = known;
      this.#connection = connection;
    }
    return known;
  }

  /** Throws `resource_unsupported`; nothing has been sent then (SEP-2571: clients must check before use). */
  async require(
    what: 'create' | 'delete' | 'subscribe',
    options: ResourceRequestOptions,
    signal: AbortSignal,
  ): Promise<void> {
    const known = await this.get(options, signal);
    if (known[what]) return;
    const { era, sdk } = this.#environment.context.port;
    const hidden = what !== 'subscribe' && !known.visible;
    throw new FilesError(
      'resource_unsupported',
      hidden
        ? `Whether the server supports resources/${what} cannot be seen: before protocol 2026-07-28 only the answer to ` +
            'initialize says so. Give FilesClient the option "transport" (the transport that the client will connect with), ' +
            'or call resources.watchTransport(transport) before connect.'
        : `The server does not advertise resources.${what}.`,
      { details: { capability: `resources.${what}`, visible: !hidden, era, sdk } },
    );
  }
}

function supportIn(full: JsonObject | undefined, reported: JsonObject | undefined): Known {
  const { create, delete: remove, subscribe, listChanged } = resourcesIn(full ?? reported);
  return {
    create: isOn(create),
    delete: isOn(remove),
    subscribe: isOn(subscribe),
    listChanged: isOn(listChanged),
    visible: full !== undefined,
  };
}

/** SEP-2571 writes `true`; an object is how other capabilities say the same. */
function isOn(value: unknown): boolean {
  return value === true || (typeof value === 'object' && value !== null);
}

function resourcesIn(capabilities: JsonObject | undefined): JsonObject {
  const resources = capabilities?.resources;
  return typeof resources === 'object' && resources !== null ? (resources as JsonObject) : {};
}
