import { type McpRequestContext, ProtocolError, Server } from '@modelcontextprotocol/server';
import { EXTENSION, type Json, type Settings } from './options.js';
import type { ToolCalls } from './tool-calls.js';
import { TOOL_DEFINITIONS } from './tools.js';

/** Where a modern request says what the client can do (protocol 2026-07-28). */
const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/**
 * One instance per HTTP request or stdio connection, for either era. `tools/call` has no registered handler on purpose:
 * the SDK refuses extension entries in `inputRequests` on the way out of one, and lets them pass here.
 */
export function serverFactory(settings: Settings, calls: ToolCalls): (context: McpRequestContext) => Server {
  const { advertise, maxInlineBytes } = settings;
  const extension = maxInlineBytes === undefined ? {} : { maxInlineBytes };
  return () => {
    const server = new Server(
      { name: 'mcp-files-reference-server', version: '1.0.0' },
      { capabilities: { tools: {}, ...(advertise ? { extensions: { [EXTENSION]: extension } } : {}) } },
    );
    server.setRequestHandler('tools/list', () => ({ tools: TOOL_DEFINITIONS as never }));
    server.fallbackRequestHandler = async (request, { mcpReq }) => {
      if (request.method !== 'tools/call') throw new ProtocolError(-32601, 'Method not found');
      const { name, arguments: args = {} } = (request.params ?? {}) as { name?: unknown; arguments?: Json };
      const answer = await calls.answer({
        name,
        arguments: args,
        requestState: mcpReq.requestState(),
        inputResponses: (mcpReq.inputResponses ?? {}) as Json,
        client: ((mcpReq.envelope as Json | undefined)?.[CLIENT_CAPABILITIES] ?? server.getClientCapabilities()) as
          | Json
          | undefined,
      });
      return answer as never;
    };
    return server;
  };
}
