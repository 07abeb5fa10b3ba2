import type { FilesClientOptions, TlsOptions } from './client-options.js';
import type { TargetPolicyOptions } from './transfer/target-policy.js';
import type { Timeouts } from './transfer/upload.js';

/** What a value has to be, and how a mistake is told: "must …". */
type Rule = readonly [is: (value: unknown) => boolean, must: string];

const FUNCTION: Rule = [value => typeof value === 'function', 'be a function'];
const OBJECT: Rule = [value => typeof value === 'object' && value !== null && !Array.isArray(value), 'be an object'];
const URL_TEXT: Rule = [value => URL.canParse(value as string), 'be an absolute URL'];
const HOSTS: Rule = [isTexts, 'be a list of host names, such as *.example.com'];
const MILLISECONDS: Rule = [value => typeof value === 'number' && value >= 0, 'be a number of milliseconds, 0 or more'];
const PEM: Rule = [isPem, 'be PEM text or bytes'];

/** Each option has its rule: the compiler knows of one that is missing, and any other name is unknown. */
const OPTIONS: Record<keyof FilesClientOptions, Rule> = {
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
  servername: [value => typeof value === 'string', 'be a host name'],
};

/**
 * Throws TypeError for an option of a kind that cannot work, and for a member of `policy`, `timeouts` or `tls` that there
 * is none of: misspelt, it would leave open what the host meant to close.
 */
export function checkOptionKinds(options: FilesClientOptions): void {
  if (!OBJECT[0](options)) throw new TypeError('The options of a FilesClient must be an object.');
  checkMembers(options, OPTIONS, '');
  checkInner(options.policy, POLICY, 'policy.');
  checkInner(options.timeouts, TIMEOUTS, 'timeouts.');
  checkInner(options.tls, TLS, 'tls.');
  if (
    options.textFiles === 'registered' &&
    options.registry !== undefined &&
    !hasMethod(options.registry, 'findByName')
  )
    throw new TypeError("FilesClient option textFiles: 'registered' needs a registry with the method findByName.");
}

/** Names among the options that are none: a mistake, or a member of the host's own object that was spread in. */
export function unknownOptions(options: FilesClientOptions): string[] {
  return unknownNames(options, OPTIONS);
}

function checkInner(members: object | undefined, rules: Record<string, Rule>, path: string): void {
  if (members === undefined) return;
  const [unknown] = unknownNames(members, rules);
  if (unknown !== undefined) {
    const known = Object.keys(rules).join(', ');
    throw new TypeError(`FilesClient option ${path}${unknown} is unknown; there are ${known}.`);
  }
  checkMembers(members, rules, path);
}

function checkMembers(members: object, rules: Record<string, Rule>, path: string): void {
  for (const [name, [is, must]] of Object.entries(rules)) {
    const value: unknown = (members as Record<string, unknown>)[name];
    if (value !== undefined && !is(value)) throw new TypeError(`FilesClient option ${path}${name} must ${must}.`);
  }
}

/** The options are copied with the members of their class, of which this is one. */
function unknownNames(members: object, rules: Record<string, Rule>): string[] {
  return Object.keys(members).filter(name => !Object.hasOwn(rules, name) && name !== 'constructor');
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
