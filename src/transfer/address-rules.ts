import ipaddr from 'ipaddr.js';
import { FilesError } from '../errors/index.js';
import { type HostPattern, hostKey, isLoopbackName, matchesHost, parseHostPattern } from './host-patterns.js';
import type { TargetContext } from './target.js';

/** What an address is judged by. */
export type AddressContext = Pick<TargetContext, 'serverUrl' | 'canonicalUrl' | 'policy'>;

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Cidr = readonly [start: Address, bits: number];

/**
 * Never by `allowPrivateNetwork: true` or by a name: only by a listed CIDR that is no wider than the range here, so that
 * neither `0.0.0.0/0` nor `fd00::/8` opens a metadata service by accident.
 */
const NEVER = [
  // Metadata services outside the link-local ranges. AWS: all of its instance-local services.
  ...['fd00:ec2::/32', '100.100.100.200/32', '168.63.129.16/32', '192.0.0.192/32'],
  // Google, Oracle, Scaleway, Akamai, Alibaba.
  ...[
    'fd20:ce::254/128',
    'fd00:c1::a9fe:a9fe/128',
    'fd00:42::42/128',
    'fd00:a9fe:a9fe::1/128',
    'fd00:100::100:200/128',
  ],
  // Link-local (RFC 3927, RFC 4291), where all other clouds have theirs.
  ...['169.254.0.0/16', 'fe80::/10'],
  // Unspecified, "this network", multicast, broadcast.
  ...['0.0.0.0/8', '::/128', '224.0.0.0/4', 'ff00::/8', '255.255.255.255/32'],
];

/** All that is global unicast of IPv6 (RFC 4291, 2.4); the rest of the space is unassigned. */
const GLOBAL_IPV6 = '2000::/3';
/** IPv4-compatible (RFC 4291, 2.5.5.1), deprecated. */
const IPV4_COMPATIBLE = '::/96';
/** NAT64 (RFC 6052): a DNS64 resolver answers with it for every IPv4-only storage. */
const NAT64 = '64:ff9b::/96';

/** Of the networks above those that were asked for. Read on import they would cost every host 2 ms, most of it in patterns. */
const networks = new Map<string, Cidr>();

function network(text: string): Cidr {
  const known = networks.get(text) ?? ipaddr.parseCIDR(text);
  networks.set(text, known);
  return known;
}

/** An address as WHATWG URL or a resolver writes it, without brackets; `undefined` for a name or another spelling. */
export function parseAddress(text: string): Address | undefined {
  if (!text.includes(':')) return ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : undefined;
  // ipaddr.js takes `::8.8.8.8`, as resolvers write an IPv4-compatible address, for an IPv4-mapped one.
  const plain = text.replace(/^::(?=\d+\.)/, '0:0:0:0:0:0:');
  return ipaddr.IPv6.isValid(plain) ? ipaddr.IPv6.parse(plain) : undefined;
}

/** A loopback address, or a name that is one by RFC 6761. Takes a `URL`'s hostname, with brackets or without. */
export function isLoopbackHost(hostname: string): boolean {
  const address = parseAddress(hostKey(hostname));
  return address === undefined ? isLoopbackName(hostname) : isLoopback(unmapped(address));
}

/** Whether plain http may go to loopback hosts, which also allows their addresses. */
export function allowsLoopbackHttp({ serverUrl, policy: { allowHttp = 'auto' } }: AddressContext): boolean {
  if (allowHttp !== 'auto') return allowHttp === 'loopback';
  const server = httpUrl(serverUrl);
  return server?.protocol === 'http:' && isLoopbackHost(server.hostname);
}

/** The addresses that the host itself named as its server: they get bytes and credentials anyway. */
export function ownUrls({ serverUrl, canonicalUrl }: AddressContext): URL[] {
  return [httpUrl(serverUrl), httpUrl(canonicalUrl)].filter(url => url !== undefined);
}

/** Whether an own URL may stand for a private address: over TLS, or where it plainly names one. */
export function mayBePrivate(own: URL): boolean {
  return own.protocol === 'https:' || isLoopbackName(own.hostname) || parseAddress(hostKey(own.hostname)) !== undefined;
}

/** What `allowPrivateNetwork` allows, read. Throws `argument_invalid` for an entry that is no CIDR, address or pattern. */
export function allowedNetwork({ policy: { allowPrivateNetwork = false } }: AddressContext): {
  readonly all: boolean;
  readonly cidrs: readonly Cidr[];
  readonly hosts: readonly HostPattern[];
} {
  if (typeof allowPrivateNetwork === 'boolean') return { all: allowPrivateNetwork, cidrs: [], hosts: [] };
  const cidrs: Cidr[] = [];
  const hosts: HostPattern[] = [];
  for (const entry of allowPrivateNetwork) {
    const cidr = parseCidr(entry);
    if (cidr === undefined) hosts.push(parseHostPattern(entry, 'policy.allowPrivateNetwork'));
    else cidrs.push(cidr);
  }
  return { all: false, cidrs, hosts };
}

