import { describe, expect, it } from 'vitest';
import { checked, SECRET, verdict } from './target-policy-support.js';

describe('a URL that goes out as given', () => {
  it.each<[url: string, origin: string, requestPath: string, shownPath?: string]>([
    ['https://store.example.net/k', 'https://store.example.net', '/k'],
    ['https://store.example.net', 'https://store.example.net', '/'],
    ['https://store.example.net?sig=a', 'https://store.example.net', '/?sig=a', '/'],
    ['https://store.example.net/?', 'https://store.example.net', '/?', '/'],
    ['https://store.example.net:443/k', 'https://store.example.net', '/k'],
    ['https://store.example.net:8443/k', 'https://store.example.net:8443', '/k'],
    ['https://store.example.net:/k', 'https://store.example.net', '/k'],
    ['HTTPS://Store.EXAMPLE.net/K', 'https://store.example.net', '/K'],
    ['https://store.example.net./k', 'https://store.example.net.', '/k'],
    ['https://xn--bcher-kva.example/k', 'https://xn--bcher-kva.example', '/k'],
    ['https://my_bucket.store.example/k', 'https://my_bucket.store.example', '/k'],
    ['https://8.8.8.8/k', 'https://8.8.8.8', '/k'],
    ['https://134744072/k', 'https://8.8.8.8', '/k'],
    ['https://[2606:4700:4700::1111]:8443/k', 'https://[2606:4700:4700::1111]:8443', '/k'],
    ['https://[2606:4700:4700:0:0:0:0:1111]/k', 'https://[2606:4700:4700::1111]', '/k'],
    // What WHATWG URL would rewrite.
    ['https://s.example/a/../k', 'https://s.example', '/a/../k'],
    ['https://s.example/./k/.', 'https://s.example', '/./k/.'],
    ['https://s.example/%2e%2e/k', 'https://s.example', '/%2e%2e/k'],
    ['https://s.example//a//b', 'https://s.example', '//a//b'],
    ["https://s.example/a'b?c'd", 'https://s.example', "/a'b?c'd", "/a'b"],
    ['https://s.example/a"<>`{}|^b', 'https://s.example', '/a"<>`{}|^b'],
    ['https://s.example/k?a=%2B+%20&b=~!()*', 'https://s.example', '/k?a=%2B+%20&b=~!()*', '/k'],
    ['https://s.example/k?x=https://a@b/../?#'.slice(0, -1), 'https://s.example', '/k?x=https://a@b/../?', '/k'],
    ['https://s.example/a@b:c', 'https://s.example', '/a@b:c'],
    ['https://s.example/%zz%', 'https://s.example', '/%zz%'],
  ])('%s', (url, origin, requestPath, shownPath = requestPath) => {
    const target = checked({ url });
    expect(target).toMatchObject({ via: 'url', origin, requestPath, shownPath });
    expect(target.hostname).toBe(new URL(origin).hostname.replace(/^\[|\]$/g, ''));
  });
});

