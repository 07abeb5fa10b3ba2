import { FilesError } from '../errors/index.js';

/** One entry of a host list. */
export interface HostPattern {
  /** In the form of {@link hostKey}. */
  readonly name: string;
  /** Written `*.name`: any name below it, at any depth, and not the name itself. */
  readonly isWildcard: boolean;
}

/**
 * A host in the one form that is compared: lower-case, no brackets, no trailing dot, an IPv4-mapped address as the IPv4
 * one that it is. Takes a `URL`'s hostname.
 */
export function hostKey(hostname: string): string {
  const plain = hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(plain) ?? [];
  if (high === undefined || low === undefined) return plain;
  return [high, low].flatMap(part => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 0xff]).join('.');
}

/**
 * Reads a pattern as a host author may write it: any case, IDN or punycode, with a trailing dot, an address in any
 * spelling. Throws `argument_invalid` for what could never match, since a ban that is silently ignored protects nobody.
 */
export function parseHostPattern(text: string, option: string): HostPattern {
  const isWildcard = text.startsWith('*.');
  const rest = isWildcard ? text.slice(2) : text;
  const isAddress = /^(?:\[[\da-f:.]+\]|[\da-f:.]*:[\da-f:.]*)$/i.test(rest);
  const host = isAddress ? `[${rest.replace(/^\[|\]$/g, '')}]` : rest;
  const parsed = (isAddress ? !isWildcard : /^[^\s/?#@\\:%*[\]]+$/.test(rest)) ? parseHost(host) : undefined;
  const isNumber = parsed !== undefined && /^[\d.]+$/.test(parsed);
  if (parsed === undefined || !isHostName(parsed) || (isWildcard && isNumber)) {
    throw new FilesError('argument_invalid', `${option} has an entry that is neither a host name nor *.name.`, {
      details: { option, entry: text },
    });
  }
  return { name: hostKey(parsed), isWildcard };
}

/** Whether a hostname, in any form, is named by one of the patterns. */
export function matchesHost(hostname: string, patterns: readonly HostPattern[]): boolean {
  const key = hostKey(hostname);
  return patterns.some(({ name, isWildcard }) => (isWildcard ? key.endsWith(`.${name}`) : key === name));
}

/** Names and addresses that DNS and TLS know: WHATWG URL also lets through the likes of `a*b`, `a..b` and `.`. */
export function isHostName(hostname: string): boolean {
  return /^\[[\da-f:.]+\]$/.test(hostname) || /^[\da-z_-]+(\.[\da-z_-]+)*\.?$/.test(hostname);
}

/** RFC 6761, 6.3: these are loopback whatever a resolver says. */
export function isLoopbackName(hostname: string): boolean {
  const key = hostKey(hostname);
  return key === 'localhost' || key.endsWith('.localhost');
}

/** The names by which clouds serve credentials to their machines; several are reached with allowPrivateNetwork too. */
const METADATA_NAMES = [
  'instance-data',
  'instance-data.ec2.internal',
  'metadata',
  'metadata.azure.internal',
  'metadata.goog',
  'metadata.google.internal',
  'metadata.tencentyun.com',
];

export function isMetadataName(hostname: string): boolean {
  return METADATA_NAMES.includes(hostKey(hostname));
}

/** Names that a resolver out of our sight would find in its own network. */
export function isPrivateName(hostname: string): boolean {
  const key = hostKey(hostname);
  return !key.includes('.') || /\.(localhost|local|internal)$/.test(key);
}

function parseHost(host: string): string | undefined {
  try {
    return new URL(`https://${host}/`).hostname;
  } catch {
    return undefined;
  }
}
