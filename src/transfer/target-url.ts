import { FilesError } from '../errors/index.js';
import { httpUrl } from './address-rules.js';
import { isHostName } from './host-patterns.js';
import { resolvePathTarget } from './path-target.js';
import { refused, type TargetContext, type TransferTarget } from './target.js';

/** Where a request goes: `base` for scheme, host and port only, `requestPath` for the wire. */
export interface Destination {
  readonly base: URL;
  readonly requestPath: string;
}

/** Reads a target's `url`, or puts its `path` under the MCP endpoint. Throws `target_refused`. */
export function destinationOf({ url, path }: TransferTarget, { serverUrl, policy }: TargetContext): Destination {
  if ((url === undefined) === (path === undefined)) {
    throw new FilesError('server_violation', 'A target has exactly one of "url" and "path".');
  }
  if (url !== undefined) return parseTargetUrl(url);
  const endpoint = httpUrl(serverUrl);
  if (endpoint === undefined) throw refused('no_server_url', 'A path target needs the option serverUrl.');
  return {
    base: new URL(endpoint.origin),
    requestPath: resolvePathTarget(path as string, endpoint, policy.pathScope ?? 'endpoint'),
  };
}

/** Parsed once, for scheme, host and port; what follows the authority goes out untouched. */
function parseTargetUrl(raw: string): Destination {
  if (!/^[\x21-\x7e]+$/.test(raw) || raw.includes('\\') || !URL.canParse(raw)) {
    throw malformed('it is relative, cannot be parsed, or has spaces, controls, backslashes or non-ASCII characters');
  }
  const url = new URL(raw);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw refused('insecure_scheme', 'A target URL has a scheme other than https.');
  }
  // WHATWG URL finds a host in `https:x` and `https:///x` too, where others find none.
  const [, authority, rest] = /^https?:\/\/([^/?#]+)([^#]*)$/i.exec(raw) ?? [];
  if (authority === undefined || rest === undefined) throw malformed('it has no host, or a fragment');
  if (authority.includes('@')) {
    throw refused('userinfo', `A target URL at ${url.origin} carries a user name or password.`, { origin: url.origin });
  }
  if (!/^[\w.:[\]-]+$/.test(authority) || !isHostName(url.hostname) || url.port === '0') {
    throw malformed('its host or port is none');
  }
  return { base: new URL(url.origin), requestPath: rest.startsWith('/') ? rest : `/${rest}` };
}

function malformed(problem: string): FilesError {
  return refused('url_malformed', `A target URL is malformed: ${problem}.`);
}