describe('a malformed URL', () => {
  it.each([
    // Relative, or no URL.
    ...['', '/k', 'k', '//store.example.net/k', 'store.example.net/k', '?x', 'https', 'https:', 'https:/', 'https://'],
    ...['://x', 'http//x', '1https://x/', 'https//x', 'https://?x', 'https:///', 'https://:443/'],
    // WHATWG URL finds a host in these.
    ...[
      'https:store.example.net/k',
      'https:/store.example.net/k',
      'https:///store.example.net/k',
      'https:////s.example',
    ],
    ...['https:\\\\s.example\\k', 'https:/\\s.example/k', 'http:s.example', 'http:/127.0.0.1/'],
    // Whitespace, controls, backslashes, non-ASCII: anywhere.
    ...[
      ' https://s.example/k',
      'https://s.example/k ',
      'https://s.example/a b',
      'https://s.example/k?a b',
      '\thttps://s.example',
    ],
    ...[
      'https://s.example/k\n',
      'ht\ntps://s.example/k',
      'https://s.exa\tmple/k',
      'https://s.example/\0',
      'https://s.example/\x7f',
    ],
    ...[
      'https://s.example\\@evil.example/k',
      'https://s.example/a\\b',
      'https://s.example?\\',
      'https://s.example/k?q=\\',
    ],
    ...[
      'https://s.example/\u00e9',
      'https://s.example/?\u{1f600}',
      'https://\u0435xample.com/k',
      'https://b\u00fccher.example/',
    ],
    ...[
      'https://127\u30020\u30020\u30021/',
      'https://\u2460\u2461\u2466.\u24ea.\u24ea.\u2460/',
      'https://loc\u00adalhost/',
    ],
    ...[
      'https://\uff11\uff12\uff17.0.0.1/',
      'https://s.example\u2044evil/',
      'https://s.example\u200b/',
      '\ufeffhttps://s.example/',
    ],
    ...['https://exam\u0000ple.com', 'https://\u1d38\u1d3c\u1d9c\u1d2c\u1d38host/', 'https://s.example\u2028/'],
    // Fragments.
    ...['https://s.example/k#f', 'https://s.example#f', 'https://s.example/k?x#', 'https://s.example#@127.0.0.1/'],
    ...['https://127.0.0.1#@s.example/', 'https://s.example/#/../'],
    // Encoded hosts: what they are depends on who decodes.
    ...[
      'https://%6c%6fcalhost/',
      'https://%31%32%37.0.0.1/',
      'https://s%2eexample/',
      'https://s.example%2fevil/',
      'https://s.example%00/',
    ],
    ...[
      'https://s.example%40127.0.0.1/',
      'https://%5b::1%5d/',
      'https://127.0.0.1%2e/',
      'https://%32%31%33%30%37%30%36%34%33%33/',
    ],
    ...[
      'https://s.example%23@127.0.0.1'.replace('@', ''),
      'https://%E2%91%A0%E2%91%A1%E2%91%A6.1/',
      'https://s.example:%34%34%33/',
    ],
    // Hosts and ports that are none.
    ...[
      'https://./',
      'https://../',
      'https://a..b/',
      'https://.a/',
      'https://a../',
      'https://*/',
      'https://*.example.com/',
    ],
    ...[
      'https://a,b/',
      'https://a!b/',
      'https://a$b/',
      "https://a'b/",
      'https://a;b/',
      'https://a=b/',
      'https://a(b)/',
      'https://a&b/',
    ],
    ...[
      'https://a+b/',
      'https://a~b/',
      'https://a{b/',
      'https://a`b/',
      'https://a"b/',
      'https://a|b/',
      'https://a^b/',
      'https://a<b/',
    ],
    ...[
      'https://256.1.1.1/',
      'https://1.2.3.4.5/',
      'https://0x100000000/',
      'https://127.0.0.08/',
      'https://1.1.1.0x1x.1',
      'https://a.1/',
    ],
    ...[
      'https://4294967296/',
      'https://[::1/',
      'https://::1/',
      'https://[1::2::3]/',
      'https://[fe80::1%25eth0]/',
      'https://[fe80::1%eth0]/',
    ],
    ...[
      'https://[::1]x/',
      'https://[127.0.0.1]/',
      'https://[v1.a]/',
      'https://[localhost]/',
      'https://s.example:0/',
      'https://s.example:99999/',
    ],
    ...['https://s.example:-1/', 'https://s.example:4a/', 'https://s.example:80:90/', 'https://a b/'],
  ])('%j', url => {
    expect(verdict({ url })).toBe('url_malformed');
    expect(verdict({ url }, { policy: { allowHttp: 'loopback', allowPrivateNetwork: true } })).toBe('url_malformed');
  });

  // Newer runtimes (Node 24) take a label that is no punycode for a name like any other.
  it.each(['xn--', 'xn--a', 'xn--0000h.example'])('or else the very name it is: %s', host => {
    const url = `https://${host}/`;
    if (verdict({ url }) !== 'url_malformed') expect(checked({ url })).toMatchObject({ hostname: host });
    expect(verdict({ url }, { policy: { allowHosts: ['a.example'] } })).toMatch(/^(url_malformed|host_denied)$/);
  });

  it('keeps its text to itself', () => {
    expect(verdict({ url: `https://s.example/${SECRET} ` })).toBe('url_malformed');
    expect(verdict({ url: `https://${SECRET}..example/?${SECRET}` })).toBe('url_malformed');
    expect(verdict({ url: SECRET })).toBe('url_malformed');
  });
});

