import fc from 'fast-check';
import FormData from 'form-data';
import { describe, expect, it } from 'vitest';
import { isFilesError } from '../../src/errors/index.js';
import { mergeCredentialHeaders, wireHeaders } from '../../src/transfer/header-rules.js';
import type { HeaderEntry } from '../../src/transfer/target.js';
import { checked, SECRET, verdict } from './target-policy-support.js';

const headerVerdict = (...headers: HeaderEntry[]) => verdict({ headers });

describe('headers of a target that reach the wire as given', () => {
  it.each<HeaderEntry>([
    ['Content-Type', 'application/pdf'],
    ['x-ms-blob-type', 'BlockBlob'],
    ['Content-Range', 'bytes 0-9/10'],
    ['Authorization', 'Bearer of-the-target'],
    ['x-goog-content-length-range', '0,1000'],
    ['Cache-Control', 'public, max-age=31536000'],
    ['x-amz-meta-author', 'Zo\u00eb'],
    ['x-amz-acl', ''],
    ['Content-Disposition', 'attachment; filename="a b.pdf"'],
    ['If-None-Match', '*'],
    ['User-Agent', 'x'],
    ['Date', 'Tue, 01 Jan 2030 00:00:00 GMT'],
    ['Content-MD5', '1B2M2Y8AsgTpgAmY7PhCfg=='],
    ['X-Amz-Security-Token', 'FwoGZXIvYXdzE'],
    ['X-Metadata-Note', 'only names that begin with it are meant'],
    ['Second', 'not Sec-'],
    ['Proxying', 'not Proxy-'],
    ['Tea', 'not TE'],
    ["!#$%&'*+.^_`|~0-9Az", 'every character of a token'],
    ['x-tab', 'a\tb'],
  ])('%s: %s', (name, value) => {
    expect(checked({ headers: [[name, value]] }).headers).toEqual([[name, value]]);
  });

  it('in their order and spelling', () => {
    const headers: HeaderEntry[] = [
      ['X-b', '1'],
      ['x-A', '2'],
      ['content-TYPE', 'text/plain'],
    ];
    expect(checked({ headers }).headers).toEqual(headers);
  });
});

describe('headers that no target may set', () => {
  it.each([
    ...['Transfer-Encoding', 'transfer-encoding', 'TRANSFER-ENCODING', 'Transfer_Encoding', 'Connection', 'Keep-Alive'],
    ...['Upgrade', 'TE', 'te', 'Trailer', 'Expect', 'Proxy-Authorization', 'Proxy-Connection', 'proxy-anything'],
    ...['Cookie', 'cookie', 'Cookie2', 'Origin', 'Referer', 'Sec-Fetch-Site', 'sec-websocket-key', 'Sec-'],
    ...['Mcp-Session-Id', 'MCP-Protocol-Version', 'mcp-', 'X-HTTP-Method', 'X-HTTP-Method-Override'],
    ...['x-http-methodology', 'X-Method-Override', 'X_Method_Override', 'Forwarded', 'X-Forwarded-For'],
    ...['X-Forwarded-Host', 'x_forwarded_for', 'X-Real-IP', 'X_Real_IP', 'Metadata', 'Metadata-Flavor', 'metadata-x'],
    ...['X-aws-ec2-metadata-token', 'X-aws-ec2-metadata-token-ttl-seconds', 'X-Google-Metadata-Request'],
    ...['X-Original-URL', 'X-Rewrite-URL'],
  ])('%s', name => {
    expect(headerVerdict([name, SECRET])).toBe('header_forbidden');
    expect(headerVerdict(['x-first', '1'], [name, ''])).toBe('header_forbidden');
    expect(verdict({ headers: [[name, SECRET]], method: 'POST', form: { fields: [], fileField: 'file' } })).toBe(
      'header_forbidden',
    );
  });
});

