import { Client as V2Client, StreamableHTTPClientTransport as V2Http } from '@modelcontextprotocol/client';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as V1Http } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createMcpHandler, type McpHttpHandler, Server, type ServerContext } from '@modelcontextprotocol/server';
import { type McpPort, portFor } from '../../src/connection/index.js';

type Json = Record<string, unknown>;

/** What the peer saw of one `tools/call`. */
interface SeenCall {
  readonly params: Json;
  readonly inputResponses: unknown;
  readonly requestState: unknown;
  readonly envelope: Json | undefined;
  readonly headers: Headers;
}

export interface PeerScript {
  /** Pages of tools/list. */
  readonly pages?: Json[][];
  readonly extensions?: Json;
  /** Answers `tools/call`; throws `{ code, message, data }` for a JSON-RPC error. */
  readonly call?: (seen: SeenCall) => unknown;
  /** Answers any other method; -32601 without it. */
  readonly other?: (method: string, params: Json) => unknown;
  /** Answers the HTTP request of a `tools/call` in place of the server. */
  readonly http?: (request: Request) => Response | Promise<Response>;
}

export interface Peer {
  readonly handler: McpHttpHandler;
  readonly calls: SeenCall[];
  readonly initialized: Json[];
  readonly fetch: typeof fetch;
}

export function rpcError(code: number, message: string, data?: unknown): Error {
  return Object.assign(new Error(message), { code, ...(data === undefined ? {} : { data }) });
}

/** A real v2 server, both eras, behind a fetch function: no socket, but the SDK's own HTTP code on both sides. */
export function startPeer(script: PeerScript = {}): Peer {
  const calls: SeenCall[] = [];
  const initialized: Json[] = [];
  const pages = script.pages ?? [[{ name: 'save', inputSchema: { type: 'object' } }]];
  const handler = createMcpHandler(({ requestInfo }) => {
    const server = new Server(
      { name: 'peer', version: '1.0.0' },
      { capabilities: { tools: { listChanged: true }, extensions: (script.extensions ?? {}) as never } },
    );
    server.setRequestHandler('tools/list', request => {
      const page = Number(request.params?.cursor ?? 0);
      const more = page + 1 < pages.length;
      return { tools: pages[page] as never, ...(more ? { nextCursor: String(page + 1) } : {}) };
    });
    const answerCall = (params: Json, ctx: ServerContext): unknown => {
      const seen: SeenCall = {
        params,
        inputResponses: ctx.mcpReq.inputResponses,
        requestState: ctx.mcpReq.requestState(),
        envelope: ctx.mcpReq.envelope as Json | undefined,
        headers: requestInfo?.headers ?? new Headers(),
      };
      calls.push(seen);
      return script.call?.(seen) ?? { content: [{ type: 'text', text: 'done' }] };
    };
    server.fallbackRequestHandler = async (request, ctx) => {
      const params = (request.params ?? {}) as Json;
      if (request.method === 'tools/call') return answerCall(params, ctx) as never;
      if (script.other === undefined) throw rpcError(-32601, 'Method not found');
      return script.other(request.method, params) as never;
    };
    return server;
  });
  const peerFetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    if (request.method === 'POST') {
      const message = (await request.clone().json()) as { method?: string; params?: Json };
      if (message.method === 'initialize' && message.params) initialized.push(message.params);
      if (message.method === 'tools/call' && script.http !== undefined) return await script.http(request);
    }
    return await handler.fetch(request);
  };
  return { handler, calls, initialized, fetch: peerFetch as typeof fetch };
}

const URL_OF_PEER = new URL('http://peer.test/mcp');

export type Kind = 'v2 modern' | 'v2 legacy' | 'v1';
export const KINDS: readonly Kind[] = ['v2 modern', 'v2 legacy', 'v1'];

export interface Host {
  readonly port: McpPort;
  readonly client: V2Client | V1Client;
  connect(): Promise<void>;
}

export interface HostOptions {
  readonly capabilities?: Json;
  readonly onToolsChanged?: () => void;
}

/** A client of the given kind and its port, not connected yet. */
export function hostFor(kind: Kind, peer: Peer, { capabilities = {}, onToolsChanged }: HostOptions = {}): Host {
  const info = { name: 'host', version: '1.0.0' };
  const listChanged =
    onToolsChanged === undefined
      ? {}
      : { listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: onToolsChanged } } };
  if (kind === 'v1') {
    const client = new V1Client(info, { capabilities, ...listChanged } as never);
    const connect = (): Promise<void> => client.connect(new V1Http(URL_OF_PEER, { fetch: peer.fetch }) as never);
    return { port: portFor(client), client, connect };
  }
  const client = new V2Client(info, {
    capabilities,
    ...listChanged,
    ...(kind === 'v2 modern' ? { versionNegotiation: { mode: 'auto' as const } } : {}),
  } as never);
  const connect = (): Promise<void> => client.connect(new V2Http(URL_OF_PEER, { fetch: peer.fetch }));
  return { port: portFor(client), client, connect };
}

export async function connected(kind: Kind, script: PeerScript = {}, options?: HostOptions) {
  const peer = startPeer(script);
  const host = hostFor(kind, peer, options);
  await host.connect();
  return { ...host, peer };
}

export async function thrownBy(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('expected a rejection');
}
