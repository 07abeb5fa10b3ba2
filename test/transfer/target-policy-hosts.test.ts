import { describe, expect, it } from 'vitest';
import type { TargetContext, TargetPolicyOptions } from '../../src/transfer/target.js';
import { checkPolicy } from '../../src/transfer/target-policy.js';
import { checked, verdict } from './target-policy-support.js';

/** Hosts that are, in some spelling, no public address. */
const PRIVATE_HOSTS = [
  // 127.0.0.1 by every way an IPv4 number can be written.
  ...['127.0.0.1', '127.0.0.1.', '127.1', '127.0.1', '127.127.127.127', '127.0.0.0', '0x7f000001', '0x7F.0x0.0x0.0x1'],
  ...['0x7f.1', '0x7f.0.1', '2130706433', '2130706433.', '017700000001', '0177.0.0.1', '0177.1', '00000177.0.0.01'],
  ...['127.0x1', '0x7f.0x000001', '127.0.0.0x01', '0x00000000000007f000001', '0x7f.0.0.01', '0177.0x0.0.1'],
  // The unspecified address.
  ...['0', '0.0.0.0', '0x0', '00', '0.0', '0x0.0.0.0', '0.0.0.1', '0x', '0000000000000'],
  // Metadata.
  ...['169.254.169.254', '0xa9fea9fe', '2852039166', '0251.0376.0251.0376', '0xa9.0xfe.0xa9.0xfe', '025177524776'],
  ...[
    '169.254.43518',
    '169.16689662',
    '0251.254.169.254',
    '169.254.170.2',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
  ],
  ...['0xa9.254.0251.0xfe', '0x64646464c8'.slice(0, 10), '1684301000'],
  // Private, shared, link-local, reserved.
  ...[
    '10.0.0.1',
    '0xa000001',
    '167772161',
    '012.0.0.1',
    '10.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '192.168.1',
  ],
  ...[
    '3232235521',
    '0300.0250.0.1',
    '0xc0a80001',
    '100.64.0.1',
    '100.127.255.255',
    '169.254.0.1',
    '198.18.0.1',
    '192.0.2.1',
  ],
  ...[
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.1.1.1',
    '240.0.0.1',
    '255.255.255.255',
    '4294967295',
    '0xffffffff',
  ],
  ...['192.88.99.1', '192.0.0.1'],
  // IPv6.
  ...[
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[0000:0000:0000:0000:0000:0000:0000:0001]',
    '[::]',
    '[0::0]',
    '[fe80::1]',
    '[fc00::1]',
  ],
  ...[
    '[fd00::1]',
    '[fd00:ec2::254]',
    '[FD00:EC2::254]',
    '[fd20:ce::254]',
    '[fec0::1]',
    '[ff02::1]',
    '[2001:db8::1]',
    '[100::1]',
  ],
  ...[
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::FFFF:127.0.0.1]',
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '[::ffff:169.254.169.254]',
  ],
  ...[
    '[::ffff:a9fe:a9fe]',
    '[::ffff:0:0]',
    '[::ffff:10.0.0.1]',
    '[::ffff:c0a8:1]',
    '[::ffff:100.64.0.1]',
    '[::127.0.0.1]',
  ],
  ...[
    '[::7f00:1]',
    '[::a9fe:a9fe]',
    '[::ffff:0:127.0.0.1]',
    '[::ffff:0:a9fe:a9fe]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b::127.0.0.1]',
  ],
  ...['[64:ff9b::a9fe:a9fe]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]', '[2002:a9fe:a9fe::1]', '[2002:0a00:0001::]'],
  ...['[2001:0:7f00:1::]', '[2001::80ff:fffe]', '[2606:4700::5efe:7f00:1]', '[2606:4700::5efe:127.0.0.1]', '[4000::1]'],
  // Loopback by name (RFC 6761).
  ...['localhost', 'LOCALHOST', 'LocalHost.', 'localhost.', 'a.localhost', 'a.b.localhost.', 'localhost:8443'],
];

describe('a host that is no public address', () => {
  it.each(PRIVATE_HOSTS)('https://%s/', host => {
    const url = `https://${host}/k`;
    expect(verdict({ url })).toBe('private_address');
    expect(verdict({ url }, { proxied: true })).toBe('private_address');
    expect(verdict({ url }, { engineKind: 'fetch' })).toBe('private_address');
    expect(verdict({ url }, { policy: { allowHosts: [host.replace(/:8443$/, '')] } })).toBe('private_address');
    expect(verdict({ url, method: 'GET' }, { direction: 'download' })).toBe('private_address');
  });

  it.each([
    '8.8.8.8',
    '134744072',
    '0x08080808',
    '010.010.010.010',
    '[2606:4700:4700::1111]',
    '[::ffff:8.8.8.8]',
    '[64:ff9b::808:808]',
  ])('https://%s/ is one', host => {
    expect(verdict({ url: `https://${host}/k` })).toBe('ok');
    expect(verdict({ url: `https://${host}/k` }, { proxied: true })).toBe('ok');
  });
});