describe('malformed headers', () => {
  it.each<[what: string, name: string, value: string]>([
    ['a name with a space', 'X Y', 'v'],
    ['an empty name', '', 'v'],
    ['a name with a colon', 'X-Y:', 'v'],
    ['a name with CR LF', 'X-Y\r\nEvil', 'v'],
    ['a name with NUL', 'X-Y\0', 'v'],
    ['a name with a tab', 'X\tY', 'v'],
    ['a name with a slash', 'X/Y', 'v'],
    ['a name with quotes', '"X"', 'v'],
    ['a name with non-ASCII', 'X-\u00c4', 'v'],
    ['a name with a trailing space', 'X-Y ', 'v'],
    ['a name that is a whole header', `Authorization: Bearer ${SECRET}`, 'v'],
    ['CR LF in a value', 'X-Y', `a\r\nEvil: ${SECRET}`],
    ['CR in a value', 'X-Y', `${SECRET}\rb`],
    ['LF in a value', 'X-Y', `${SECRET}\nb`],
    ['NUL in a value', 'X-Y', `${SECRET}\0`],
    ['a control in a value', 'X-Y', `${SECRET}\x01`],
    ['DEL in a value', 'X-Y', `${SECRET}\x7f`],
    ['a value beyond Latin-1', 'X-Y', `${SECRET}\u{1f600}`],
    ['an LF that only looks like another character', 'X-Y', `${SECRET}\u010a`],
    ['a line separator', 'X-Y', `${SECRET}\u2028`],
  ])('%s', (_what, name, value) => {
    expect(headerVerdict([name, value])).toBe('header_forbidden');
  });
});

describe('too much of it', () => {
  const many = (count: number): HeaderEntry[] => Array.from({ length: count }, (_, index) => [`x-${index}`, 'v']);
  const ofSize = (bytes: number): HeaderEntry => ['x-big', 'v'.repeat(bytes - 'x-big'.length - 4)];

  it('refuses a header twice, whatever its case', () => {
    expect(headerVerdict(['X-A', '1'], ['x-a', '1'])).toBe('header_forbidden');
    expect(headerVerdict(['Content-Type', 'a/b'], ['x', ''], ['content-type', 'a/b'])).toBe('header_forbidden');
    expect(headerVerdict(['x-a-b', '1'], ['x-a_b', '1'])).toBe('ok');
  });

  it('takes 64 headers and not 65', () => {
    expect(headerVerdict(...many(64))).toBe('ok');
    expect(headerVerdict(...many(65))).toBe('header_forbidden');
  });

  it('takes 16 KiB and not a byte more', () => {
    expect(headerVerdict(ofSize(16 * 1024))).toBe('ok');
    expect(headerVerdict(ofSize(16 * 1024 + 1))).toBe('header_forbidden');
    expect(headerVerdict(ofSize(100 * 1024))).toBe('header_forbidden');
    expect(headerVerdict(ofSize(16 * 1024 - 6), ['y', 'v'])).toBe('ok');
    expect(headerVerdict(ofSize(16 * 1024 - 5), ['y', 'v'])).toBe('header_forbidden');
  });
});

describe('Host', () => {
  it.each<[url: string, host: string, reason: string]>([
    ['https://store.example.net/k', 'store.example.net', 'ok'],
    ['https://store.example.net/k', 'Store.EXAMPLE.net', 'ok'],
    ['https://store.example.net/k', ' store.example.net ', 'ok'],
    ['https://store.example.net/k', 'store.example.net:443', 'ok'],
    ['https://store.example.net:443/k', 'store.example.net', 'ok'],
    ['https://store.example.net:8443/k', 'store.example.net:8443', 'ok'],
    ['https://8.8.8.8/k', '8.8.8.8', 'ok'],
    ['https://[2606:4700::1111]/k', '[2606:4700::1111]', 'ok'],
    ['https://store.example.net/k', 'other.example.net', 'header_forbidden'],
    ['https://store.example.net/k', 'store.example.net:80', 'header_forbidden'],
    ['https://store.example.net/k', 'store.example.net.', 'header_forbidden'],
    ['https://store.example.net:8443/k', 'store.example.net', 'header_forbidden'],
    ['https://store.example.net/k', 'user@store.example.net', 'header_forbidden'],
    ['https://store.example.net/k', 'store.example.net/', 'header_forbidden'],
    ['https://store.example.net/k', 'store.example.net?', 'header_forbidden'],
    ['https://store.example.net/k', 'store.example.net, evil.example', 'header_forbidden'],
    ['https://store.example.net/k', '', 'header_forbidden'],
    ['https://store.example.net/k', ':443', 'header_forbidden'],
  ])('%s with %j: %s', (url, host, reason) => {
    expect(verdict({ url, headers: [['Host', host]] })).toBe(reason);
  });

  it('is dropped when equal', () => {
    expect(
      checked({
        headers: [
          ['host', 'store.example.net'],
          ['x', 'y'],
        ],
      }).headers,
    ).toEqual([['x', 'y']]);
  });
});

