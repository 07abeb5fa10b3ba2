import { FilesError } from '../errors/index.js';
import type { McpClientLike, TransportLike } from './client-like.js';
import { ConnectTap } from './connect-tap.js';
import { failureOf } from './failure.js';
import { Handshakes } from './handshakes.js';
import { answerOf, isObject } from './leg-answer.js';
import { type NotificationListener, NotificationTap } from './notifications.js';
import type { JsonObject, LegAnswer, LegFailure, LegOptions, ListenStream, McpPort } from './port.js';

/** What both SDKs do alike. The two subclasses hold what differs. */
export abstract class BasePort implements McpPort {
  abstract readonly sdk: 'v1' | 'v2';
  abstract readonly era: 'modern' | 'legacy';
  readonly #client: McpClientLike;
  protected readonly notifications = new NotificationTap();
  readonly #handshakes = new Handshakes();
  readonly #connects: ConnectTap;
  #connection: { transport: object; capabilities: object | undefined; key: object } | undefined;

  constructor(client: McpClientLike) {
    this.#client = client;
    this.#connects = new ConnectTap(client);
  }

  get connected(): boolean {
    const { transport } = this.#client;
    if (transport === undefined) return false;
    // During the handshake there are no capabilities yet; a resumed session (transport with a session id) never has any.
    return this.#client.getServerCapabilities() !== undefined || (transport as TransportLike).sessionId !== undefined;
  }

  /** Both SDKs' stdio transports, and no others, show the child's `pid` and `stderr`. */
  get stdio(): boolean {
    const { transport } = this.#client;
    return transport !== undefined && 'pid' in transport && 'stderr' in transport;
  }

  /**
   * Each connection has its own transport, each handshake its own capabilities object: a change of either is a new
   * connection. (Neither SDK reports a connect, and hooking `onclose` would take it from the host.)
   */
  get connectionKey(): object | undefined {
    const { transport } = this.#client;
    if (transport === undefined || !this.connected) return undefined;
    const capabilities = this.#client.getServerCapabilities();
    if (this.#connection?.transport !== transport || this.#connection.capabilities !== capabilities) {
      this.#connection = { transport, capabilities, key: {} };
    }
    this.attach();
    return this.#connection.key;
  }

  /** Both SDKs merge `extensions` by id: the host's other extensions stay, its own entry under this id is replaced. */
  declareExtension(id: string, capability: JsonObject): boolean {
    return this.declareCapabilities({ extensions: { [id]: capability } });
  }

  /** Members that the SDKs do not know go out as they are, in both. */
  declareCapabilities(capabilities: JsonObject): boolean {
    if (this.#client.transport !== undefined) return false;
    const register = this.#client.registerCapabilities as (capabilities: JsonObject) => void;
    register.call(this.#client, capabilities);
    return true;
  }

  serverCapabilities(): JsonObject | undefined {
    return this.connected ? (this.#client.getServerCapabilities() as JsonObject | undefined) : undefined;
  }

  serverExtensions(): JsonObject | undefined {
    const extensions = this.serverCapabilities()?.extensions;
    return isObject(extensions) ? extensions : undefined;
  }

  async listToolsPage(
    cursor: string | undefined,
    options: LegOptions,
  ): Promise<{ tools: JsonObject[]; nextCursor?: string }> {
    const { tools, nextCursor } = await this.request(
      'tools/list',
      cursor === undefined ? undefined : { cursor },
      options,
    );
    if (!Array.isArray(tools) || !tools.every(isObject)) {
      throw new FilesError('server_violation', 'tools/list was answered without a list of tools.');
    }
    return { tools, ...(typeof nextCursor === 'string' ? { nextCursor } : {}) };
  }

  onNotification(listener: NotificationListener): () => void {
    const stop = this.notifications.add(listener);
    this.attach();
    return stop;
  }

  onToolListChanged(listener: () => void): () => void {
    return this.onNotification(method => {
      if (method === 'notifications/tools/list_changed') listener();
    });
  }

  onConnected(listener: () => void): () => void {
    return this.#connects.add(listener);
  }

  /** Neither v1 nor the legacy era of v2 holds a result against a schema where it is given one that takes everything. */
  async requestLeg(method: string, params: JsonObject | undefined, options: LegOptions): Promise<LegAnswer> {
    return answerOf(await this.request(method, params, options));
  }

  watchHandshake(transport: object): void {
    this.#handshakes.watch(transport as TransportLike);
  }

  /** Before 2026-07-28 they stand in the answer to `initialize` alone, which the SDKs hand out stripped. */
  async fullCapabilities(_options: LegOptions): Promise<JsonObject | undefined> {
    return this.#handshakes.capabilities(this.#client.transport, this.serverCapabilities());
  }

  failureOf(error: unknown): LegFailure {
    return failureOf(error);
  }

  /** Looks at the present transport; called before everything that goes out. */
  protected attach(): void {
    this.notifications.attach(this.#client.transport as TransportLike | undefined);
  }

  abstract callToolLeg(params: JsonObject, tool: JsonObject | undefined, options: LegOptions): Promise<LegAnswer>;
  abstract callToolDirect(params: JsonObject, tool: JsonObject | undefined, options: LegOptions): Promise<JsonObject>;
  abstract request(method: string, params: JsonObject | undefined, options: LegOptions): Promise<JsonObject>;
  abstract listen(filter: JsonObject, options: LegOptions): Promise<ListenStream>;
}