describe('allowPrivateNetwork', () => {
  it.each<[allow: NonNullable<TargetPolicyOptions['allowPrivateNetwork']>, host: string, reason: string]>([
    [true, '10.0.0.1', 'ok'],
    [true, '127.1', 'ok'],
    [true, '[fd12::1]', 'ok'],
    [true, 'localhost', 'ok'],
    [true, '[::ffff:192.168.0.1]', 'ok'],
    [true, '169.254.169.254', 'private_address'],
    [true, '[fd00:ec2::254]', 'private_address'],
    [true, '100.64.0.1', 'private_address'],
    [true, '0.0.0.0', 'private_address'],
    [true, '[2002:7f00:1::]', 'private_address'],
    [['10.0.0.0/8'], '10.0.0.1', 'ok'],
    [['10.0.0.0/8'], '0xa000001', 'ok'],
    [['10.0.0.0/8'], '127.0.0.1', 'private_address'],
    [['10.0.0.0/8'], 'localhost', 'private_address'],
    [['127.0.0.0/8'], 'localhost', 'ok'],
    [['::1/128'], 'localhost', 'ok'],
    [['localhost'], 'localhost', 'ok'],
    [['localhost'], 'localhost.', 'ok'],
    [['localhost'], '127.0.0.1', 'private_address'],
    [['*.localhost'], 'a.localhost', 'ok'],
    [['127.0.0.1'], '127.0.0.1', 'ok'],
    [['127.0.0.1'], '127.0.0.2', 'private_address'],
    [['169.254.169.254/32'], '169.254.169.254', 'ok'],
    [['100.64.0.0/10'], '100.64.0.1', 'ok'],
    [['0.0.0.0/0', '::/0'], '169.254.169.254', 'private_address'],
  ])('%j: %s: %s', (allowPrivateNetwork, host, reason) => {
    expect(verdict({ url: `https://${host}/k` }, { policy: { allowPrivateNetwork } })).toBe(reason);
  });

  it('never allows plain http beyond loopback', () => {
    expect(verdict({ url: 'http://10.0.0.1/k' }, { policy: { allowPrivateNetwork: true } })).toBe('insecure_scheme');
    expect(verdict({ url: 'http://127.0.0.1/k' }, { policy: { allowPrivateNetwork: true } })).toBe('insecure_scheme');
  });
});

describe('names that somebody else resolves', () => {
  const elsewhere: Partial<TargetContext>[] = [{ proxied: true }, { engineKind: 'fetch' }];

  it.each([
    ...['intranet', 'intranet.', 'INTRANET', 'printer.local', 'Printer.LOCAL.', 'a.b.local', 'vault.internal'],
    ...[
      'vault.internal.',
      'metadata.google.internal',
      'instance-data.ec2.internal',
      'metadata',
      'metadata.goog',
      'local',
    ],
    ...[
      'internal',
      'kubernetes',
      'db',
      'metadata.tencentyun.com',
      'metadata.azure.internal',
      'x.metadata.google.internal',
    ],
  ])('%s is refused there and left to the address guard here', host => {
    const url = `https://${host}/k`;
    for (const context of elsewhere) {
      expect(verdict({ url }, context)).toBe('private_address');
      expect(verdict({ url }, { ...context, policy: { allowHosts: [host] } })).toBe('private_address');
      expect(verdict({ url }, { ...context, policy: { allowPrivateNetwork: ['10.0.0.0/8'] } })).toBe('private_address');
    }
    expect(verdict({ url })).toBe('ok');
  });

  it.each(['store.example.net', 'local.example', 'internal.example.com', 'notlocal', 'xn--bcher-kva.example'])(
    '%s',
    host => {
      for (const context of elsewhere) {
        expect(verdict({ url: `https://${host}/k` }, context)).toBe(host.includes('.') ? 'ok' : 'private_address');
      }
    },
  );

  it('are opened by name, or with the private network, metadata never', () => {
    for (const context of elsewhere) {
      for (const allowPrivateNetwork of [true, ['*.internal', 'nas']]) {
        const policy = { allowPrivateNetwork };
        expect(verdict({ url: 'https://vault.internal/k' }, { ...context, policy })).toBe('ok');
        expect(verdict({ url: 'https://nas/k' }, { ...context, policy })).toBe('ok');
        expect(verdict({ url: 'https://metadata.google.internal/k' }, { ...context, policy })).toBe('private_address');
      }
      expect(verdict({ url: 'https://metadata/k' }, { ...context, policy: { allowPrivateNetwork: true } })).toBe(
        'private_address',
      );
    }
  });

  it("may be the server's own", () => {
    for (const context of elsewhere) {
      const own = { ...context, serverUrl: 'https://mcp.internal/mcp' };
      expect(verdict({ url: 'https://mcp.internal/u' }, own)).toBe('ok');
      expect(verdict({ path: 'u' }, own)).toBe('ok');
      expect(verdict({ url: 'https://mcp.internal:8443/u' }, own)).toBe('private_address');
      expect(verdict({ url: 'https://other.internal/u' }, own)).toBe('private_address');
      const local = { ...context, serverUrl: 'http://localhost:3000/mcp' };
      expect(verdict({ url: 'http://localhost:9000/u' }, local)).toBe('ok');
      expect(verdict({ path: 'u' }, local)).toBe('ok');
    }
  });
});

