import type { McpClientLike } from './client-like.js';
import type { McpPort } from './port.js';
import { SdkV1Port } from './sdk-v1.js';
import { SdkV2Port } from './sdk-v2.js';

export type { McpClientLike } from './client-like.js';
export type { JsonObject, LegAnswer, LegFailure, LegOptions, ListenStream, McpPort } from './port.js';
export { INVALID_PARAMS, METHOD_NOT_FOUND } from './rpc-codes.js';

/**
 * The port over a client of either SDK. v2 is known by `getProtocolEra`; v1 by `request`, `callTool` and
 * `getServerCapabilities` without it. Throws a TypeError for anything else.
 */
export function portFor(client: McpClientLike): McpPort {
  const shape = (typeof client === 'object' && client !== null ? client : {}) as Partial<McpClientLike>;
  const isClient = [shape.request, shape.callTool, shape.getServerCapabilities].every(f => typeof f === 'function');
  if (!isClient) {
    throw new TypeError('Expected a Client of @modelcontextprotocol/client or of @modelcontextprotocol/sdk.');
  }
  return typeof shape.getProtocolEra === 'function' ? new SdkV2Port(client) : new SdkV1Port(client);
}
