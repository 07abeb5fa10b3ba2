import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Record<string, any>;

/** What the script answers to one `tools/call`: a result, a JSON-RPC error, or something done to the socket itself. */
export type ScriptedAnswer =
  | { result: Json }
  | { error: { code: number; message: string; data?: unknown } }
  | { raw: (request: IncomingMessage, response: ServerResponse) => void };

interface ToolCallSeen {
  readonly id: number | string;
  readonly params: Json;
  readonly meta: Json;
}

/** A request to the storage side of the server. */
interface StorageRequest {
  readonly method: string;
  /** Path and query exactly as on the request line. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface ScriptedServer extends AsyncDisposable {
  /** The MCP endpoint. */
  readonly url: string;
  readonly origin: string;
  /** Every MCP request, in order. */
  readonly requests: { readonly method: string; readonly params: Json }[];
  /** Every `tools/call`, in order. */
  readonly calls: ToolCallSeen[];
  /** Every request that was not to the MCP endpoint. */
  readonly stored: StorageRequest[];
  /** Connections open now. */
  sockets(): Promise<number>;
}

export interface Script {
  readonly tools: Json[];
  readonly onCall: (call: ToolCallSeen, index: number) => ScriptedAnswer | Promise<ScriptedAnswer>;
  /** Capability of the files extension; `null`: not advertised. */
  readonly capability?: Json | null;
  readonly onStore?: (request: StorageRequest, response: ServerResponse) => void | Promise<void>;
  /** Called with the request before its body is read; return true to take it over. */
  readonly onStoreStart?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Answers any other method; `undefined`: it is not found. */
  readonly onRequest?: (
    method: string,
    params: Json,
  ) => ScriptedAnswer | undefined | Promise<ScriptedAnswer | undefined>;
  readonly onListTools?: (cursor: string | undefined, index: number) => Json;
}

const EXTENSION = 'io.modelcontextprotocol/files';

/** An MCP server without any SDK: JSON-RPC over HTTP for both eras, and storage on every other path. Loopback, port 0. */
export async function startScriptedServer(script: Script): Promise<ScriptedServer> {
  const calls: ToolCallSeen[] = [];
  const stored: StorageRequest[] = [];
  const requests: ScriptedServer['requests'] = [];
  const capabilities = {
    tools: { listChanged: true },
    ...(script.capability === null ? {} : { extensions: { [EXTENSION]: script.capability ?? {} } }),
  };
  let lists = 0;

  const answer = async (message: Json): Promise<ScriptedAnswer> => {
    const params = message.params ?? {};
    requests.push({ method: message.method, params });
    switch (message.method) {
      case 'server/discover':
        return {
          result: {
            resultType: 'complete',
            supportedVersions: ['2026-07-28'],
            capabilities,
            serverInfo: { name: 'scripted', version: '1' },
            ttlMs: 0,
            cacheScope: 'private',
          },
        };
      case 'initialize':
        return {
          result: { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'scripted', version: '1' } },
        };
      case 'tools/list':
        return {
          result: {
            resultType: 'complete',
            ttlMs: 0,
            cacheScope: 'private',
            ...(script.onListTools?.(params.cursor, lists++) ?? { tools: script.tools }),
          },
        };
      case 'tools/call': {
        const { _meta: meta = {}, ...rest } = params;
        const call = { id: message.id, params: rest, meta };
        return script.onCall(call, calls.push(call) - 1);
      }
      default: {
        const given = await script.onRequest?.(message.method, params);
        if (given === undefined) return { error: { code: -32601, message: 'Method not found' } };
        if (!('result' in given)) return given;
        return { result: { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...given.result } };
      }
    }
  };

  const server = createServer((request, response) => {
    void (async () => {
      const isMcp = request.url === '/mcp';
      if (!isMcp && script.onStoreStart?.(request, response)) return;
      if (isMcp && request.method !== 'POST') {
        response.writeHead(405).end();
        return;
      }
      const body = await readAll(request);
      if (!isMcp) {
        const seen = { method: request.method!, url: request.url!, headers: request.headers, body };
        stored.push(seen);
        if (script.onStore) await script.onStore(seen, response);
        else response.writeHead(200).end();
        return;
      }
      const message = JSON.parse(body.toString());
      if (message.id === undefined) {
        response.writeHead(202).end();
        return;
      }
      const given = await answer(message);
      if ('raw' in given) {
        given.raw(request, response);
        return;
      }
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...given }));
    })().catch(() => response.destroy());
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/mcp`,
    origin,
    requests,
    calls,
    stored,
    sockets: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** A complete tool result. */
export function done(text = 'done', more: Json = {}): ScriptedAnswer {
  return { result: { resultType: 'complete', content: [{ type: 'text', text }], ...more } };
}

/** An input round. */
export function inputRequired(inputRequests: Json | undefined, requestState?: string): ScriptedAnswer {
  return {
    result: {
      resultType: 'input_required',
      ...(inputRequests === undefined ? {} : { inputRequests }),
      ...(requestState === undefined ? {} : { requestState }),
    },
  };
}

/** An upload entry with targets by pointer. */
export function uploadEntry(targets: Json): Json {
  return { method: 'io.modelcontextprotocol/files/upload', params: { targets } };
}