describe("the server's own origin", () => {
  it.each<[serverUrl: string, url: string, reason: string]>([
    ['https://10.0.0.5/mcp', 'https://10.0.0.5/u', 'ok'],
    ['https://10.0.0.5/mcp', 'https://10.0.0.5:9200/u', 'private_address'],
    ['https://10.0.0.5/mcp', 'https://10.0.0.6/u', 'private_address'],
    ['https://10.0.0.5/mcp', 'https://0xa000005/u', 'ok'],
    ['https://[fd12::5]/mcp', 'https://[fd12:0::5]/u', 'ok'],
    ['https://localhost/mcp', 'https://localhost/u', 'ok'],
    ['https://localhost/mcp', 'https://127.0.0.1/u', 'private_address'],
    ['https://127.0.0.1:8443/mcp', 'https://127.0.0.1:8443/u', 'ok'],
    ['https://127.0.0.1:8443/mcp', 'https://127.0.0.1/u', 'private_address'],
    ['https://100.64.0.9/mcp', 'https://100.64.0.9/u', 'ok'],
    ['https://169.254.169.254/mcp', 'https://169.254.169.254/u', 'private_address'],
    ['https://100.100.100.200/mcp', 'https://100.100.100.200/u', 'private_address'],
    ['https://0.0.0.0/mcp', 'https://0.0.0.0/u', 'private_address'],
    ['http://10.0.0.5/mcp', 'https://10.0.0.5/u', 'private_address'],
  ])('%s: %s: %s', (serverUrl, url, reason) => {
    expect(verdict({ url }, { serverUrl })).toBe(reason);
    expect(verdict({ url }, { serverUrl: 'https://gateway.example.com/', canonicalUrl: serverUrl })).toBe(reason);
    if (reason === 'ok') expect(verdict({ path: 'u' }, { serverUrl })).toBe('ok');
  });
});