describe('userinfo', () => {
  it.each([
    ...['https://user@s.example/k', 'https://user:pw@s.example/k', 'https://:pw@s.example/', 'https://@s.example/k'],
    ...[
      'https://:@s.example/',
      'https://s.example@127.0.0.1/',
      'https://s.example:443@127.0.0.1/',
      'https://127.0.0.1@s.example/',
    ],
    ...[
      'https://s.example%23@127.0.0.1/',
      'https://s.example&@127.0.0.1/',
      'https://a@b@c.example/',
      'https://s.example%2f@evil.example',
    ],
    ...[
      'https://1.1.1.1&@2.2.2.2@3.3.3.3/',
      'https://user@[::1]/',
      'https://%40@s.example/',
      'https://s.example;@evil.example/',
    ],
    ...['http://user@127.0.0.1/', `https://${SECRET}:${SECRET}@s.example/`],
  ])('%s', url => {
    expect(verdict({ url })).toBe('userinfo');
  });
});

describe('schemes', () => {
  it.each([
    ...[
      'http://store.example.net/k',
      'http://8.8.8.8/',
      'http://169.254.169.254/latest/',
      'http://127.0.0.1/',
      'http://localhost/',
    ],
    ...['HTTP://store.example.net', 'http://[::1]:9000/', 'http://localhost.evil.example/', 'http://0.0.0.0/'],
    ...[
      'ftp://s.example/k',
      'file:///etc/passwd',
      'file://s.example/x',
      'ws://s.example/',
      'wss://s.example/',
      'gopher://127.0.0.1:70/_x',
    ],
    ...[
      'dict://127.0.0.1:11211/',
      'data:text/plain,x',
      'javascript:alert(1)',
      'blob:https://s.example/1',
      'about:blank',
      'urn:x:y',
    ],
    ...[
      's3://bucket/key',
      'ldap://s.example',
      'jar:https://s.example!/',
      'httpss://s.example/',
      'https+x://s.example/',
      'x:y',
      `${SECRET}:x`,
    ],
    ...['store.example.net:443/k', 'localhost:3000/upload', 'mailto:a@b.example', 'view-source:https://s.example/'],
  ])('%s is not https', url => {
    expect(verdict({ url })).toBe('insecure_scheme');
  });

  it.each<
    [serverUrl: string | undefined, allowHttp: 'auto' | 'loopback' | 'never' | undefined, url: string, reason: string]
  >([
    ['http://localhost:3000/mcp', undefined, 'http://localhost:9000/k', 'ok'],
    ['http://localhost:3000/mcp', 'auto', 'http://127.0.0.1:9000/k', 'ok'],
    ['http://127.0.0.1:3000/mcp', 'auto', 'http://localhost/k', 'ok'],
    ['http://127.0.0.1:3000/mcp', 'auto', 'http://[::1]:1/k', 'ok'],
    ['http://[::1]:3000/mcp', 'auto', 'http://127.1:1/k', 'ok'],
    ['http://127.0.0.1:3000/mcp', 'auto', 'http://[::ffff:127.0.0.1]:1/k', 'ok'],
    ['http://127.0.0.1:3000/mcp', 'auto', 'http://a.localhost:1/k', 'ok'],
    ['http://127.0.0.1:3000/mcp', 'auto', 'http://localhost.:1/k', 'ok'],
    ['http://127.0.0.1:3000/mcp', 'auto', 'https://localhost:1/k', 'ok'],
    ['http://127.0.0.1:3000/mcp', 'auto', 'https://127.0.0.1:1/k', 'ok'],
    ['http://127.0.0.1:3000/mcp', 'auto', 'https://store.example.net/k', 'ok'],
    ['http://127.0.0.1:3000/mcp', 'auto', 'http://store.example.net/k', 'insecure_scheme'],
    ['http://127.0.0.1:3000/mcp', 'auto', 'http://10.0.0.1/k', 'insecure_scheme'],
    ['http://127.0.0.1:3000/mcp', 'auto', 'http://0.0.0.0/k', 'insecure_scheme'],
    ['http://127.0.0.1:3000/mcp', 'auto', 'http://[::]/k', 'insecure_scheme'],
    ['http://127.0.0.1:3000/mcp', 'auto', 'http://[64:ff9b::7f00:1]/k', 'insecure_scheme'],
    ['http://127.0.0.1:3000/mcp', 'auto', 'http://127.0.0.1.nip.io/k', 'insecure_scheme'],
    ['http://127.0.0.1:3000/mcp', 'auto', 'https://10.0.0.1/k', 'private_address'],
    ['http://127.0.0.1:3000/mcp', 'never', 'http://127.0.0.1:9000/k', 'insecure_scheme'],
    ['http://127.0.0.1:3000/mcp', 'never', 'https://127.0.0.1:9000/k', 'private_address'],
    ['http://mcp.example.com/mcp', 'auto', 'http://127.0.0.1/k', 'insecure_scheme'],
    ['http://10.0.0.1/mcp', 'auto', 'http://127.0.0.1/k', 'insecure_scheme'],
    ['https://127.0.0.1/mcp', 'auto', 'http://127.0.0.1/k', 'insecure_scheme'],
    ['https://localhost/mcp', 'auto', 'http://localhost/k', 'insecure_scheme'],
    [undefined, 'auto', 'http://127.0.0.1/k', 'insecure_scheme'],
    [undefined, 'loopback', 'http://127.0.0.1/k', 'ok'],
    [undefined, 'loopback', 'http://localhost:9000/k', 'ok'],
    [undefined, 'loopback', 'https://127.0.0.1/k', 'ok'],
    [undefined, 'loopback', 'http://10.0.0.1/k', 'insecure_scheme'],
    [undefined, 'loopback', 'http://store.example.net/k', 'insecure_scheme'],
    ['https://mcp.example.com/mcp', 'loopback', 'http://[::1]/k', 'ok'],
    ['https://mcp.example.com/mcp', 'never', 'http://[::1]/k', 'insecure_scheme'],
  ])('serverUrl %s, allowHttp %s: %s: %s', (serverUrl, allowHttp, url, reason) => {
    const context = { serverUrl, policy: allowHttp === undefined ? {} : { allowHttp } } as object;
    expect(verdict({ url }, context)).toBe(reason);
  });

  it('holds path targets to the same rule', () => {
    expect(verdict({ path: 'u/1' }, { serverUrl: 'http://127.0.0.1:3000/mcp' })).toBe('ok');
    expect(verdict({ path: 'u/1' }, { serverUrl: 'http://127.0.0.1:3000/mcp', policy: { allowHttp: 'never' } })).toBe(
      'insecure_scheme',
    );
    expect(verdict({ path: 'u/1' }, { serverUrl: 'http://mcp.example.com/mcp' })).toBe('insecure_scheme');
    expect(verdict({ path: 'u/1' }, { serverUrl: 'http://10.0.0.1/mcp', policy: { allowPrivateNetwork: true } })).toBe(
      'insecure_scheme',
    );
  });
});

describe('through fetch', () => {
  it.each<[url: string, isVerbatim: boolean]>([
    ['https://s.example/k?X-Sig=a%2Fb+c~', true],
    ['https://s.example', true],
    ['https://s.example?a', true],
    ['https://s.example//a', true],
    ["https://s.example/a'b", true],
    ['https://s.example/%2F%zz', true],
    ['https://s.example/a/../k', false],
    ['https://s.example/a/./k', false],
    ['https://s.example/%2e%2e/k', false],
    ['https://s.example/k/%2E', false],
    ["https://s.example/k?a='b'", false],
    ['https://s.example/k?a="b"', false],
    ['https://s.example/a"b', false],
    ['https://s.example/a<b>', false],
    ['https://s.example/a{b}', false],
    ['https://s.example/a`b', false],
    ['https://s.example/k?<', false],
    ['https://s.example/k?', false],
  ])('%s: %s', (url, isVerbatim) => {
    expect(verdict({ url }, { engineKind: 'fetch' })).toBe(isVerbatim ? 'ok' : 'url_not_verbatim');
    expect(verdict({ url })).toBe('ok');
    expect(verdict({ url }, { proxied: true })).toBe('ok');
  });
});
