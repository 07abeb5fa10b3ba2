import { FilesError } from '../errors/index.js';
import { BasePort } from './base-port.js';
import type { McpClientLike } from './client-like.js';
import { answerOf } from './leg-answer.js';
import { PASS_THROUGH } from './pass-through.js';
import type { JsonObject, LegAnswer, LegFailure, LegOptions, ListenStream } from './port.js';

/** The part of v1's `Client` that the port calls. */
interface V1Client {
  request(request: { method: string; params?: JsonObject }, schema: unknown, options: LegOptions): Promise<JsonObject>;
  callTool(params: JsonObject, schema: undefined, options: LegOptions): Promise<JsonObject>;
}

/** `Client` of `@modelcontextprotocol/sdk`: protocol 2025-11-25 and earlier. */
export class SdkV1Port extends BasePort {
  readonly sdk = 'v1';
  readonly era = 'legacy';
  readonly #client: V1Client;
  /** What was thrown because a leg was aborted: v1 gives it -32001, which a server may use as well. */
  readonly #aborted = new WeakSet<object>();

  constructor(client: McpClientLike) {
    super(client);
    this.#client = client as unknown as V1Client;
  }

  /** `request`, not `callTool`: that one throws once `listTools` has cached an `outputSchema` and an input round comes. */
  async callToolLeg(params: JsonObject, _tool: JsonObject | undefined, options: LegOptions): Promise<LegAnswer> {
    return answerOf(await this.request('tools/call', params, options));
  }

  callToolDirect(params: JsonObject, _tool: JsonObject | undefined, options: LegOptions): Promise<JsonObject> {
    this.attach();
    return this.#withOwnSignal(options, own => this.#client.callTool(params, undefined, own));
  }

  request(method: string, params: JsonObject | undefined, options: LegOptions): Promise<JsonObject> {
    this.attach();
    const request = { method, ...(params === undefined ? {} : { params }) };
    return this.#withOwnSignal(options, own => this.#client.request(request, PASS_THROUGH, own));
  }

  async listen(): Promise<ListenStream> {
    throw new FilesError(
      'resource_unsupported',
      'subscriptions/listen needs protocol 2026-07-28, which MCP SDK v1 does not speak.',
    );
  }

  override failureOf(error: unknown): LegFailure {
    const aborted = typeof error === 'object' && error !== null && this.#aborted.has(error);
    return aborted ? { kind: 'no_answer' } : super.failureOf(error);
  }

  /**
   * v1 never takes its abort listener off the signal, and an abort after the answer still sends a cancellation for the
   * finished request. So each request gets a signal of its own that is cut off from the caller's when it ends.
   */
  async #withOwnSignal(options: LegOptions, send: (own: LegOptions) => Promise<JsonObject>): Promise<JsonObject> {
    const { signal } = options;
    if (signal === undefined) return await send(options);
    const own = new AbortController();
    const abort = (): void => own.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    try {
      return await send({ ...options, signal: own.signal });
    } catch (error) {
      if (own.signal.aborted && typeof error === 'object' && error !== null) this.#aborted.add(error);
      throw error;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }
}
