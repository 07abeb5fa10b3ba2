import { describe, expect, it } from 'vitest';
import { checked, SECRET, verdict } from './target-policy-support.js';

const wire = (path: string, serverUrl = 'https://mcp.example.com/mcp', pathScope?: 'endpoint' | 'origin') =>
  checked({ path }, { serverUrl, policy: pathScope === undefined ? {} : { pathScope } }).requestPath;

describe('a path under the endpoint', () => {
  it.each<[serverUrl: string, path: string, requestPath: string]>([
    ['https://mcp.example.com/mcp', '/uploads/1', '/mcp/uploads/1'],
    ['https://mcp.example.com/mcp', 'uploads/1', '/mcp/uploads/1'],
    ['https://mcp.example.com/mcp', 'uploads/t-9', '/mcp/uploads/t-9'],
    ['https://mcp.example.com/mcp', '/mcp/uploads/1', '/mcp/uploads/1'],
    ['https://mcp.example.com/mcp', 'mcp/uploads/1', '/mcp/uploads/1'],
    ['https://mcp.example.com/mcp', '/mcpx', '/mcp/mcpx'],
    ['https://mcp.example.com/mcp', '/mcpx/1', '/mcp/mcpx/1'],
    ['https://mcp.example.com/mcp', '/mc', '/mcp/mc'],
    ['https://mcp.example.com/mcp', '/MCP/1', '/mcp/MCP/1'],
    ['https://mcp.example.com/mcp', '/uploads/mcp', '/mcp/uploads/mcp'],
    ['https://mcp.example.com/mcp', '/mcp/mcp', '/mcp/mcp'],
    ['https://mcp.example.com/mcp/', '/uploads/1', '/mcp/uploads/1'],
    ['https://mcp.example.com/mcp/', '/mcp/uploads/1', '/mcp/uploads/1'],
    ['https://mcp.example.com/mcp?tenant=1#x', 'uploads/1', '/mcp/uploads/1'],
    ['https://mcp.example.com/', 'uploads/1', '/uploads/1'],
    ['https://mcp.example.com', '/uploads/1', '/uploads/1'],
    ['https://mcp.example.com/a/b', '/a/b/c', '/a/b/c'],
    ['https://mcp.example.com/a/b', '/a/c', '/a/b/a/c'],
    ['https://mcp.example.com/a/b', 'a', '/a/b/a'],
    ['https://mcp.example.com/a/b', '/a/bc/d', '/a/b/a/bc/d'],
    ['https://mcp.example.com//mcp', 'mcp/1', '//mcp/mcp/1'],
    // What the text says goes out: no decoding, no re-encoding.
    ['https://mcp.example.com/mcp', "uploads/a%20b'(c)~!*+,;=:@$&", "/mcp/uploads/a%20b'(c)~!*+,;=:@$&"],
    ['https://mcp.example.com/mcp', 'uploads/%C3%A9%2Fx', '/mcp/uploads/%C3%A9%2Fx'],
    ['https://mcp.example.com/mcp', 'uploads/100%25', '/mcp/uploads/100%25'],
    ['https://mcp.example.com/mcp', 'uploads/%zz%', '/mcp/uploads/%zz%'],
    ['https://mcp.example.com/mcp', 'uploads/', '/mcp/uploads/'],
    ['https://mcp.example.com/mcp', 'uploads/1?sig=a%2Fb+c//../\'"', '/mcp/uploads/1?sig=a%2Fb+c//../\'"'],
    ['https://mcp.example.com/mcp', 'uploads/1?', '/mcp/uploads/1?'],
    ['https://mcp.example.com/mcp', 'uploads/1?a?b', '/mcp/uploads/1?a?b'],
    ['https://mcp.example.com/mcp', '/upload:1', '/mcp/upload:1'],
    ['https://mcp.example.com/mcp', 'v1/files:upload', '/mcp/v1/files:upload'],
    ['https://mcp.example.com/mcp', 'a/.b', '/mcp/a/.b'],
    ['https://mcp.example.com/mcp', 'a/b..', '/mcp/a/b..'],
    ['https://mcp.example.com/mcp', '...', '/mcp/...'],
    ['https://mcp.example.com/mcp', 'a/...;x', '/mcp/a/...;x'],
    ['https://mcp.example.com/mcp', 'a;v=1/b', '/mcp/a;v=1/b'],
    ['https://mcp.example.com/mcp', '%6dcp/1', '/mcp/%6dcp/1'],
    ['https://mcp.example.com/mcp', 'u%252520v', '/mcp/u%252520v'],
  ])('%s + %s', (serverUrl, path, requestPath) => {
    expect(wire(path, serverUrl)).toBe(requestPath);
  });

  it('shows no query, and says how it came', () => {
    const target = checked({ path: 'uploads/1?sig=abc' });
    expect(target).toMatchObject({
      via: 'path',
      origin: 'https://mcp.example.com',
      hostname: 'mcp.example.com',
      shownPath: '/mcp/uploads/1',
      requestPath: '/mcp/uploads/1?sig=abc',
    });
  });
});

