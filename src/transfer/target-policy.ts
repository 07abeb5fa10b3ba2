import { FilesError, safeCause } from '../errors/index.js';
import {
  allowedNetwork,
  allowsLoopbackHttp,
  httpUrl,
  isAddressAllowed,
  isLoopbackHost,
  mayBePrivate,
  ownUrls,
  parseAddress,
} from './address-rules.js';
import { checkFormFields, checkHeaders } from './header-rules.js';
import {
  hostKey,
  isLoopbackName,
  isMetadataName,
  isPrivateName,
  matchesHost,
  parseHostPattern,
} from './host-patterns.js';
import { isEndpointPath, isUnderEndpoint, pathProblem } from './path-target.js';
import {
  type CheckedTarget,
  redacted,
  refused,
  type TargetContext,
  type TargetPolicyOptions,
  type TransferTarget,
} from './target.js';
import { type Destination, destinationOf } from './target-url.js';

export { mergeCredentialHeaders } from './header-rules.js';
export type { TargetContext, TargetPolicyOptions } from './target.js';

/**
 * May this target be used, as far as can be told without the network? What a host name resolves to is judged by the
 * address guard when the connection is made. Throws `target_refused` with `details.reason`; `server_violation` for a
 * target that is none; `argument_invalid` for a policy that cannot be read. Shows a target's origin at most.
 */
export function checkTarget(target: TransferTarget, context: TargetContext): CheckedTarget {
  const method = methodOf(target, context.direction ?? 'upload');
  const destination = destinationOf(target, context);
  const { base, requestPath } = destination;
  checkHost(base, context);
  checkVerbatim(destination, context);
  checkEndpoint(destination, context);
  if (target.credentials === 'include') checkInclude(destination, target, method, context);
  const headers = checkHeaders(target.headers, base, target.form !== undefined);
  if (target.form !== undefined) checkFormFields(target.form);
  if (target.expiresAt !== undefined && target.expiresAt <= context.now()) {
    throw refused('expired', `The target at ${base.origin} has expired.`, { origin: base.origin });
  }
  return redacted({
    via: target.url === undefined ? 'path' : 'url',
    method,
    origin: base.origin,
    hostname: base.hostname.replace(/^\[|\]$/g, ''),
    shownPath: pathOf(requestPath),
    requestPath,
    headers,
    credentials: target.credentials,
    ...(target.expiresAt !== undefined && { expiresAt: target.expiresAt }),
    ...(target.form !== undefined && { form: target.form }),
  });
}

/** Reads every pattern of a policy, so that a mistake shows when a client is made. Throws `argument_invalid`. */
export function checkPolicy(policy: TargetPolicyOptions): void {
  allowedNetwork({ policy });
  hostList(policy, 'allowHosts');
  hostList(policy, 'denyHosts');
}

function methodOf({ method, form }: TransferTarget, direction: 'upload' | 'download'): CheckedTarget['method'] {
  const upper = method.toUpperCase();
  if (direction === 'upload' ? upper !== 'PUT' && upper !== 'POST' : upper !== 'GET') {
    const allowed = direction === 'upload' ? 'PUT or POST' : 'GET';
    throw refused('method_unsupported', `A target for ${direction} takes ${allowed} only.`);
  }
  if (form !== undefined && upper !== 'POST') {
    throw new FilesError('server_violation', 'A target with a form takes POST only.');
  }
  return upper as CheckedTarget['method'];
}

function checkHost(base: URL, context: TargetContext): void {
  const { hostname, origin, protocol } = base;
  const shown = { origin };
  if (protocol === 'http:' && !(isLoopbackHost(hostname) && allowsLoopbackHttp(context))) {
    const opens = isLoopbackHost(hostname)
      ? ' Loopback is opened by policy.allowHttp, or by a serverUrl that is http on loopback.'
      : '';
    throw refused('insecure_scheme', `The target at ${origin} is not https.${opens}`, shown);
  }
  const own = ownUrls(context).filter(url => url.origin === origin);
  const { policy } = context;
  const denied = matchesHost(hostname, hostList(policy, 'denyHosts') ?? []);
  const allowed = hostList(policy, 'allowHosts');
  if (denied || (allowed !== undefined && own.length === 0 && !matchesHost(hostname, allowed))) {
    throw refused('host_denied', `The host policy does not allow targets at ${origin}.`, shown);
  }
  if (!isDestinationAllowed(hostname, own.some(mayBePrivate), context)) {
    throw refused('private_address', `The target at ${origin} is no public address.`, shown);
  }
}

