import { BlockList, isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFilesError } from '../../src/errors/index.js';
import type { CheckedTarget, TargetContext, TransferTarget } from '../../src/transfer/target.js';
import { checked } from './target-policy-support.js';

/** The checked target, or `undefined` when refused; any other error is a bug. */
function passed(target: Partial<TransferTarget>, context: Partial<TargetContext> = {}): CheckedTarget | undefined {
  try {
    return checked(target, context);
  } catch (error) {
    if (isFilesError(error) && error.code === 'target_refused') return undefined;
    throw error;
  }
}

const hosts = fc.oneof(
  fc.constantFrom(
    's.example',
    'mcp.example.com',
    'localhost',
    '127.0.0.1',
    '8.8.8.8',
    '[::1]',
    '[2606:4700::1]',
    'xn--a',
  ),
  fc.constantFrom(
    '0x7f.1',
    '2130706433',
    '010.8.8.8',
    '[::ffff:8.8.8.8]',
    'b\u00fccher.example',
    '\u2460.1.1.1',
    'a..b',
  ),
  fc.domain(),
  fc.ipV4(),
  fc.ipV4Extended(),
  fc.ipV6().map(address => `[${address}]`),
);
const glue = fc.constantFrom(
  ...[
    '/',
    '//',
    '\\',
    ':',
    '@',
    '?',
    '#',
    '%',
    '.',
    '..',
    ';',
    '&',
    ' ',
    '\t',
    '\n',
    '\0',
    '%2f',
    '%40',
    '%5c',
    '%23',
    '%00',
  ],
  ...['\uff0f', '\u2044', '\ufe5f', '\u3002', '\u200b', '[', ']', '*', '443', ':443', 'user:pw@', 'http:', 'https://'],
);
const messyUrls = fc
  .tuple(
    fc.constantFrom(
      'https://',
      'https://',
      'https://',
      'HTTPS://',
      'https:/',
      'https:',
      'https:///',
      'http://',
      '//',
      '',
    ),
    fc.array(fc.oneof({ weight: 3, arbitrary: hosts }, { weight: 2, arbitrary: glue }, fc.string({ maxLength: 3 })), {
      minLength: 1,
      maxLength: 7,
    }),
  )
  .map(([scheme, parts]) => scheme + parts.join(''));