/**
 * May a connection for this host go to this address? An IPv6 address that carries an IPv4 one is judged by that too.
 * Anything that is no address in its canonical spelling is refused.
 *
 * @param isOwn whether the target is the server's own origin. A resolver sees host names only, so the default compares
 *   those.
 */
export function isAddressAllowed(
  address: string,
  hostname: string,
  context: AddressContext,
  isOwn: boolean = ownUrls(context).some(own => hostKey(own.hostname) === hostKey(hostname) && mayBePrivate(own)),
): boolean {
  const parsed = parseAddress(address);
  if (parsed === undefined) return false;
  const allowed = allowedNetwork(context);
  return judgedForms(parsed).every(form => {
    if (isLoopbackName(hostname) && !isLoopback(form)) return false;
    const listed = allowed.cidrs.filter(cidr => isWithin(form, cidr));
    const never = NEVER.map(network).find(cidr => isWithin(form, cidr));
    if (never !== undefined) return listed.some(([, bits]) => bits >= never[1]);
    if (isPublic(form) || listed.length > 0) return true;
    if (isPrivate(form) && (isOwn || allowed.all || matchesHost(hostname, allowed.hosts))) return true;
    // Overlay networks (RFC 6598) carry private servers; `true` does not name them, the server's own origin does.
    if (form.range() === 'carrierGradeNat') return isOwn;
    return isLoopback(form) && isLoopbackHost(hostname) && allowsLoopbackHttp(context);
  });
}

/** The forms in which an address has to pass: itself, the IPv4 address within it, or both. */
function judgedForms(given: Address): readonly Address[] {
  const address = unmapped(given);
  if (address.kind() === 'ipv4') return [address];
  const ipv6 = address as ipaddr.IPv6;
  const range = ipv6.range();
  if (range === 'loopback' || range === 'unspecified') return [ipv6];
  const bytes = ipv6.toByteArray();
  const embedded = (start: number, mask = 0) => new ipaddr.IPv4(bytes.slice(start, start + 4).map(byte => byte ^ mask));
  // RFC 6052, 3.1: this prefix may stand for public addresses only, and then is the same host.
  if (isWithin(ipv6, network(NAT64))) return isPublic(embedded(12)) ? [embedded(12)] : [ipv6, embedded(12)];
  if (range === '6to4') return [ipv6, embedded(2)];
  // RFC 4380: the server, and the client with every bit flipped.
  if (range === 'teredo') return [ipv6, embedded(4), embedded(12, 0xff)];
  // RFC 5214: ISATAP has the IPv4 address behind 0:5efe or 200:5efe.
  const isIsatap = ipv6.parts[5] === 0x5efe && ((ipv6.parts[4] ?? 0) & ~0x0200) === 0;
  const isTranslated = range === 'rfc6145' || range === 'rfc6052' || isWithin(ipv6, network(IPV4_COMPATIBLE));
  return isIsatap || isTranslated ? [ipv6, embedded(12)] : [ipv6];
}

/** An IPv4-mapped address is the same host over the same protocol. */
function unmapped(address: Address): Address {
  if (address.kind() === 'ipv4' || !(address as ipaddr.IPv6).isIPv4MappedAddress()) return address;
  return (address as ipaddr.IPv6).toIPv4Address();
}

function isWithin(address: Address, [start, bits]: Cidr): boolean {
  return address.kind() === start.kind() && address.match(start, bits);
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || isWithin(address, network(GLOBAL_IPV6));
}

function isPrivate(address: Address): boolean {
  const ranges: readonly string[] = ['private', 'uniqueLocal', 'loopback'];
  return ranges.includes(address.range());
}

function isLoopback(address: Address): boolean {
  return address.range() === 'loopback';
}

/** A CIDR or a single address; an IPv4-mapped one as the IPv4 it stands for. `10/8` is 0.0.0.10/8 to ipaddr.js: refused. */
function parseCidr(text: string): Cidr | undefined {
  if (!text.includes('/')) {
    const address = parseAddress(hostKey(text));
    return address === undefined ? undefined : mappedAsIpv4([address, address.kind() === 'ipv4' ? 32 : 128]);
  }
  const isCidr = text.includes(':') ? ipaddr.IPv6.isValidCIDR(text) : ipaddr.IPv4.isValidCIDRFourPartDecimal(text);
  if (isCidr) return mappedAsIpv4(ipaddr.parseCIDR(text));
  throw new FilesError('argument_invalid', 'policy.allowPrivateNetwork has an entry that is no CIDR.', {
    details: { option: 'policy.allowPrivateNetwork', entry: text },
  });
}

function mappedAsIpv4([start, bits]: Cidr): Cidr {
  const ipv4 = bits < 96 ? start : unmapped(start);
  return ipv4 === start ? [start, bits] : [ipv4, bits - 96];
}

/** An http or https URL; `undefined` for all else, such as a server that is spoken to over stdio. */
export function httpUrl(text: string | undefined): URL | undefined {
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) ? url : undefined;
}
