import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  localhostHostValidation,
  localhostOriginValidation,
  type NodeIncomingMessageLike,
  toNodeHandler,
} from '@modelcontextprotocol/node';
import { createMcpHandler, type McpServerFactory } from '@modelcontextprotocol/server';
import { LegacySessions } from './legacy-sessions.js';
import type { ResourceEvents } from './resource-events.js';
import type { StorageHandler } from './storage-http.js';

/** The path of the MCP endpoint. */
export const MCP_PATH = '/mcp';

export interface Listener {
  /** Scheme, host and port. */
  readonly origin: string;
  close(): Promise<void>;
  /** Lets the process exit while this still listens. */
  unref(): void;
}

/** Listens on 127.0.0.1 alone. */
async function listen(
  port: number,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Listener> {
  const server = createServer(handle);
  // A client that uploads slowly is no fault here, and a test may hold a body back for as long as it likes.
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  let closed: Promise<void> | undefined;
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    unref: () => void server.unref(),
    close() {
      closed ??= new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      return closed;
    },
  };
}

export async function listenStorage(handle: StorageHandler): Promise<Listener> {
  return await listen(0, (request, response) => void handle((request.url ?? '/').slice(1), request, response));
}

/** The MCP endpoint, and under it the storage for `path` targets. */
export async function listenMcp(
  factory: McpServerFactory,
  handleStorage: StorageHandler,
  events: ResourceEvents,
  options: { readonly port: number; readonly jsonBodyLimit: number },
): Promise<Listener> {
  const limit = { maxRequestBodySize: options.jsonBodyLimit };
  const mcp = createMcpHandler(factory, { ...limit, legacy: 'reject' });
  const legacy = new LegacySessions(factory, limit);
  const handleMcp = toNodeHandler(
    { fetch: (request, given) => legacy.fetch(request, modern => mcp.fetch(modern, given)) },
    limit,
  );
  // Open streams of the present protocol; a session is told by its own server.
  const stopEvents = events.add({
    updated: uri => mcp.notify.resourceUpdated(uri),
    listChanged: () => mcp.notify.resourcesChanged(),
  });
  const isLocalHost = localhostHostValidation();
  const isLocalOrigin = localhostOriginValidation();
  const listener = await listen(options.port, (request, response) => {
    // Loopback servers are reachable from any web page by DNS rebinding; both guards answer for themselves.
    if (!isLocalHost(request, response) || !isLocalOrigin(request, response)) return;
    const url = request.url ?? '/';
    if (url.startsWith(`${MCP_PATH}/`)) {
      void handleStorage(url.slice(MCP_PATH.length + 1), request, response);
    } else if (url === MCP_PATH) {
      if (allowOrigin(request, response)) void handleMcp(request as NodeIncomingMessageLike, response);
    } else {
      response.writeHead(404).end();
    }
  });
  return {
    ...listener,
    async close() {
      stopEvents();
      await legacy.close();
      await mcp.close();
      await listener.close();
    },
  };
}

/** Lets a page on this machine call the endpoint. Returns false when that answered the request. */
function allowOrigin(request: IncomingMessage, response: ServerResponse): boolean {
  const { origin } = request.headers;
  if (origin === undefined) return true;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', 'mcp-session-id, mcp-protocol-version, www-authenticate');
  if (request.method !== 'OPTIONS') return true;
  const asked = request.headers['access-control-request-headers'] ?? '';
  response
    .writeHead(204, { 'access-control-allow-methods': 'GET, POST, DELETE', 'access-control-allow-headers': asked })
    .end();
  return false;
}
