import { givenFor, REQUEST_OPTIONS } from '../call/request-options.js';
import { ANY, type Rule, type Rules } from '../errors/index.js';
import { createResource } from './create.js';
import { deleteResource } from './delete.js';
import { type ResourceEnvironment, run } from './environment.js';
import { expandTemplate } from './expand.js';
import { listResources, listTemplates } from './list.js';
import { readResource } from './read.js';
import { Subscriptions } from './subscriptions.js';
import { Supports } from './support.js';
import type {
  CreatedResource,
  CreateResourceOptions,
  NewResource,
  ReadResourceOptions,
  Resource,
  ResourceContent,
  ResourceListener,
  ResourceNotification,
  ResourceRequestOptions,
  ResourceSupport,
  ResourceTemplate,
  SubscribeOptions,
  Subscription,
  TemplateVariables,
} from './types.js';

/** Checked where they are used; here for their names. */
const CREATE_OPTIONS: Record<keyof CreateResourceOptions, Rule> = {
  ...REQUEST_OPTIONS,
  maxBytes: ANY,
  onProgress: ANY,
};
const READ_OPTIONS: Record<keyof ReadResourceOptions, Rule> = { ...REQUEST_OPTIONS, maxBytes: ANY, fetchHttps: ANY };

/**
 * The resources of one server: to list, read and follow in every era of the protocol, and to create and delete where the
 * server has SEP-2571. `client.resources` of a `FilesClient`.
 *
 * Every method throws {@link FilesError} `not_connected` before connect and `aborted` for the caller's signal or `close()`.
 * An error of the server that none of the codes below stands for is rethrown as the SDK's own object.
 */
export class ResourcesClient {
  readonly #environment: ResourceEnvironment;
  readonly #supports: Supports;
  readonly #subscriptions: Subscriptions;

  /** @internal */
  constructor(environment: ResourceEnvironment) {
    this.#environment = environment;
    this.#supports = new Supports(environment);
    this.#subscriptions = new Subscriptions(environment, this.#supports);
  }

  /**
   * What the connected server does. Before protocol 2026-07-28 `create` and `delete` can only be seen through the option
   * `transport` of the client (or {@link watchTransport}); where they cannot, they are `false`.
   */
  supported(options: ResourceRequestOptions = {}): Promise<ResourceSupport> {
    const given = this.#given('supported', options);
    return run(this.#environment, given.signal, async signal => {
      const { visible: _, ...support } = await this.#supports.get(given, signal);
      return support;
    });
  }

  /**
   * Puts a resource on the server (SEP-2571) and gives its URI. The content travels inside one message: text under a text
   * type, base64 under any other. Nothing is sent before type, size, metadata and the server's capability were checked.
   *
   * Throws `resource_unsupported`, `argument_invalid` (a bad name, type, metadata; bytes under a text type that are no
   * UTF-8), `file_too_large` (over `maxBytes`, or HTTP 413), what reading a file throws, `resource_rejected` (-32602),
   * `resource_storage_failed` (-32000: storage, quota), `resource_forbidden` (a code of the server's own), with the server's
   * code, message and data in `details`, and `outcome_unknown` where no answer came.
   */
  create(resource: NewResource, options: CreateResourceOptions = {}): Promise<CreatedResource> {
    return createResource(resource, this.#given('create', options, CREATE_OPTIONS), this.#environment, this.#supports);
  }

  /**
   * Deletes a resource (SEP-2571). Throws `resource_unsupported`, `resource_not_found` (-32602, -32002),
   * `resource_forbidden`, `resource_storage_failed`, `outcome_unknown`.
   */
  delete(uri: string, options: ResourceRequestOptions = {}): Promise<void> {
    return deleteResource(uri, this.#given('delete', options), this.#environment, this.#supports);
  }

  /**
   * Every resource of `resources/list`, over all its pages; a page is asked for when the one before it was taken. Ends with
   * `server_violation` where a cursor comes back. Each iteration asks anew.
   */
  list(options: ResourceRequestOptions = {}): AsyncIterable<Resource> {
    return listResources(this.#given('list', options), this.#environment);
  }

  /** Every template of `resources/templates/list`, as {@link list} does. */
  templates(options: ResourceRequestOptions = {}): AsyncIterable<ResourceTemplate> {
    return listTemplates(this.#given('templates', options), this.#environment);
  }

  /**
   * The URI that a template (RFC 6570, levels 1 to 4) makes of the variables, for {@link read}. Variables that are missing
   * expand to nothing. Throws `argument_invalid` for a malformed template, a variable it does not name, and a value that is
   * neither text, number, boolean, list nor map.
   */
  expand(template: string | Pick<ResourceTemplate, 'uriTemplate'>, variables: TemplateVariables = {}): Promise<string> {
    return expandTemplate(typeof template === 'string' ? template : template?.uriTemplate, variables);
  }

  /**
   * The contents of one resource: text as a string, anything else as bytes. Questions that the server asks meanwhile go to
   * `onInputRequest`, as in a tool call.
   *
   * Throws `resource_not_found` (-32602, -32002), `resource_unsupported`, `server_violation` (no contents, a blob that is no
   * base64), `download_too_large`, `input_unsupported`, `too_many_rounds`; with `fetchHttps` what `download` throws.
   */
  read(uri: string, options: ReadResourceOptions = {}): Promise<ResourceContent[]> {
    return readResource(uri, this.#given('read', options, READ_OPTIONS), this.#environment);
  }

  /**
   * Calls the listener each time the server says that the resource, or one below it, has changed. However many listeners a
   * resource has, the server is asked once. Lasts until `unsubscribe()`, the signal or `close()`, over later connections of
   * the same client too; what changed while there was none is not told.
   *
   * Throws `resource_unsupported`, also where the server does not acknowledge the URI, and `resource_not_found` (-32602,
   * -32002). A server of 2026-07-28 may acknowledge a URI that it does not have, which cannot be told from here.
   */
  subscribe(uri: string, listener: ResourceListener, options: SubscribeOptions = {}): Promise<Subscription> {
    return this.#subscriptions.subscribe(uri, listener, this.#given('subscribe', options));
  }

  /**
   * Tells the server of all subscriptions anew, for a host whose connection was restored below its client. When the same
   * client connects again this happens by itself. Throws the first error, after all were tried.
   */
  resubscribe(): Promise<void> {
    return this.#subscriptions.resubscribe();
  }

  /**
   * Hands over a notification that came to a handler of the host's own, by a way that its client's transport does not show.
   * What the transport has shown already counts once.
   */
  notify(notification: ResourceNotification): void {
    this.#subscriptions.notify(notification);
  }

  /**
   * Calls the listener each time the server says that its list of resources has changed; returns how to stop. May be called
   * before connect.
   */
  onListChanged(listener: () => void): () => void {
    return this.#subscriptions.onListChanged(listener);
  }

  /**
   * Shows the transport of a later connection before it is connected, as the option `transport` does for the first one: only
   * needed to see `create` and `delete` of servers before protocol 2026-07-28.
   */
  watchTransport(transport: object): void {
    this.#environment.context.port.watchHandshake(transport);
  }

  #given<T extends object>(operation: string, options: T, rules: Rules = REQUEST_OPTIONS): T {
    return givenFor(`resources.${operation}`, options, rules, this.#environment.context.log);
  }

  /** @internal */
  close(): Promise<void> {
    return this.#subscriptions.close();
  }
}