/** What is no public address by Node's own reckoning, independent of the library under test. */
const notPublic = new BlockList();
for (const [address, bits] of [
  ...([
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
  ] as const),
  ...([
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['224.0.0.0', 3],
  ] as const),
]) {
  notPublic.addSubnet(address, bits, 'ipv4');
}
for (const [address, bits] of [
  ['::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  notPublic.addSubnet(address, bits, 'ipv6');
}

describe('a URL that passes', () => {
  it('names one host to every reader, and goes out as it was', () => {
    let count = 0;
    const context = { policy: { allowPrivateNetwork: true, allowHttp: 'loopback' as const } };
    fc.assert(
      fc.property(messyUrls, url => {
        const target = passed({ url }, context);
        if (target === undefined) return;
        count++;
        const sent = new URL(target.origin);
        // WHATWG, of what was given and of what is sent.
        expect(new URL(url).host).toBe(sent.host);
        expect(new URL(target.origin + target.requestPath).host).toBe(sent.host);
        // RFC 3986, appendix B.
        const [, , authority, rest] = /^([^:/?#]+):\/\/([^/?#]*)([^#]*)$/.exec(url) ?? [];
        expect(authority).toBeDefined();
        expect(new URL(`${sent.protocol}//${authority}`).host).toBe(sent.host);
        expect(authority).not.toMatch(/[@%\\]/);
        const text = authority!.toLowerCase().replace(/:\d*$/, '');
        if (!/^[\d.]+$/.test(sent.hostname) && !text.startsWith('[')) expect(text).toBe(sent.hostname);
        expect([rest, `/${rest}`]).toContain(target.requestPath);
        expect(target.requestPath).toMatch(/^\/[\x21-\x7e]*$/);
      }),
      { numRuns: 3000 },
    );
    expect(count).toBeGreaterThan(100);
  });

  it('names no address that is not public', () => {
    const literals = fc.oneof(
      fc.ipV4(),
      fc.ipV4Extended(),
      fc.nat(0xffffffff).map(String),
      fc.nat(0xffffffff).map(number => `0x${number.toString(16)}`),
      fc.nat(0xffffffff).map(number => `0${number.toString(8)}`),
      fc.ipV6().map(address => `[${address}]`),
      fc.ipV4().map(address => `[::ffff:${address}]`),
      fc
        .tuple(fc.constantFrom('10', '127', '169.254', '192.168', '100.64'), fc.nat(0xffff))
        .map(parts => parts.join('.')),
    );
    fc.assert(
      fc.property(literals, fc.boolean(), (literal, proxied) => {
        const target = passed({ url: `https://${literal}/k` }, { proxied });
        if (target === undefined) return;
        const kind = isIP(target.hostname);
        expect(kind).not.toBe(0);
        expect(notPublic.check(target.hostname, kind === 4 ? 'ipv4' : 'ipv6')).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  it('gets through fetch unchanged', () => {
    fc.assert(
      fc.property(fc.webUrl({ validSchemes: ['https'], withQueryParameters: true, withFragments: false }), url => {
        const target = passed({ url }, { engineKind: 'fetch' });
        if (target === undefined) return;
        const { pathname, search } = new URL(target.origin + target.requestPath);
        expect(pathname + search).toBe(target.requestPath);
      }),
    );
  });
});

/** Percent-encodes some characters of a text, some of them several times over. */
function encodings(text: string): fc.Arbitrary<string> {
  const levels = [...text].map(character =>
    fc.nat(5).map(depth => {
      let encoded = character;
      for (let level = 0; level < depth; level++) {
        encoded = level === 0 ? percent(encoded) : encoded.replaceAll('%', '%25');
      }
      return encoded;
    }),
  );
  return fc.tuple(...levels).map(parts => parts.join(''));
}

function percent(text: string): string {
  return [...new TextEncoder().encode(text)].map(byte => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

const pieces = fc.oneof(
  fc.constantFrom('uploads', 'a', 'mcp', '1', 'x.y', '').chain(encodings),
  fc
    .constantFrom('..', '.', '/', '//', '\\', '../', '/..', ';', '..;', '?', '#', ':', '\0', '%', '\uff0e', '%u002e')
    .chain(encodings),
  fc.constant('/'),
);
const messyPaths = fc.array(pieces, { maxLength: 8 }).map(parts => parts.join(''));

/** What servers and gateways do to a path before they route by it, over and over. */
function* readings(requestPath: string): Generator<string> {
  let text = requestPath.replace(/\?.*$/s, '');
  for (let level = 0; level < 7; level++) {
    yield text;
    yield text.replaceAll('\\', '/');
    yield text.normalize('NFKC');
    yield text.replace(/;[^/]*/g, '');
    text = text.replace(/(?:%[\da-f]{2})+/gi, run => {
      try {
        return decodeURIComponent(run);
      } catch {
        return Buffer.from(run.replaceAll('%', ''), 'hex').toString('latin1');
      }
    });
  }
}

describe('a path that passes', () => {
  it.each(['/mcp', '/', '/a/b/'])('stays under the endpoint %s however often a server decodes it', endpoint => {
    let count = 0;
    const prefix = endpoint.replace(/\/$/, '');
    fc.assert(
      fc.property(messyPaths, path => {
        const target = passed({ path }, { serverUrl: `https://mcp.example.com${endpoint}` });
        if (target === undefined) return;
        count++;
        const wireText = target.requestPath.slice(target.requestPath.length - path.replace(/^\//, '').length);
        expect(wireText).toBe(path.replace(/^\//, ''));
        for (const reading of readings(target.requestPath)) {
          const url = new URL(`https://mcp.example.com${reading}`);
          expect(url.host).toBe('mcp.example.com');
          expect(url.pathname.startsWith(`${prefix}/`), reading).toBe(true);
          expect(url.pathname, reading).not.toBe(`${prefix}/`);
          expect(reading.slice(1), reading).not.toMatch(/\/\/|\\|\0/);
        }
      }),
      { numRuns: 3000 },
    );
    expect(count).toBeGreaterThan(50);
  });

  it('survives any text at all without another error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, include) => {
        const credentials = include ? 'include' : 'omit';
        passed({ path: text, credentials });
        passed({ url: text, credentials });
        passed({ url: `https://mcp.example.com/${text}`, credentials });
        passed({ headers: [[text, text]], credentials });
      }),
      { numRuns: 1000 },
    );
  });
});
