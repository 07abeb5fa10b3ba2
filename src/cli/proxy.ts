import type { FetchLike } from '@modelcontextprotocol/client';

const VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];

/** Do the usual variables name a proxy? A server on this computer is reached directly, whatever they say. */
export function usesProxy(env: Readonly<Record<string, string | undefined>>, serverUrl: string | undefined): boolean {
  const hostname = serverUrl === undefined ? '' : new URL(serverUrl).hostname;
  const isLocal = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
  return !isLocal && VARIABLES.some(name => env[name]);
}

/** A fetch that heeds HTTP_PROXY, HTTPS_PROXY and NO_PROXY, which Node's own does not. */
export async function proxiedFetch(): Promise<{ fetch: FetchLike; close(): Promise<void> }> {
  const undici = await import('undici');
  const dispatcher = new undici.EnvHttpProxyAgent();
  const fetch = (url: string | URL, init?: RequestInit) =>
    undici.fetch(url, { ...(init as object), dispatcher }) as unknown as Promise<Response>;
  return { fetch, close: () => dispatcher.destroy() };
}