describe('Content-Length', () => {
  const wire = (value: string, bodyLength: number) =>
    wireHeaders(
      checked({
        headers: [
          ['x-a', '1'],
          ['Content-Length', value],
        ],
      }),
      { bodyLength, credentialHeaders: [] },
    );

  it('is dropped when it is what will be sent', () => {
    expect(wire('42', 42)).toEqual([['x-a', '1']]);
    expect(wire(' 0 ', 0)).toEqual([['x-a', '1']]);
  });

  it.each(['41', '042', '+42', '42, 42', '42.0', '0x2a', '', '4 2'])('%j is refused for a body of 42', value => {
    try {
      wire(value, 42);
      expect.unreachable();
    } catch (error) {
      if (!isFilesError(error)) throw error;
      expect(error.details).toEqual({ reason: 'header_forbidden', header: 'Content-Length' });
    }
  });

  it('is compared under the name that gateways read as the same', () => {
    const target = checked({ headers: [['content_length', '1']] });
    expect(() => wireHeaders(target, { bodyLength: 2, credentialHeaders: [] })).toThrow('Content-Length');
  });
});

describe('Content-Type on a form', () => {
  const form = { fields: [], fileField: 'file' };

  it('is dropped, since it has no boundary', () => {
    const headers: HeaderEntry[] = [
      ['Content-Type', 'multipart/form-data'],
      ['x', 'y'],
    ];
    expect(checked({ method: 'POST', form, headers }).headers).toEqual([['x', 'y']]);
    expect(checked({ method: 'POST', headers }).headers).toEqual(headers);
  });
});

describe('the credential', () => {
  const include = (headers: HeaderEntry[] = []) => checked({ path: 'uploads/1', credentials: 'include', headers });
  const reasonOf = (task: () => unknown): unknown => {
    try {
      task();
      return 'ok';
    } catch (error) {
      if (!isFilesError(error)) throw error;
      expect(JSON.stringify([error.message, error.details])).not.toContain(SECRET);
      return error.details?.reason;
    }
  };

  it('stands behind the headers of the target', () => {
    const target = include([['x-a', '1']]);
    const credentialHeaders = mergeCredentialHeaders(target, { Authorization: 'Bearer t', Cookie: 'sso=1' });
    expect(wireHeaders(target, { bodyLength: 3, credentialHeaders })).toEqual([
      ['x-a', '1'],
      ['Authorization', 'Bearer t'],
      ['Cookie', 'sso=1'],
    ]);
  });

  it.each<[what: string, target: HeaderEntry[], credential: Record<string, unknown>, reason: string]>([
    ['both name one', [['authorization', 'x']], { Authorization: SECRET }, 'header_forbidden'],
    ['itself twice', [], { Authorization: SECRET, authorization: SECRET }, 'header_forbidden'],
    ['a malformed name', [], { 'X Y': SECRET }, 'header_forbidden'],
    ['a malformed value', [], { Authorization: `${SECRET}\r\nEvil: 1` }, 'header_forbidden'],
    ['no string', [], { Authorization: 5 }, 'header_forbidden'],
    ['undefined', [], { Authorization: undefined }, 'header_forbidden'],
    ['too long', [], { Authorization: SECRET.repeat(4000) }, 'header_forbidden'],
    ['too long together', [['x', 'v'.repeat(9000)]], { Authorization: 'v'.repeat(9000) }, 'header_forbidden'],
    ['Host', [], { Host: 'evil.example' }, 'header_forbidden'],
    ['Content-Length', [], { 'content-length': '1' }, 'header_forbidden'],
    ['Content-Type', [], { 'Content-Type': 'a/b' }, 'header_forbidden'],
    ['Transfer-Encoding', [], { 'Transfer-Encoding': 'chunked' }, 'header_forbidden'],
    ['Expect', [], { Expect: '100-continue' }, 'header_forbidden'],
    ['nothing', [['x', 'y']], {}, 'ok'],
    ['a key of its own', [['x', 'y']], { 'X-Api-Key': 'k' }, 'ok'],
  ])('%s', (_what, headers, credential, reason) => {
    expect(reasonOf(() => mergeCredentialHeaders(include(headers), credential as Record<string, string>))).toBe(reason);
  });

  it('never goes with "omit"', () => {
    const target = checked({ path: 'uploads/1' });
    expect(reasonOf(() => mergeCredentialHeaders(target, { Authorization: SECRET }))).toBe('credentials_scope');
    expect(mergeCredentialHeaders(target, {})).toEqual([]);
  });
});

