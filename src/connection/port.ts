/** A JSON object of the wire. */
export type JsonObject = { [key: string]: unknown };

/** Options of one request, the members both SDKs share. */
export interface LegOptions {
  /** Aborts this leg. No listener of the port's stays on it when the leg has ended, with either SDK. */
  readonly signal?: AbortSignal;
  /** Milliseconds; the SDK's default where absent. */
  readonly timeout?: number;
  readonly resetTimeoutOnProgress?: boolean;
  readonly onprogress?: (progress: { progress: number; total?: number; message?: string }) => void;
}

/** What one `tools/call` request was answered with. */
export type LegAnswer =
  | { readonly kind: 'complete'; readonly result: JsonObject }
  | {
      readonly kind: 'input_required';
      readonly inputRequests: { readonly [key: string]: unknown };
      readonly requestState?: string;
    };

/** Why a request ended without a result, told apart once for both SDKs. */
export type LegFailure =
  /**
   * The server answered with a JSON-RPC error (also one that came as the text of an HTTP error). `unread`: it came with an
   * HTTP error and without the id of a request, so the transport did not let the request through.
   */
  | { readonly kind: 'rpc_error'; readonly code: number; readonly data: unknown; readonly unread?: true }
  /** HTTP 401 or 403, or the SDK's own authorisation error. */
  | { readonly kind: 'unauthorized'; readonly status?: number }
  /** An HTTP error whose body is no JSON-RPC message, and every 413. */
  | { readonly kind: 'http_error'; readonly status: number }
  /** An answer was read and refused, by the SDK or (legacy era, where the SDK does not look) by the port. */
  | { readonly kind: 'refused_by_sdk' }
  /** Nothing was sent (not connected). */
  | { readonly kind: 'not_sent' }
  /** No answer: time-out, lost connection, abort. */
  | { readonly kind: 'no_answer' };

/** An open `subscriptions/listen` stream. */
export interface ListenStream {
  /** The part of the filter that the server will act on. */
  readonly honoredFilter?: JsonObject;
  /** Settles when the stream has ended, whoever ended it. */
  readonly closed: Promise<unknown>;
  close(): Promise<void>;
}

/** The narrow port over an MCP client of either SDK. It knows nothing of files. */
export interface McpPort {
  readonly sdk: 'v1' | 'v2';
  /** Era of the protocol spoken; `legacy` before connect. */
  readonly era: 'modern' | 'legacy';
  readonly connected: boolean;
  /** The transport in use is a child process: one message is one line, and both SDKs cap a line. */
  readonly stdio: boolean;
  /** An object that is new for each connection, for caches; `undefined` when not connected. */
  readonly connectionKey: object | undefined;
  /**
   * Declares a client extension beside those the host declared; true when it will reach the server on every request
   * (called before connect). After connect: false, and only `callToolLeg` and `request` in the modern era carry it.
   */
  declareExtension(id: string, capability: JsonObject): boolean;
  /** The same for other members of the client's capabilities. */
  declareCapabilities(capabilities: JsonObject): boolean;
  /** The server's capabilities as the SDK reports them (it strips members that its schema does not know). */
  serverCapabilities(): JsonObject | undefined;
  /** The `extensions` member of the server's capabilities. */
  serverExtensions(): JsonObject | undefined;
  /** One page of `tools/list`, untouched. */
  listToolsPage(cursor: string | undefined, options: LegOptions): Promise<{ tools: JsonObject[]; nextCursor?: string }>;
  /** One `tools/call` request: one message out, one answer in, no loop and no validation of the SDK's. */
  callToolLeg(params: JsonObject, tool: JsonObject | undefined, options: LegOptions): Promise<LegAnswer>;
  /** The SDK's own `callTool`, for calls without files; with the tool's definition where it is at hand (v2 needs it to
   * mirror arguments into headers, and does not see the lists this port reads). */
  callToolDirect(params: JsonObject, tool: JsonObject | undefined, options: LegOptions): Promise<JsonObject>;
  /** Any other request, with parameters and result untouched. */
  request(method: string, params: JsonObject | undefined, options: LegOptions): Promise<JsonObject>;
  /**
   * One request that may be answered with an input round. The answer comes as the server sent it: the modern era of SDK v2
   * refuses a whole list for one bad annotation, which is not for it to judge here.
   */
  requestLeg(method: string, params: JsonObject | undefined, options: LegOptions): Promise<LegAnswer>;
  /** Watches a transport that the client has not connected yet: what the server says of itself in `initialize` is kept. */
  watchHandshake(transport: object): void;
  /**
   * The server's capabilities with every member, also those no SDK knows; `undefined` where they cannot be seen (before
   * 2026-07-28 and without `watchHandshake`).
   */
  fullCapabilities(options: LegOptions): Promise<JsonObject | undefined>;
  /** Calls the listener each time the client has connected; returns how to stop. */
  onConnected(listener: () => void): () => void;
  /** Calls the listener on every notification the client receives, whoever handles it; returns how to stop. */
  onNotification(listener: (method: string, params: JsonObject | undefined) => void): () => void;
  /** Calls the listener on every `notifications/tools/list_changed` the client sees; returns how to stop. */
  onToolListChanged(listener: () => void): () => void;
  /** Opens `subscriptions/listen`; in the modern era only, anywhere else it rejects. */
  listen(filter: JsonObject, options: LegOptions): Promise<ListenStream>;
  /** Tells apart what a request of this port threw. */
  failureOf(error: unknown): LegFailure;
}
