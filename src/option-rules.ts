import type { FilesClientOptions, TlsOptions } from './client-options.js';
import { FUNCTION, mistakeIn, OBJECT, type Rule, type Rules, TEXT, wrongKind } from './errors/index.js';
import type { TargetPolicyOptions } from './transfer/target-policy.js';
import type { Timeouts } from './transfer/upload.js';

const SUBJECT = 'FilesClient option';

const URL_TEXT: Rule = [value => URL.canParse(value as string), 'be an absolute URL'];
const HOSTS: Rule = [isTexts, 'be a list of host names, such as *.example.com'];
const MILLISECONDS: Rule = [value => typeof value === 'number' && value >= 0, 'be a number of milliseconds, 0 or more'];
const PEM: Rule = [isPem, 'be PEM text or bytes'];

/** Each option has its rule: the compiler knows of one that is missing, and any other name is unknown. */
export const OPTIONS: Record<keyof FilesClientOptions, Rule> = {
  approve: FUNCTION,
  canonicalUrl: URL_TEXT,
  concurrency: integerFrom(1),
  credentials: FUNCTION,
  describeArguments: FUNCTION,
  digest: oneOf('auto', 'always'),
  fetch: FUNCTION,
  inlineLimit: integerFrom(0),
  logger: FUNCTION,
  maxRounds: integerFrom(0),
  onInputRequest: FUNCTION,
  policy: OBJECT,
  proxy: [
    value => value === 'env' || isProxyUrl(value),
    "be 'env' or an absolute URL, such as http://proxy.example:8080",
  ],
  publish: FUNCTION,
  registry: [
    value => ['add', 'resolve', 'remove'].every(name => hasMethod(value, name)),
    'have the methods add, resolve and remove',
  ],
  resolveHandles: oneOf('declared', 'anywhere'),
  serverUrl: URL_TEXT,
  textFiles: oneOf('off', 'registered'),
  timeouts: OBJECT,
  tls: OBJECT,
  transport: [OBJECT[0], 'be a transport of the MCP SDK'],
  validateOutput: FUNCTION,
};

const POLICY: Record<keyof TargetPolicyOptions, Rule> = {
  allowHosts: HOSTS,
  allowHttp: oneOf('auto', 'loopback', 'never'),
  allowPrivateNetwork: [
    value => typeof value === 'boolean' || isTexts(value),
    'be true, false or a list of networks and host names',
  ],
  denyHosts: HOSTS,
  includeScope: [
    value => value === 'origin' || value === 'endpoint' || FUNCTION[0](value),
    "be 'origin', 'endpoint' or a function",
  ],
  pathScope: oneOf('endpoint', 'origin'),
};

const TIMEOUTS: Record<keyof Timeouts, Rule> = {
  connect: MILLISECONDS,
  response: MILLISECONDS,
  stall: MILLISECONDS,
};

const TLS: Record<keyof TlsOptions, Rule> = {
  ca: [value => isPem(value) || (Array.isArray(value) && value.every(isPem)), PEM[1]],
  cert: PEM,
  key: PEM,
  servername: [TEXT[0], 'be a host name'],
};

/**
 * Throws TypeError for an option of a kind that cannot work, and for a member of `policy`, `timeouts` or `tls` that there
 * is none of: misspelt, it would leave open what the host meant to close.
 */
export function checkOptionKinds(options: FilesClientOptions): void {
  refuse(wrongKind(SUBJECT, options, OPTIONS));
  const inner: Record<string, Rules> = { policy: POLICY, timeouts: TIMEOUTS, tls: TLS };
  for (const [name, rules] of Object.entries(inner)) {
    const members = options[name as 'policy' | 'timeouts' | 'tls'];
    if (members !== undefined) refuse(mistakeIn(SUBJECT, members, rules, `${name}.`));
  }
  if (
    options.textFiles === 'registered' &&
    options.registry !== undefined &&
    !hasMethod(options.registry, 'findByName')
  )
    refuse(`${SUBJECT} textFiles: 'registered' needs a registry with the method findByName.`);
}

function refuse(mistake: string | undefined): void {
  if (mistake !== undefined) throw new TypeError(mistake);
}

function integerFrom(floor: number): Rule {
  const is = (value: unknown): boolean =>
    typeof value === 'number' && value >= floor && (Number.isInteger(value) || value === Number.POSITIVE_INFINITY);
  return [is, `be an integer of at least ${floor}`];
}

function oneOf(...values: readonly string[]): Rule {
  return [value => values.includes(value as string), `be ${values.map(value => `'${value}'`).join(' or ')}`];
}

function hasMethod(owner: unknown, name: string): boolean {
  return typeof (owner as Record<string, unknown> | null)?.[name] === 'function';
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(entry => typeof entry === 'string');
}

function isPem(value: unknown): boolean {
  return typeof value === 'string' || ArrayBuffer.isView(value);
}

/** `localhost:80` is a URL of the scheme `localhost:` to the parser. */
function isProxyUrl(proxy: unknown): boolean {
  return typeof proxy === 'string' && URL.canParse(proxy) && /^(https?|socks5?):$/.test(new URL(proxy).protocol);
}