describe("pathScope: 'origin'", () => {
  it.each<[path: string, requestPath: string]>([
    ['/uploads/1', '/uploads/1'],
    ['uploads/1?x', '/uploads/1?x'],
    ['/mcp/uploads/1', '/mcp/uploads/1'],
    ['/mcpx', '/mcpx'],
  ])('%s', (path, requestPath) => {
    expect(wire(path, 'https://mcp.example.com/mcp', 'origin')).toBe(requestPath);
  });

  it.each(['/mcp', 'mcp', '/mcp/', '/MCP', '/mcp?x', '/%6dcp', '/mcp;x', '/mcp%3Fx', '/../x', '/x/../mcp'])(
    'refuses %s',
    path => {
      expect(verdict({ path }, { policy: { pathScope: 'origin' } })).toBe('path_escape');
    },
  );
});

/** Every one of these is `..` or `.` to some server. */
const DOTS = [
  ...['..', '.', '%2e%2e', '%2E%2E', '.%2e', '%2e.', '%2e', '%252e%252e', '%252e', '%25252e%25252e', '.%252e'],
  ...[
    '%25%32%65%25%32%65',
    '%%32%65%%32%65',
    '%2%65%2%65',
    '..;',
    '..;x',
    '.;',
    '..%3b',
    '..%3Bjsessionid=1',
    '%2e%2e;/x',
  ],
  ...[
    '..%20',
    '.%20',
    '..%2520',
    '..%c2%a0',
    '%u002e%u002e',
    '%u002E',
    '%25u002e',
    '%c0%ae%c0%ae',
    '%c0%2e',
    '%e0%80%ae',
  ],
  ...['%f0%80%80%ae', '%fc%80%80%80%80%ae', '%ef%bc%8e%ef%bc%8e', '%e2%80%a5', '%25ef%25bc%258e.', '%25c0%25ae'],
];

/** Every one of these is a separator, and so makes an empty or a dot segment. */
const SEPARATORS = [
  '/',
  '\\',
  '%2f',
  '%2F',
  '%252f',
  '%25252F',
  '%5c',
  '%5C',
  '%255c',
  '%u2215',
  '%c0%af',
  '%ef%bc%bc',
];

describe('a path that could leave the endpoint', () => {
  it.each(
    DOTS.flatMap(dots => [dots, `/${dots}`, `${dots}/x`, `a/${dots}`, `a/${dots}/b`, `/mcp/${dots}`, `/mcp/${dots}/x`]),
  )('refuses %s', path => {
    expect(verdict({ path })).toBe('path_escape');
    expect(verdict({ path }, { policy: { pathScope: 'origin' } })).toBe('path_escape');
    expect(verdict({ path: `${path}?q=${SECRET}` })).toBe('path_escape');
  });

  it.each(
    SEPARATORS.flatMap(separator => [
      `a${separator}${separator}b`,
      `a/${separator}b`,
      `${separator}${separator}evil.example/x`,
      `a${separator}..${separator}b`,
      `a/..${separator}..`,
    ]),
  )('refuses %s', path => {
    expect(verdict({ path })).toBe('path_escape');
  });

  it.each([
    // Nothing at all, or the endpoint itself.
    ...['', '/', '?', '?x=1', '/?x', 'mcp', '/mcp', '/mcp/', 'mcp/', '/mcp?x=1', '/mcp/?x', '%2f', '%2F'],
    // Empty segments.
    ...[
      '//',
      '//x',
      '/uploads//1',
      'uploads//',
      '///',
      '//evil.example/x',
      'a/%2fb',
      '%2fuploads',
      'uploads/%2f',
      ';/x',
      'a/;v=1/b',
      'a/%3bv',
      'a/;',
    ],
    // Backslashes, raw and encoded.
    ...['a\\b', '\\a', '\\\\evil.example\\x', 'a%5cb', 'a%255cb', 'a%25255cb', 'x?q=\\'],
    // Controls, raw and encoded.
    ...[
      'a\0',
      'a\r\nb',
      'a\tb',
      'a\x7f',
      'a%00',
      'a%0d%0aX:%20y',
      'a%09',
      'a%7f',
      'a%2500',
      'a%250a',
      'a%25250d',
      'x?\n',
    ],
    // Schemes, also those that a decoder would find.
    ...['https://evil.example/x', 'http:x', 'https:/x', 'javascript:x', 'file:///etc/passwd', 'a:b', 'HTTPS://x/y'],
    ...[
      'https%3a//evil.example/x',
      '%68ttps://evil.example/x',
      'https%3A%2F%2Fevil.example',
      'https%253a%252f%252fevil',
    ],
    // Fragments.
    ...['a#b', '#', 'a?b#c', 'uploads/1#'],
    // More layers than are followed.
    ...['a%2525252e', '%2525252e%2525252e/x', 'a%252525252fb', '%25252525252e'],
    // No UTF-8.
    ...['a%ff', 'a%c3', 'a%e9', 'a%ed%a0%80', 'a%25ff'],
  ])('refuses %j', path => {
    expect(verdict({ path })).toBe('path_escape');
  });

  it.each(['a b', 'a\u00e9', 'uploads/\u2025/x', '\uff0e\uff0e/x', 'x?q=\u{1f600}', ' ', 'a\u00a0b'])(
    'refuses %j, which no request line can carry',
    path => {
      expect(verdict({ path })).toBe('url_malformed');
    },
  );
});

