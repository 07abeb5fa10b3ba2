import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { FilesClient, type FilesClientOptions, type LogEvent } from '../../src/index.js';
import type { Flavour } from '../support/clients.js';

export type Json = Record<string, any>;

/** Answers one request: with a result, or by throwing what `rpcError` makes or a `Response`. */
export type Answer = (method: string, params: Json) => Json | Promise<Json>;

export function rpcError(code: number, message: string, data?: unknown): Error {
  return Object.assign(new Error(message), { code, ...(data === undefined ? {} : { data }) });
}

export interface Scripted extends AsyncDisposable {
  readonly files: FilesClient;
  readonly mcp: ClientV1 | ClientV2;
  /** Every request but the handshake, in order. */
  readonly requests: { readonly method: string; readonly params: Json }[];
  readonly log: LogEvent[];
  /** Connects the same client again, over a new transport. */
  reconnect(): Promise<void>;
}

interface Options extends FilesClientOptions {
  /** The `resources` capability. */
  readonly resources?: Json;
  /** Shows the transport to the client; default true. */
  readonly showTransport?: boolean;
}

const EVERYTHING = { create: true, delete: true, subscribe: true, listChanged: true };

/** A host of one flavour and a server without any SDK, that says what a test wants. */
export async function scripted(flavour: Flavour, answer: Answer, options: Options = {}): Promise<Scripted> {
  const { resources = EVERYTHING, showTransport = true, ...given } = options;
  const requests: Scripted['requests'] = [];
  const log: LogEvent[] = [];
  const capabilities = { resources };
  const serverInfo = { name: 'scripted', version: '1' };
  const modern = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

  const respond = async (method: string, params: Json): Promise<Json> => {
    if (method === 'server/discover') return { ...modern, supportedVersions: ['2026-07-28'], capabilities, serverInfo };
    if (method === 'initialize') return { protocolVersion: '2025-11-25', capabilities, serverInfo };
    const { _meta: _, ...rest } = params;
    requests.push({ method, params: rest });
    return { ...(flavour === 'v2 modern' ? modern : {}), ...(await answer(method, rest)) };
  };
  const fetch = (async (_: unknown, init: RequestInit = {}) => {
    if (init.method !== 'POST') return new Response(null, { status: 405 });
    const { id, method, params = {} } = JSON.parse(String(init.body)) as Json;
    if (id === undefined) return new Response(null, { status: 202 });
    try {
      const result = await respond(method, params);
      return Response.json({ jsonrpc: '2.0', id, result });
    } catch (error) {
      if (error instanceof Response) return error;
      const { code, message, data } = error as Json;
      return Response.json({ jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } });
    }
  }) as typeof globalThis.fetch;

  const info = { name: 'test-host', version: '1' };
  const url = new URL('http://scripted.test/mcp');
  const mcp =
    flavour === 'v1'
      ? new ClientV1(info, { capabilities: { elicitation: {} } })
      : new ClientV2(info, {
          capabilities: { elicitation: {} },
          versionNegotiation: flavour === 'v2 modern' ? { mode: { pin: '2026-07-28' } } : { mode: 'legacy' },
        });
  const newTransport = () => (flavour === 'v1' ? new TransportV1(url, { fetch }) : new TransportV2(url, { fetch }));
  const transport = newTransport();
  const files = new FilesClient(mcp, {
    ...(showTransport ? { transport } : {}),
    logger: event => log.push(event),
    ...given,
  });
  await mcp.connect(transport as never);
  return {
    files,
    mcp,
    requests,
    log,
    reconnect: async () => {
      await mcp.close();
      await mcp.connect(newTransport() as never);
    },
    [Symbol.asyncDispose]: async () => {
      await files.close();
      await mcp.close();
    },
  };
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** What a promise is rejected with. */
export async function thrown(promise: Promise<unknown>): Promise<Json> {
  try {
    await promise;
  } catch (error) {
    return error as Json;
  }
  throw new Error('expected a rejection');
}
