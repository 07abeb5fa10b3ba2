import type { Client, FetchLike, Transport, VersionNegotiationOptions } from '@modelcontextprotocol/client';
import { FilesClient, type FilesClientOptions } from '../index.js';
import { CommandError } from './exit-code.js';
import { handshake, shownServer, startedOnce } from './handshake.js';
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
  const client = new Client({ name: 'mcp-files', version: VERSION }, { versionNegotiation: negotiationFor(access) });
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

/** A server of the older kind may say nothing to the newer handshake; over http it answers, or does not work at all. */
function negotiationFor({ address, legacy, timeoutMs }: ServerAccess): VersionNegotiationOptions {
  if (legacy) return { mode: 'legacy' };
  return { mode: 'auto', probe: { timeoutMs: address.kind === 'stdio' ? timeoutMs / 3 : 2 * timeoutMs } };
}

async function reach(client: Client, transport: Transport, io: Io, access: ServerAccess): Promise<void> {
  try {
    await handshake(client, transport, io, access);
  } catch (error) {
    if (io.signal.aborted) throw new CommandError('aborted', 'Stopped before the server was reached.');
    throw error instanceof CommandError ? error : unreachable(access, error);
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
  // The command is the user's own, run as the shell would run it; the credentials meant for a server's URL stay here.
  const env = Object.entries(io.env).filter(([name, value]) => value !== undefined && !secretVariables.includes(name));
  const { command, args } = address;
  return startedOnce({ command, args: [...args], env: Object.fromEntries(env) as Record<string, string> });
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
function unreachable(access: ServerAccess, error: unknown): CommandError {
  const where = shownServer(access);
  const chain = causes(error);
  const status = chain.map(each => (each.data as { status?: unknown } | undefined)?.status).find(Number.isInteger);
  if (status === 401 || status === 403 || chain.some(each => each.name === 'UnauthorizedError')) {
    return new CommandError('unauthorized', `${where} asks for authorization (HTTP ${status ?? 401}).`);
  }
  if (status !== undefined) {
    return new CommandError(
      'server_unreachable',
      `${where} is no MCP server, or not in order: it answered HTTP ${status}.`,
    );
  }
  const known = chain.findLast(({ code }) => typeof code === 'string' && REASONS[code] !== undefined);
  const reason = known === undefined ? (chain.at(-1)?.message ?? 'no reason given') : REASONS[known.code as string];
  const what = access.address.kind === 'http' ? 'cannot be reached' : 'did not start';
  return new CommandError('server_unreachable', `${where} ${what}: ${reason}.`);
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
