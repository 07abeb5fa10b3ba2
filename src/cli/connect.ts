import type { Client, FetchLike, Transport } from '@modelcontextprotocol/client';
import { FilesClient, type FilesClientOptions } from '../index.js';
import { CommandError } from './exit-code.js';
import type { Io } from './io.js';
import { proxiedFetch, usesProxy } from './proxy.js';
import type { ServerAccess, ServerFlags } from './server-flags.js';
import { VERSION } from './version.js';

/** A connected server. */
export interface Session {
  readonly files: FilesClient;
  /** The revision of the protocol that was agreed on. */
  readonly protocolVersion: string | undefined;
}

/** Connects, works, and closes again, whatever happens. */
export async function withServer<T>(
  io: Io,
  access: ServerAccess,
  options: FilesClientOptions,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { Client } = await import('@modelcontextprotocol/client');
  const client = new Client({ name: 'mcp-files', version: VERSION }, { versionNegotiation: { mode: 'auto' } });
  const proxied = options.proxy === undefined ? undefined : await proxiedFetch();
  const transport = await transportFor(io, access, proxied?.fetch);
  const files = new FilesClient(client, { ...options, transport });
  try {
    await reach(client, transport, io, access);
    return await work({ files, protocolVersion: client.getNegotiatedProtocolVersion() });
  } finally {
    await files.close();
    await client.close().catch(() => {});
    await proxied?.close();
  }
}

async function reach(client: Client, transport: Transport, io: Io, access: ServerAccess): Promise<void> {
  try {
    await client.connect(transport, { signal: io.signal });
  } catch (error) {
    if (io.signal.aborted) throw new CommandError('aborted', 'Stopped before the server was reached.');
    throw unreachable(access, error);
  }
}

async function transportFor(
  io: Io,
  { address, headers, secretVariables }: ServerAccess,
  fetch: FetchLike | undefined,
): Promise<Transport> {
  if (address.kind === 'http') {
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
    const options = { requestInit: { headers }, ...(fetch === undefined ? {} : { fetch }) };
    return new StreamableHTTPClientTransport(new URL(address.url), options);
  }
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  // The command is the user's own, run as the shell would run it; the credentials meant for a server's URL stay here.
  const env = Object.entries(io.env).filter(([name, value]) => value !== undefined && !secretVariables.includes(name));
  const { command, args } = address;
  return new StdioClientTransport({ command, args: [...args], env: Object.fromEntries(env) as Record<string, string> });
}

/** What the flags mean for the library. */
export function clientOptions(io: Io, access: ServerAccess, flags: ServerFlags): FilesClientOptions {
  const { address, headers } = access;
  // With a URL, bytes for `path` targets take the calls' own route; --server-url then names the server behind a gateway.
  const own = address.kind === 'http' ? address.url : flags.serverUrl;
  return {
    ...(own === undefined ? {} : { serverUrl: own }),
    ...(flags.serverUrl === undefined ? {} : { canonicalUrl: flags.serverUrl }),
    ...(Object.keys(headers).length === 0 ? {} : { credentials: () => ({ ...headers }) }),
    ...(usesProxy(io.env, own) ? { proxy: 'env' } : {}),
    policy: {
      ...(flags.allowHost === undefined ? {} : { allowHosts: flags.allowHost }),
      ...(flags.allowLoopback ? { allowHttp: 'loopback' as const } : {}),
      ...(flags.allowPrivateNetwork ? { allowPrivateNetwork: true } : {}),
    },
  };
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'it closed the connection',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its name could not be looked up',
  ETIMEDOUT: 'it does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
  REQUEST_TIMEOUT: 'it does not answer',
  ENOENT: 'there is no such command',
  EACCES: 'it may not be run',
  CONNECTION_CLOSED: 'it ended before it answered',
};

/** Why a server was not reached, in words; never a stack. */
function unreachable({ address }: ServerAccess, error: unknown): CommandError {
  const where = address.kind === 'http' ? withoutQuery(address.url) : address.command;
  const chain = causes(error);
  const status = chain.map(each => (each.data as { status?: unknown } | undefined)?.status).find(Number.isInteger);
  if (status === 401 || status === 403 || chain.some(each => each.name === 'UnauthorizedError')) {
    return new CommandError('unauthorized', `The server at ${where} asks for authorization (HTTP ${status ?? 401}).`);
  }
  if (status !== undefined) {
    return new CommandError(
      'server_unreachable',
      `${where} is no MCP server, or not in order: it answered HTTP ${status}.`,
    );
  }
  const known = chain.findLast(({ code }) => typeof code === 'string' && REASONS[code] !== undefined);
  const reason = known === undefined ? (chain.at(-1)?.message ?? 'no reason given') : REASONS[known.code as string];
  const what =
    address.kind === 'http' ? `The server at ${where} cannot be reached` : `The server "${where}" did not start`;
  return new CommandError('server_unreachable', `${what}: ${reason}.`);
}

interface ErrorLike {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly message?: string;
  readonly data?: unknown;
  readonly cause?: unknown;
}

function causes(error: unknown): ErrorLike[] {
  const chain: ErrorLike[] = [];
  for (let next = error as ErrorLike | undefined; typeof next === 'object' && next && chain.length < 8; ) {
    chain.push(next);
    next = next.cause as ErrorLike | undefined;
  }
  return chain;
}

function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