describe('allowHosts and denyHosts', () => {
  it.each<[policy: TargetPolicyOptions, host: string, reason: string]>([
    [{ allowHosts: ['s.example.com'] }, 's.example.com', 'ok'],
    [{ allowHosts: ['S.Example.COM.'] }, 's.example.com', 'ok'],
    [{ allowHosts: ['s.example.com'] }, 'S.EXAMPLE.com.', 'ok'],
    [{ allowHosts: ['s.example.com'] }, 's.example.com:8443', 'ok'],
    [{ allowHosts: ['s.example.com'] }, 't.example.com', 'host_denied'],
    [{ allowHosts: ['s.example.com'] }, 'a.s.example.com', 'host_denied'],
    [{ allowHosts: ['s.example.com'] }, 's.example.com.evil.example', 'host_denied'],
    [{ allowHosts: ['s.example.com'] }, 'evils.example.com', 'host_denied'],
    [{ allowHosts: ['*.example.com'] }, 's.example.com', 'ok'],
    [{ allowHosts: ['*.example.com'] }, 'a.b.example.com', 'ok'],
    [{ allowHosts: ['*.Example.com.'] }, 'S.example.com.', 'ok'],
    [{ allowHosts: ['*.example.com'] }, 'example.com', 'host_denied'],
    [{ allowHosts: ['*.example.com'] }, 'notexample.com', 'host_denied'],
    [{ allowHosts: ['*.example.com'] }, 'example.com.evil.example', 'host_denied'],
    [{ allowHosts: ['a.example', '*.b.example'] }, 'x.b.example', 'ok'],
    [{ allowHosts: ['b\u00fccher.example'] }, 'xn--bcher-kva.example', 'ok'],
    [{ allowHosts: ['xn--bcher-kva.example'] }, 'xn--bcher-kva.example', 'ok'],
    [{ allowHosts: ['*.B\u00dcCHER.example'] }, 'a.xn--bcher-kva.example', 'ok'],
    [{ allowHosts: ['example.com'] }, 'xn--xample-2of.com', 'host_denied'],
    [{ allowHosts: ['8.8.8.8'] }, '8.8.8.8', 'ok'],
    [{ allowHosts: ['8.8.8.8'] }, '134744072', 'ok'],
    [{ allowHosts: ['0x08080808'] }, '8.8.8.8', 'ok'],
    [{ allowHosts: ['[2606:4700::1]'] }, '[2606:4700:0::1]', 'ok'],
    [{ allowHosts: ['2606:4700::1'] }, '[2606:4700:0::1]', 'ok'],
    [{ allowHosts: ['8.8.8.8'] }, '8.8.4.4', 'host_denied'],
    [{ allowHosts: [] }, 's.example.com', 'host_denied'],
    [{ allowHosts: [] }, 'mcp.example.com', 'ok'],
    [{ allowHosts: ['s.example.com'] }, 'mcp.example.com', 'ok'],
    [{ allowHosts: ['s.example.com'] }, 'mcp.example.com:8443', 'host_denied'],
    [{ allowHosts: ['10.0.0.1'] }, '10.0.0.1', 'private_address'],
    [{ allowHosts: ['10.0.0.1'], allowPrivateNetwork: true }, '10.0.0.1', 'ok'],
    [{ allowHosts: ['s.example.com'], allowPrivateNetwork: true }, '10.0.0.1', 'host_denied'],
    [{ denyHosts: ['s.example.com'] }, 's.example.com', 'host_denied'],
    [{ denyHosts: ['s.example.com'] }, 'S.example.COM.', 'host_denied'],
    [{ denyHosts: ['s.example.com.'] }, 's.example.com', 'host_denied'],
    [{ denyHosts: ['s.example.com'] }, 'a.s.example.com', 'ok'],
    [{ denyHosts: ['*.example.com'] }, 'a.b.example.com', 'host_denied'],
    [{ denyHosts: ['*.example.com'] }, 'example.com', 'ok'],
    [{ denyHosts: ['*.com'] }, 's.example.com', 'host_denied'],
    [{ denyHosts: ['mcp.example.com'] }, 'mcp.example.com', 'host_denied'],
    [{ denyHosts: ['*.example.com'], allowHosts: ['s.example.com'] }, 's.example.com', 'host_denied'],
    [{ denyHosts: ['8.8.8.8'] }, '134744072', 'host_denied'],
    [{ denyHosts: ['::ffff:8.8.8.8'] }, '[::ffff:808:808]', 'host_denied'],
    [{ denyHosts: ['8.8.8.8'] }, '[::ffff:8.8.8.8]', 'host_denied'],
    [{ denyHosts: ['[::ffff:8.8.8.8]'] }, '8.8.8.8', 'host_denied'],
    [{ denyHosts: ['8.8.8.8'] }, '[::ffff:8.8.4.4]', 'ok'],
    [{ denyHosts: [] }, 's.example.com', 'ok'],
  ])('%j: %s: %s', (policy, host, reason) => {
    expect(verdict({ url: `https://${host}/k` }, { policy })).toBe(reason);
  });

  it('hold for path targets', () => {
    expect(verdict({ path: 'u' }, { policy: { denyHosts: ['mcp.example.com'] } })).toBe('host_denied');
    expect(verdict({ path: 'u' }, { policy: { allowHosts: [] } })).toBe('ok');
  });

  it.each([
    ...['', '*', '*.', '.', '.example.com', 'a..b', 'a.*.example', '*a.example', 'a*', '**.example.com', '*.*.example'],
    ...[
      'https://s.example',
      's.example/k',
      's.example:443',
      'user@s.example',
      's.example?',
      's.example#',
      ' s.example',
      'a b',
    ],
    ...['s%2eexample', '10.0.0.0/8', '*.8.8.8.8', '*.[::1]', '256.0.0.1', '[::1', '::g', 'a\\b', '*.0x7f'],
  ])('refuse %j as unreadable, at once and at every target', pattern => {
    for (const policy of [{ allowHosts: [pattern] }, { denyHosts: ['ok.example', pattern] }]) {
      expect(() => checkPolicy(policy)).toThrow(expect.objectContaining({ code: 'argument_invalid' }));
      expect(verdict({}, { policy })).toBe('argument_invalid');
    }
  });

  it('pass as a whole policy when readable', () => {
    checkPolicy({
      allowHosts: ['*.example.com'],
      denyHosts: ['8.8.8.8'],
      allowPrivateNetwork: ['10.0.0.0/8', '*.corp'],
    });
    expect(() => checkPolicy({ allowPrivateNetwork: ['10/8'] })).toThrow('CIDR');
  });
});

it('shows the origin that was refused, and no more', () => {
  try {
    checked({ url: 'https://10.0.0.1:9200/secret-path?secret-query' });
    expect.unreachable();
  } catch (error) {
    expect(error).toMatchObject({ details: { reason: 'private_address', origin: 'https://10.0.0.1:9200' } });
    expect(String(error)).not.toContain('secret');
  }
});
