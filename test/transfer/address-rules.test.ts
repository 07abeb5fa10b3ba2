import { describe, expect, it } from 'vitest';
import { isFilesError } from '../../src/errors/index.js';
import { isAddressAllowed, isLoopbackHost, parseAddress } from '../../src/transfer/address-rules.js';
import type { TargetPolicyOptions } from '../../src/transfer/target.js';

type Private = NonNullable<TargetPolicyOptions['allowPrivateNetwork']>;

function allowed(address: string, allowPrivateNetwork: Private = false, hostname = 'store.example.net'): boolean {
  return isAddressAllowed(address, hostname, { policy: { allowPrivateNetwork } });
}

const PUBLIC = [
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
  ...['128.0.0.1', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.167.255.255'],
  ...['192.169.0.0', '198.17.255.255', '198.20.0.0', '223.255.255.255', '52.216.1.1', '13.107.42.13'],
  ...['2606:4700:4700::1111', '2a00:1450:4001::1', '2001:4860:4860::8888', '2600:1f18::1', '3000::1'],
  // The same public hosts over IPv4-mapped and NAT64 forms: a DNS64 resolver answers so for every IPv4-only storage.
  ...['::ffff:8.8.8.8', '::ffff:808:808', '64:ff9b::8.8.8.8', '64:ff9b::808:808'],
];

const PRIVATE = [
  ...['10.0.0.0', '10.0.0.1', '10.255.255.255', '172.16.0.0', '172.16.5.4', '172.31.255.255'],
  ...['192.168.0.0', '192.168.1.1', '192.168.255.255', '127.0.0.0', '127.0.0.1', '127.1.2.3', '127.255.255.255'],
  ...['::1', '0:0:0:0:0:0:0:1', 'fc00::1', 'fd00::1', 'fd12:3456:789a::1', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ...['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.1.2.3', '::ffff:c0a8:101', '0:0:0:0:0:ffff:7f00:1'],
];

/** Neither public nor opened by `true`: only by a CIDR. */
const SPECIAL = [
  // Shared (RFC 6598), protocol assignments, documentation, 6to4 relays, benchmarking, reserved.
  ...['100.64.0.0', '100.64.0.1', '100.127.255.255', '192.0.0.1', '192.0.0.170', '192.0.2.1', '192.88.99.1'],
  ...['198.18.0.1', '198.19.255.255', '198.51.100.7', '203.0.113.9', '240.0.0.1', '250.1.2.3', '255.255.255.254'],
  ...['192.31.196.1', '192.52.193.1', '192.175.48.1'],
  // 6to4 and Teredo around loopback, private, metadata and public addresses.
  ...['2002:7f00:1::', '2002:7f00:1::1', '2002:a00:1::', '2002:a9fe:a9fe::', '2002:c0a8:101::1', '2002:808:808::1'],
  ...['2001::1', '2001:0:7f00:1::', '2001:0:4136:e378:8000:63bf:80ff:fffe', '2001:0:808:808::f7f7:f7f7'],
  // IPv4-compatible, IPv4-translated, NAT64 of private addresses, local-use NAT64.
  ...['::127.0.0.1', '::7f00:1', '::8.8.8.8', '::a9fe:a9fe', '::2', '::ffff:0:127.0.0.1', '::ffff:0:808:808'],
  ...['64:ff9b::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b::a00:1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::808:808'],
  ...['64:ff9b:1::7f00:1', '64:ff9b:1:fffe::a00:1'],
  // Documentation, discard, benchmarking, ORCHID, site-local, SRv6, unassigned space.
  ...['2001:db8::1', '3fff::1', '3fff:fff::1', '100::1', '2001:2::1', '2001:10::1', '2001:20::1', '2001:30::1'],
  ...['2001:3::1', '2001:4:112::1', '2620:4f:8000::1', 'fec0::1', 'feff::1', '5f00::1', '4000::1', '8000::1'],
  ...['c000::1', 'e000::1', 'f000::1', 'fe00::1', '1::1', '200::1', '1000::1'],
];

const NEVER = [
  ...['0.0.0.0', '0.0.0.1', '0.255.255.255', '169.254.0.0', '169.254.0.1', '169.254.255.255'],
  // AWS, ECS, EKS, Tencent, Scaleway, Alibaba, Azure, Oracle.
  ...['169.254.169.254', '169.254.170.2', '169.254.170.23', '169.254.0.23', '169.254.42.42', '169.254.169.253'],
  ...['100.100.100.200', '168.63.129.16', '192.0.0.192', '224.0.0.0', '224.0.0.1', '239.255.255.255'],
  ...['255.255.255.255', '::', '0:0:0:0:0:0:0:0', 'ff00::', 'ff02::1', 'ff05::2', 'ffff::1'],
  ...[
    'fe80::1',
    'fe80::1%eth0',
    'fe80::5efe:8.8.8.8',
    'fe80::a9fe:a9fe',
    'febf:ffff::1',
    'fd00:ec2::254',
    'fd00:ec2::23',
    'fd00:ec2::253',
  ],
  ...['fd00:ec2:0:0:0:0:0:254', 'fd20:ce::254', 'fd00:c1::a9fe:a9fe', 'fd00:42::42', 'fd00:a9fe:a9fe::1'],
  ...['fd00:100::100:200', '::ffff:169.254.169.254', '::ffff:a9fe:a9fe', '::ffff:0.0.0.0', '::ffff:100.100.100.200'],
  ...['::ffff:168.63.129.16', '64:ff9b::168.63.129.16', '::ffff:255.255.255.255', '::ffff:224.0.0.1'],
];

/** Spellings that no resolver and no URL parser hands out. */
const NO_ADDRESS = [
  ...['', ' ', '127.1', '0x7f.0.0.1', '0x7f000001', '2130706433', '0177.0.0.1', '010.0.0.1', '127.0.0.1 ', ' 8.8.8.8'],
  ...['8.8.8', '8.8.8.8.', '8.8.8.8.8', '256.1.1.1', '8.8.8.-8', '+8.8.8.8', '8.8.8.8/32', '8.8.8.8:80', '08.8.8.8'],
  ...['[::1]', ':::', '1::2::3', '12345::', 'g::1', '::ffff:300.0.0.1', '2606:4700:4700::1111/64', 'example.com'],
  ...['localhost', '1', '0', 'fe80::1%', '８.８.８.８', '8。8。8。8', '2606:4700:4700:0:0:0:0:0:1111'],
];

describe('isAddressAllowed, by default', () => {
  it.each(PUBLIC)('allows %s', address => expect(allowed(address)).toBe(true));
  it.each([...PRIVATE, ...SPECIAL, ...NEVER, ...NO_ADDRESS])('refuses %j', address =>
    expect(allowed(address)).toBe(false),
  );
});

describe('isAddressAllowed, with allowPrivateNetwork: true', () => {
  it.each([...PUBLIC, ...PRIVATE])('allows %s', address => expect(allowed(address, true)).toBe(true));
  it.each([...SPECIAL, ...NEVER, ...NO_ADDRESS])('refuses %j', address => expect(allowed(address, true)).toBe(false));
});

it('judges an ISATAP address by the IPv4 address within it too', () => {
  for (const address of ['2606:4700::5efe:10.0.0.1', '2606:4700::200:5efe:127.0.0.1']) {
    expect(allowed(address)).toBe(false);
    expect(allowed(address, true)).toBe(true);
  }
  expect(allowed('2606:4700::5efe:169.254.169.254', true)).toBe(false);
  expect(allowed('2606:4700::5efe:8.8.8.8')).toBe(true);
  expect(allowed('2606:4700::1:5efe:127.0.0.1')).toBe(true);
});

describe('isAddressAllowed, with a list of CIDRs', () => {
  it.each<[list: string[], address: string, isAllowed: boolean]>([
    [['10.0.0.0/8'], '10.200.3.4', true],
    [['10.0.0.0/8'], '::ffff:10.200.3.4', true],
    [['10.0.0.0/8'], '11.0.0.1', true],
    [['10.0.0.0/8'], '192.168.1.1', false],
    [['10.0.0.0/8'], '127.0.0.1', false],
    [['10.0.0.0/8'], '64:ff9b::10.0.0.1', false],
    [['10.0.0.0/8', '64:ff9b::/96'], '64:ff9b::10.0.0.1', true],
    [['64:ff9b::/96'], '64:ff9b::10.0.0.1', false],
    [['10.1.2.0/24'], '10.1.2.255', true],
    [['10.1.2.0/24'], '10.1.3.0', false],
    [['10.1.2.3/32'], '10.1.2.3', true],
    [['10.1.2.3/32'], '10.1.2.4', false],
    [['10.1.2.3'], '10.1.2.3', true],
    [['10.1.2.3'], '10.1.2.4', false],
    [['::ffff:10.0.0.0/104'], '10.9.9.9', true],
    [['::ffff:10.0.0.0/104'], '11.9.9.9', true],
    [['::ffff:10.0.0.0/104'], '192.168.0.1', false],
    [['::ffff:10.1.2.3'], '10.1.2.3', true],
    [['[fd12::1]'], 'fd12::1', true],
    [['fd12::1'], 'fd12::2', false],
    [['fd12::/16'], 'fd12:1::5', true],
    [['fd12::/16'], 'fd13::5', false],
    [['::1/128'], '::1', true],
    [['::1/128'], '127.0.0.1', false],
    [['127.0.0.0/8'], '127.0.0.1', true],
    [['100.64.0.0/10'], '100.64.3.4', true],
    [['100.64.0.0/10'], '100.100.100.200', false],
    [['100.100.100.200/32'], '100.100.100.200', true],
    [['100.100.100.200'], '100.100.100.200', true],
    [['198.18.0.0/15'], '198.19.0.1', true],
    [['169.254.0.0/16'], '169.254.1.1', true],
    [['169.254.0.0/16'], '169.254.169.254', true],
    [['169.254.169.254/32'], '169.254.169.254', true],
    [['169.254.169.254/32'], '169.254.169.253', false],
    [['169.254.0.0/15'], '169.254.169.254', false],
    [['fe80::/10'], 'fe80::1%eth0', true],
    [['fe80::/9'], 'fe80::1', false],
    [['fd00::/8'], 'fd00:ec2::254', false],
    [['fd00::/8'], 'fd00:42::42', false],
    [['fd00::/8'], 'fd99::1', true],
    [['fd00:ec2::254/128'], 'fd00:ec2::254', true],
    [['168.63.129.16/32'], '168.63.129.16', true],
    [['224.0.0.0/4'], '224.0.0.1', true],
    [['0.0.0.0/8'], '0.0.0.0', true],
    [['::/128'], '::', true],
    [['240.0.0.0/4'], '255.255.255.255', false],
    [['240.0.0.0/4'], '241.0.0.1', true],
    [['0.0.0.0/0'], '10.0.0.1', true],
    [['0.0.0.0/0'], '169.254.169.254', false],
    [['0.0.0.0/0'], '0.0.0.0', false],
    [['0.0.0.0/0'], '::1', false],
    [['::/0'], 'fd12::1', true],
    [['::/0'], 'fe80::1', false],
    [['::/0'], '10.0.0.1', false],
    [['::/0'], '2002:7f00:1::', false],
    [['::/0'], '2002:808:808::1', true],
    [['::/0'], '::127.0.0.1', false],
    [['::/0'], '64:ff9b:1::7f00:1', false],
    [['2002::/16', '127.0.0.0/8'], '2002:7f00:1::', true],
    [['2001::/32'], '2001:0:808:808::f7f7:f7f7', true],
    [['2001::/32'], '2001:0:808:808::80ff:fffe', false],
    [['2001::/32'], '2001:0:7f00:1::f7f7:f7f7', false],
    [[], '10.0.0.1', false],
  ])('%j and %s: %s', (list, address, isAllowed) => {
    expect(allowed(address, list)).toBe(isAllowed);
  });
});

describe('isAddressAllowed, with host patterns', () => {
  it.each<[list: string[], hostname: string, address: string, isAllowed: boolean]>([
    [['nas.example.com'], 'nas.example.com', '10.0.0.1', true],
    [['nas.example.com'], 'nas.example.com', 'fd12::1', true],
    [['nas.example.com'], 'nas.example.com', '127.0.0.1', true],
    [['nas.example.com'], 'NAS.example.com.', '10.0.0.1', true],
    [['NAS.Example.com.'], 'nas.example.com', '10.0.0.1', true],
    [['nas.example.com'], 'other.example.com', '10.0.0.1', false],
    [['nas.example.com'], 'nas.example.com', '169.254.169.254', false],
    [['nas.example.com'], 'nas.example.com', '100.64.0.1', false],
    [['nas.example.com'], 'nas.example.com', '0.0.0.0', false],
    [['*.corp.example'], 'a.b.corp.example', '192.168.4.4', true],
    [['*.corp.example'], 'corp.example', '192.168.4.4', false],
    [['*.corp.example'], 'evilcorp.example', '192.168.4.4', false],
    [['*.bücher.example'], 'x.xn--bcher-kva.example', '10.0.0.1', true],
    [['nas'], 'nas', '10.0.0.1', true],
    [['localhost'], 'localhost', '127.0.0.1', true],
    [['localhost'], 'localhost', '10.0.0.1', false],
  ])('%j, %s at %s: %s', (list, hostname, address, isAllowed) => {
    expect(allowed(address, list, hostname)).toBe(isAllowed);
  });
});

describe('isAddressAllowed, for a loopback name', () => {
  it.each(['localhost', 'localhost.', 'LOCALHOST', 'a.localhost'])('%s goes to loopback only', hostname => {
    expect(allowed('127.0.0.1', true, hostname)).toBe(true);
    expect(allowed('::1', true, hostname)).toBe(true);
    expect(allowed('8.8.8.8', true, hostname)).toBe(false);
    expect(allowed('10.0.0.1', ['0.0.0.0/0'], hostname)).toBe(false);
    expect(allowed('127.0.0.1', false, hostname)).toBe(false);
  });

  it('is allowed where http to loopback is, and no other name is for that reason', () => {
    for (const context of [
      { serverUrl: 'http://127.0.0.1:3000/mcp', policy: {} },
      { policy: { allowHttp: 'loopback' as const } },
    ]) {
      expect(isAddressAllowed('127.0.0.1', 'localhost', context)).toBe(true);
      expect(isAddressAllowed('::1', 'localhost', context)).toBe(true);
      expect(isAddressAllowed('127.0.0.1', 'rebind.example.net', context)).toBe(false);
      expect(isAddressAllowed('10.0.0.1', 'localhost', context)).toBe(false);
    }
  });
});

describe("isAddressAllowed, for the server's own host", () => {
  it.each<[serverUrl: string, hostname: string, address: string, isAllowed: boolean]>([
    ['https://mcp.corp.example/mcp', 'mcp.corp.example', '10.0.0.5', true],
    ['https://mcp.corp.example/mcp', 'mcp.corp.example', '127.0.0.1', true],
    ['https://mcp.corp.example/mcp', 'mcp.corp.example', 'fd12::1', true],
    ['https://mcp.corp.example/mcp', 'mcp.corp.example', '100.64.1.1', true],
    ['https://mcp.corp.example/mcp', 'mcp.corp.example.', '10.0.0.5', true],
    ['https://mcp.corp.example/mcp', 'mcp.corp.example', '169.254.169.254', false],
    ['https://mcp.corp.example/mcp', 'mcp.corp.example', '100.100.100.200', false],
    ['https://mcp.corp.example/mcp', 'mcp.corp.example', 'fd00:ec2::254', false],
    ['https://mcp.corp.example/mcp', 'mcp.corp.example', '0.0.0.0', false],
    ['https://mcp.corp.example/mcp', 'mcp.corp.example', '198.18.0.1', false],
    ['https://mcp.corp.example/mcp', 'store.corp.example', '10.0.0.5', false],
    ['http://mcp.corp.example/mcp', 'mcp.corp.example', '10.0.0.5', false],
    ['http://localhost:3000/mcp', 'localhost', '127.0.0.1', true],
    ['stdio:mcp.corp.example', 'mcp.corp.example', '10.0.0.5', false],
    ['not a url', 'mcp.corp.example', '10.0.0.5', false],
  ])('%s: %s at %s: %s', (serverUrl, hostname, address, isAllowed) => {
    expect(isAddressAllowed(address, hostname, { serverUrl, policy: {} })).toBe(isAllowed);
    const gateway = { serverUrl: 'https://gateway.example.com/', canonicalUrl: serverUrl, policy: {} };
    if (serverUrl.startsWith('https')) expect(isAddressAllowed(address, hostname, gateway)).toBe(isAllowed);
  });
});

describe('isLoopbackHost', () => {
  it.each([
    '127.0.0.1',
    '127.9.9.9',
    '[::1]',
    '::1',
    '[::ffff:7f00:1]',
    'localhost',
    'localhost.',
    'LocalHost',
    'a.b.localhost',
  ])('knows %s', host => expect(isLoopbackHost(host)).toBe(true));
  it.each([
    '10.0.0.1',
    '128.0.0.1',
    '0.0.0.0',
    '[::]',
    '[64:ff9b::7f00:1]',
    '[::7f00:1]',
    'localhost.example',
    'notlocalhost',
  ])('tells %s apart', host => expect(isLoopbackHost(host)).toBe(false));
});

describe('allowPrivateNetwork entries', () => {
  it.each([
    '10/8',
    '10.0/16',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '::/129',
    'fd00::/',
    '/8',
    '0x0a.0.0.0/8',
    '010.0.0.0/8',
    'a/b',
    '',
  ])('refuses %j as unreadable', entry => {
    let thrown: unknown;
    try {
      allowed('10.0.0.1', [entry]);
    } catch (error) {
      thrown = error;
    }
    expect(isFilesError(thrown) && thrown.code).toBe('argument_invalid');
  });
});

it('parses exactly what resolvers and URL write', () => {
  for (const text of [...PUBLIC, ...PRIVATE, ...SPECIAL, ...NEVER]) expect(parseAddress(text), text).toBeDefined();
  for (const text of NO_ADDRESS) expect(parseAddress(text), text).toBeUndefined();
});
