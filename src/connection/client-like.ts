/**
 * An MCP client, known by its shape: `Client` of `@modelcontextprotocol/client` (v2) or of `@modelcontextprotocol/sdk`
 * (v1). Neither SDK is imported, and `instanceof` is never used, because hosts load several copies of one.
 *
 * Parameters are `never` on purpose: the two SDKs type them differently, and both stay assignable without a cast.
 */
export interface McpClientLike {
  /** The transport in use; `undefined` before connect and after close. */
  readonly transport: object | undefined;
  request(...parameters: never[]): Promise<unknown>;
  callTool(...parameters: never[]): Promise<unknown>;
  registerCapabilities(...parameters: never[]): void;
  getServerCapabilities(): object | undefined;
  /** Both SDKs have it; a client without it is only told of later connections by being used. */
  connect?(...parameters: never[]): Promise<unknown>;
  /** v2 only; its presence is what tells the two apart. */
  getProtocolEra?(): 'modern' | 'legacy' | undefined;
}

/** The members of a transport that both SDKs share and that the port touches. */
export interface TransportLike {
  onmessage?: ((message: unknown, extra?: unknown) => void) | undefined;
  readonly sessionId?: string | undefined;
  send?(message: unknown, ...rest: unknown[]): unknown;
}