/** Literals and loopback names here; other names at connect time, or by their form where somebody else resolves them. */
function isDestinationAllowed(hostname: string, isOwn: boolean, context: TargetContext): boolean {
  const key = hostKey(hostname);
  if (parseAddress(key) !== undefined) return isAddressAllowed(key, hostname, context, isOwn);
  if (isLoopbackName(hostname)) {
    return ['127.0.0.1', '::1'].some(address => isAddressAllowed(address, hostname, context, isOwn));
  }
  const isResolvedHere = context.engineKind === 'built-in' && !context.proxied;
  if (isResolvedHere || isOwn) return true;
  if (isMetadataName(hostname)) return false;
  const network = allowedNetwork(context);
  return !isPrivateName(hostname) || network.all || matchesHost(hostname, network.hosts);
}

/** fetch sends what the URL parser makes of a URL; a signed one must not change on the way. */
function checkVerbatim({ base, requestPath }: Destination, { engineKind }: TargetContext): void {
  if (engineKind !== 'fetch') return;
  const { pathname, search } = new URL(base.origin + requestPath);
  if (pathname + search === requestPath) return;
  const message = `fetch would rewrite the path or query of the target at ${base.origin}.`;
  throw refused('url_not_verbatim', message, { origin: base.origin });
}

/** Whoever may choose method, path and body of a request to the MCP endpoint can speak in the client's name. */
function checkEndpoint({ base, requestPath }: Destination, context: TargetContext): void {
  for (const own of ownUrls(context)) {
    const isSameServer =
      own.protocol === base.protocol && own.port === base.port && isSameHost(own.hostname, base.hostname);
    if (isSameServer && isEndpointPath(requestPath, own)) {
      throw refused('path_escape', 'The MCP endpoint itself is never a target.', { origin: base.origin });
    }
  }
}

function checkInclude(
  { base, requestPath }: Destination,
  target: TransferTarget,
  method: string,
  { serverUrl, canonicalUrl = serverUrl, policy, hasCredentials }: TargetContext,
): void {
  const shown = { origin: base.origin };
  const outOfScope = (message: string, cause?: Error) => refused('credentials_scope', message, shown, cause);
  if (!hasCredentials) throw outOfScope('A target asks for the credential, and the host gave no credentials hook.');
  const home = httpUrl(target.url === undefined ? serverUrl : canonicalUrl);
  if (home?.origin !== base.origin) {
    throw outOfScope(`The credential may not go to ${base.origin}: it is not the origin of canonicalUrl.`);
  }
  // Or else a scope that looks at the start of the path could be left by dots behind it.
  const problem = target.url === undefined ? undefined : pathProblem(pathOf(requestPath));
  if (problem !== undefined) {
    throw refused('path_escape', `The path of a target with the credential is not plain: ${problem}.`, shown);
  }
  const scope = policy.includeScope ?? 'origin';
  if (scope === 'origin') return;
  let isInScope = false;
  try {
    isInScope =
      scope === 'endpoint' ? isUnderEndpoint(requestPath, home) : scope(base.origin + requestPath, method) === true;
  } catch (error) {
    throw outOfScope('includeScope failed.', safeCause(error));
  }
  if (!isInScope) throw outOfScope(`includeScope does not allow the credential for a path at ${base.origin}.`);
}

function hostList(policy: TargetPolicyOptions, option: 'allowHosts' | 'denyHosts') {
  return policy[option]?.map(pattern => parseHostPattern(pattern, `policy.${option}`));
}

/** `localhost` and 127.0.0.1 reach the same server. */
function isSameHost(one: string, other: string): boolean {
  return hostKey(one) === hostKey(other) || (isLoopbackHost(one) && isLoopbackHost(other));
}

function pathOf(requestPath: string): string {
  return requestPath.replace(/\?.*$/s, '');
}