describe('form fields', () => {
  const formVerdict = (fields: HeaderEntry[], fileField = 'file') =>
    verdict({ method: 'POST', form: { fields, fileField } });

  it.each(['key', 'policy', 'x-amz-signature', '$Content-Type', 'a"b', 'meta[a][b]', 'Z\u00fcrich', '\u{1f600}', ' '])(
    'takes the name %j',
    name => {
      expect(formVerdict([[name, 'v']])).toBe('ok');
      expect(formVerdict([], name)).toBe('ok');
    },
  );

  it.each(['', '\r', '\n', 'a\r\nContent-Type: text/html', 'a\0', 'a\tb', 'a\x7f', 'a\\', 'a\\"; filename="x'])(
    'refuses the name %j',
    name => {
      expect(formVerdict([[name, SECRET]])).toBe('header_forbidden');
      expect(formVerdict([], name)).toBe('header_forbidden');
    },
  );

  it('takes any text as a value, a name more than once, and the order given', () => {
    const fields: HeaderEntry[] = [
      ['tag', 'a'],
      ['tag', 'b'],
      ['v', '\r\n------boundary--\r\nContent-Disposition: form-data; name="evil"\r\n\r\n\0\u{1f600}'],
      ['empty', ''],
    ];
    expect(checked({ method: 'POST', form: { fields, fileField: 'f' } }).form).toEqual({ fields, fileField: 'f' });
  });

  it('lets through no name that leaves its quotes once form-data has written it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), name => {
        fc.pre(formVerdict([], name) === 'ok');
        const form = new FormData();
        form.append(name, '', { filename: 'f' });
        const written = form.getBuffer().toString();
        const [, inQuotes] = /name="([^"\r\n]*)"; filename="f"\r\n/.exec(written) ?? [];
        expect(inQuotes?.replaceAll('%22', '"')).toBe(Buffer.from(name).toString().replaceAll('%22', '"'));
        expect(written.match(/Content-Disposition/g)).toHaveLength(
          1 + (name.match(/Content-Disposition/g) ?? []).length,
        );
      }),
    );
  });

  it('bounds their number and size', () => {
    const many = (count: number): HeaderEntry[] => Array.from({ length: count }, () => ['tag', 'v']);
    expect(formVerdict(many(256))).toBe('ok');
    expect(formVerdict(many(257))).toBe('header_forbidden');
    expect(formVerdict([['policy', SECRET.repeat(45_000)]])).toBe('header_forbidden');
    expect(formVerdict([['policy', 'x'.repeat(100_000)]])).toBe('ok');
  });
});
