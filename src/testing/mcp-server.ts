import { type McpRequestContext, ProtocolError, Server, type ServerContext } from '@modelcontextprotocol/server';
import type { DialectCalls } from './dialect-calls.js';
import { dialectTools } from './dialect-tools.js';
import type { DialectUploads } from './dialect-uploads.js';
import { EXTENSION, type Json, type Settings } from './options.js';
import type { Resources } from './resources.js';
import type { ToolCalls } from './tool-calls.js';
import { TOOL_DEFINITIONS } from './tools.js';

/** Where a modern request says what the client can do (protocol 2026-07-28). */
const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/** The earlier ways of taking files. */
export interface Dialects {
  readonly calls: DialectCalls;
  readonly uploads: DialectUploads;
}

/**
 * One instance per HTTP request, HTTP session or stdio connection. `tools/call` has no registered handler on purpose: the SDK
 * refuses extension entries in `inputRequests` on the way out of one, and lets them pass here.
 */
export function serverFactory(
  settings: Settings,
  calls: ToolCalls,
  resources: Resources,
  dialects: Dialects,
): (context: McpRequestContext) => Server {
  const info = { name: 'mcp-files-reference-server', version: '1.0.0' };
  const capabilities = capabilitiesOf(settings);
  return context => {
    const server = new Server(info, { capabilities: capabilities as never });
    const subscribed = settings.resources === 'off' ? undefined : followResources(server, context, resources);
    const tools = settings.dialect === undefined ? TOOL_DEFINITIONS : dialectTools(settings.dialect, settings);
    server.setRequestHandler('tools/list', () => ({ tools: tools as never }));
    server.fallbackRequestHandler = async (request, handling) => {
      const params = (request.params ?? {}) as Json;
      const { mcpReq } = handling;
      const rounds = {
        requestState: mcpReq.requestState(),
        inputResponses: (mcpReq.inputResponses ?? {}) as Json,
        client: clientOf(server, handling, context),
      };
      if (request.method === 'files/authorizeDownload') return (await calls.returned.authorize(params)) as never;
      if (request.method === 'tools/call') {
        const { name, arguments: args = {} } = params as { name?: unknown; arguments?: Json };
        if (settings.dialect !== undefined) return (await dialects.calls.answer(name, args)) as never;
        return (await calls.answer({ name, arguments: args, ...rounds })) as never;
      }
      const answered = dialects.uploads.answer(request.method, params);
      if (answered !== undefined) return answered as never;
      if (settings.resources === 'off' || !request.method.startsWith('resources/')) {
        throw new ProtocolError(-32601, 'Method not found');
      }
      const owner = handling.http?.req?.headers.get('authorization') ?? '';
      return (await resources.answer({ method: request.method, params, owner, subscribed, ...rounds })) as never;
    };
    return server;
  };
}

/** An older draft had these under the identifier of today. */
const OLDER_DRAFT = { prepareUpload: true, completeUpload: true, getDownload: true };

function capabilitiesOf({ advertise, dialect, maxInlineBytes, resources }: Settings): Json {
  const extension = maxInlineBytes === undefined ? {} : { maxInlineBytes };
  const submission = resources === 'full' ? { create: true, delete: true } : {};
  return {
    tools: {},
    ...(resources === 'off' ? {} : { resources: { subscribe: true, listChanged: true, ...submission } }),
    ...(advertise ? { extensions: { [EXTENSION]: extension } } : {}),
    ...(dialect === 'file-object-older' ? { extensions: { [EXTENSION]: OLDER_DRAFT } } : {}),
  };
}

/** A session of an earlier protocol is taken for a client that can do everything, as one without a session is. */
function clientOf(
  server: Server,
  { mcpReq }: ServerContext,
  { era, requestInfo }: McpRequestContext,
): Json | undefined {
  if (era === 'legacy' && requestInfo !== undefined) return undefined;
  const { [CLIENT_CAPABILITIES]: declared } = (mcpReq.envelope ?? {}) as Json;
  return (declared ?? server.getClientCapabilities()) as Json | undefined;
}

/** Tells a lasting connection of changes. Returns where it keeps what it subscribed to; none for a single request. */
function followResources(
  server: Server,
  { era, requestInfo }: McpRequestContext,
  resources: Resources,
): Set<string> | undefined {
  if (era === 'modern' && requestInfo !== undefined) return undefined;
  const subscribed = new Set<string>();
  // The connection may be gone without a word; then there is nobody to tell.
  const quietly = (sending: Promise<void>): void => void sending.catch(() => {});
  let stop = (): void => {};
  server.oninitialized = () => listen();
  const listen = (): void => {
    stop = resources.events.add({
      updated(uri) {
        // In the present protocol the SDK knows who listens.
        if (era === 'modern' || subscribed.has(uri)) quietly(server.sendResourceUpdated({ uri }));
      },
      listChanged: () => quietly(server.sendResourceListChanged()),
    });
  };
  if (era === 'modern') listen();
  server.onclose = () => stop();
  return subscribed;
}