describe('a path without a server', () => {
  it.each([undefined, 'no url', '/mcp', 'stdio:server', 'ws://mcp.example.com/mcp'])('serverUrl %s', serverUrl => {
    expect(verdict({ path: 'uploads/1' }, { serverUrl } as object)).toBe('no_server_url');
  });
});

describe('through fetch, which rewrites', () => {
  it.each(["a'b", 'a"b', 'a<b', "a?x=y'z", 'a?"', 'a{b', 'a?'])('refuses %s', path => {
    const expected = path === "a'b" ? 'ok' : 'url_not_verbatim';
    expect(verdict({ path }, { engineKind: 'fetch' })).toBe(expected);
    expect(verdict({ path })).toBe('ok');
  });
});

describe('the MCP endpoint by another name', () => {
  it.each([
    ...['https://mcp.example.com/mcp', 'https://mcp.example.com/mcp/', 'https://mcp.example.com:443/mcp'],
    ...['https://MCP.example.com/mcp', 'https://mcp.example.com./mcp', 'https://mcp.example.com/mcp?x=1'],
    ...['https://mcp.example.com/MCP', 'https://mcp.example.com//mcp', 'https://mcp.example.com/mcp//'],
    ...['https://mcp.example.com/./mcp', 'https://mcp.example.com/x/../mcp', 'https://mcp.example.com/%6dcp'],
    ...['https://mcp.example.com/%6Dc%70', 'https://mcp.example.com/%256dcp', 'https://mcp.example.com/mcp/.'],
    ...['https://mcp.example.com/mcp/x/..', 'https://mcp.example.com/mcp;v=1', 'https://mcp.example.com/mcp%2f'],
    ...['https://mcp.example.com/x%2f..%2fmcp', 'https://mcp.example.com/mcp%3fx', 'https://mcp.example.com/mcp%23x'],
    ...['https://mcp.example.com/mcp%20', 'https://mcp.example.com/..;/mcp', 'https://mcp.example.com/%5cmcp'],
    ...['https://mcp.example.com/mcp?', 'https://mcp.example.com/../../mcp', 'https://mcp.example.com/;x/mcp'],
  ])('refuses %s', url => {
    expect(verdict({ url })).toBe('path_escape');
    expect(verdict({ url, method: 'POST' })).toBe('path_escape');
    expect(
      verdict({ url }, { serverUrl: 'https://gateway.example.com/g', canonicalUrl: 'https://mcp.example.com/mcp' }),
    ).toBe('path_escape');
  });

  it.each(['/mcpx', '/mcp/x', '/x/mcp', '/', '/mc', '/mcp-uploads/1', '/m/cp', '/mcp%2fx'])(
    'takes %s beside it',
    path => {
      expect(verdict({ url: `https://mcp.example.com${path}` })).toBe('ok');
      expect(verdict({ url: 'https://mcp.example.com:8443/mcp' })).toBe('ok');
      expect(verdict({ url: 'https://other.example.com/mcp' })).toBe('ok');
    },
  );

  it('knows an endpoint at the root', () => {
    const root = { serverUrl: 'https://mcp.example.com' };
    expect(verdict({ url: 'https://mcp.example.com' }, root)).toBe('path_escape');
    expect(verdict({ url: 'https://mcp.example.com/?x' }, root)).toBe('path_escape');
    expect(verdict({ url: 'https://mcp.example.com//' }, root)).toBe('path_escape');
    expect(verdict({ url: 'https://mcp.example.com/u' }, root)).toBe('ok');
  });

  it('knows loopback by all its names', () => {
    const local = { serverUrl: 'http://localhost:3000/mcp' };
    for (const host of ['localhost', '127.0.0.1', '127.1', '[::1]', 'LOCALHOST', 'localhost.', 'a.localhost']) {
      expect(verdict({ url: `http://${host}:3000/mcp` }, local)).toBe('path_escape');
      expect(verdict({ url: `http://${host}:3001/mcp` }, local)).toBe('ok');
      expect(verdict({ url: `http://${host}:3000/upload` }, local)).toBe('ok');
    }
  });
});
