import { BasePort } from './base-port.js';
import type { McpClientLike, TransportLike } from './client-like.js';
import { answerOf, isObject } from './leg-answer.js';
import type { AwaitedAnswer } from './notifications.js';
import { PASS_THROUGH } from './pass-through.js';
import type { JsonObject, LegAnswer, LegOptions, ListenStream } from './port.js';
import { withSentId } from './sent-id.js';

/** Where a modern request says what the client can do (protocol 2026-07-28). */
const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

interface V2CallOptions extends LegOptions {
  readonly allowInputRequired?: boolean;
  readonly toolDefinition?: JsonObject;
}

/** The part of v2's `Client` that the port calls. */
interface V2Client {
  readonly transport: TransportLike | undefined;
  getProtocolEra(): 'modern' | 'legacy' | undefined;
  request(request: { method: string; params?: JsonObject }, schema: unknown, options: LegOptions): Promise<JsonObject>;
  callTool(params: JsonObject, options: V2CallOptions): Promise<JsonObject>;
  listen(filter: JsonObject, options: LegOptions): Promise<ListenStream>;
}

const headersWanted = new WeakMap<JsonObject, boolean>();

/** A schema that no JSON can carry is the host's own: whether it is taken is for the SDK to say. */
function textOf(schema: unknown): string {
  try {
    return JSON.stringify(schema) ?? '';
  } catch {
    return '"x-mcp-header"';
  }
}

/** Does the tool's input schema have the word by which it asks for `Mcp-Param-*` headers (SEP-2243) anywhere? */
function wantsHeaders(tool: JsonObject): boolean {
  let wants = headersWanted.get(tool);
  if (wants === undefined) {
    wants = textOf(tool.inputSchema).includes('"x-mcp-header"');
    headersWanted.set(tool, wants);
  }
  return wants;
}

/** `Client` of `@modelcontextprotocol/client`: both eras. */
export class SdkV2Port extends BasePort {
  readonly sdk = 'v2';
  readonly #client: V2Client;
  #late: JsonObject | undefined;

  constructor(client: McpClientLike) {
    super(client);
    this.#client = client as unknown as V2Client;
  }

  get era(): 'modern' | 'legacy' {
    return this.#client.getProtocolEra() ?? 'legacy';
  }

  override declareCapabilities(capabilities: JsonObject): boolean {
    const declared = super.declareCapabilities(capabilities);
    if (!declared) {
      const { extensions } = capabilities;
      const late = { ...this.#late, ...capabilities };
      if (isObject(extensions)) late.extensions = { ...(this.#late?.extensions as JsonObject), ...extensions };
      this.#late = late;
    }
    return declared;
  }

  /**
   * `request`, which leaves the result as it is; in the modern era in manual mode, because the SDK's own loop fails on an
   * extension entry after it has prompted for the others.
   *
   * `callTool` for a tool that wants arguments in headers, which only it writes. The definition goes along: without it the
   * SDK answers -32020 by listing the tools and sending the call a second time. Its `outputSchema` does not, against which
   * the SDK would hold an input round.
   */
  async callToolLeg(params: JsonObject, tool: JsonObject | undefined, options: LegOptions): Promise<LegAnswer> {
    if (this.era === 'legacy') return answerOf(await this.request('tools/call', params, options));
    const manual: V2CallOptions = { ...options, allowInputRequired: true };
    const result = await (tool !== undefined && wantsHeaders(tool)
      ? this.#callWithHeaders(params, tool, manual)
      : this.request('tools/call', params, manual));
    if (result.resultType !== 'input_required') return { kind: 'complete', result };
    const { inputRequests, requestState } = result;
    return {
      kind: 'input_required',
      inputRequests: isObject(inputRequests) ? inputRequests : {},
      ...(typeof requestState === 'string' ? { requestState } : {}),
    };
  }

  #callWithHeaders(params: JsonObject, tool: JsonObject, options: V2CallOptions): Promise<JsonObject> {
    this.attach();
    const { outputSchema: _, ...definition } = tool;
    return this.#client.callTool(this.#withLate(params), { ...options, toolDefinition: definition });
  }

  async callToolDirect(params: JsonObject, tool: JsonObject | undefined, options: LegOptions): Promise<JsonObject> {
    this.attach();
    return await this.#client.callTool(params, tool === undefined ? options : { ...options, toolDefinition: tool });
  }

  /** Async, because the SDK throws at once, before any promise, for a method that the era does not have. */
  async request(method: string, params: JsonObject | undefined, options: LegOptions): Promise<JsonObject> {
    this.attach();
    const sent = this.#late === undefined ? params : this.#withLate(params ?? {});
    return await this.#client.request(
      { method, ...(sent === undefined ? {} : { params: sent }) },
      PASS_THROUGH,
      options,
    );
  }

  override async requestLeg(method: string, params: JsonObject | undefined, options: LegOptions): Promise<LegAnswer> {
    if (this.era === 'legacy') return await super.requestLeg(method, params, options);
    const raw: AwaitedAnswer = { id: undefined, result: undefined };
    const stop = this.notifications.awaitAnswer(raw);
    try {
      this.attach();
      const request = { method, ...(params === undefined ? {} : { params }) };
      const manual = { ...options, allowInputRequired: true };
      return answerOf(
        await withSentId(
          this.#client.transport,
          method,
          id => {
            raw.id = id;
          },
          () => this.#client.request(request, PASS_THROUGH, manual),
        ),
      );
    } catch (error) {
      if (isObject(raw.result) && this.failureOf(error).kind === 'refused_by_sdk') return answerOf(raw.result);
      throw error;
    } finally {
      stop();
    }
  }

  /** Each connection has discovered the server anyway; only the raw answer still has what the SDK does not know. */
  override async fullCapabilities(options: LegOptions): Promise<JsonObject | undefined> {
    if (this.era === 'legacy') return await super.fullCapabilities(options);
    const { capabilities } = await this.request('server/discover', undefined, options);
    return isObject(capabilities) ? capabilities : undefined;
  }

  async listen(filter: JsonObject, options: LegOptions): Promise<ListenStream> {
    this.attach();
    return await this.#client.listen(filter, options);
  }

  /**
   * What was declared after connect goes into each request's `_meta`, where it replaces what the SDK would send. The
   * client's own capabilities cannot be read, so there the server sees nothing else (no elicitation).
   */
  #withLate(params: JsonObject): JsonObject {
    if (this.#late === undefined || this.era === 'legacy') return params;
    const meta = isObject(params._meta) ? params._meta : {};
    return { ...params, _meta: { [CLIENT_CAPABILITIES]: this.#late, ...meta } };
  }
}
