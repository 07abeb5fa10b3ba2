import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redact, redactText, safeCause, shownName, shownPath } from '../../src/errors/index.js';
import { FilesError, OutcomeUnknownError, TransferError } from '../../src/index.js';

describe('redactText', () => {
  it.each([
    ['sent to https://u:p@h.example/a/b?sig=1#x, then', 'sent to https://h.example/a/b?… then'],
    ['at https://h.example:8443/p#fragment', 'at https://h.example:8443/p?…'],
    ['of "ftp://me@h.example/" and http://i.example/it\'s"x?y', 'of "ftp://h.example/" and http://i.example/it\'s"x?…'],
    ['from wss://h.example/socket', 'from wss://h.example/socket'],
    ['/upload?sig=abc&expires=7', '/upload?sig=…&expires=…'],
    ['a data:text/plain;base64,aGVsbG8= here', 'a data:… here'],
    ['Authorization: Bearer abcdefgh.ijkL9', 'Authorization: Bearer …'],
    ['Basic dXNlcjpwYXNz', 'Basic …'],
    ['with eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln in it', 'with … in it'],
    ['one\r\n2026-01-01 ERROR forged', 'one\uFFFD2026-01-01 ERROR forged'],
    ['tab\tescape\u001b[31m bell\u0007', 'tab\uFFFDescape\uFFFD[31m bell\uFFFD'],
    ['line\u2028paragraph\u2029override\u202e', 'line\uFFFDparagraph\uFFFDoverride\uFFFD'],
  ])('%j', (text, shown) => {
    expect(redactText(text)).toBe(shown);
  });

  it.each([
    'Sending "Résumé 文書 👩‍💻 (final).pdf" (1024 bytes) failed: the storage refused it (status 403 AccessDenied).',
    'The file at "/assets/0" is text/plain; charset=utf-8; the tool accepts image/*, .pdf.',
    'Basic plan.pdf',
    'what? why & how = this.txt',
  ])('leaves %j alone', text => {
    expect(redactText(text)).toBe(text);
  });

  it('cuts what is too long, in time that grows with the length alone', () => {
    expect(redactText('a'.repeat(10_000))).toHaveLength(2001);
    const awkward = ['a', 'a.', '?a=', 'eyJ', 'eyJaaaaaaaa.', 'data:', 'http://', '@', 'Bearer '];
    for (const piece of awkward) expect(redactText(piece.repeat(1_000_000)).length).toBeLessThanOrEqual(2001);
  });

  it('gives one line, and is done after one time', () => {
    const url = fc.webUrl({ withQueryParameters: true, withFragments: true });
    const text = fc.array(fc.oneof(fc.string({ unit: 'binary' }), url), { maxLength: 5 }).map(parts => parts.join(' '));
    fc.assert(
      fc.property(text, given => {
        const once = redactText(given);
        expect(once).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
        expect(redactText(once)).toBe(once);
      }),
    );
  });

  it('leaves no query, fragment or user of any URL', () => {
    const secret = fc.stringMatching(/^[a-z0-9]{12}$/);
    fc.assert(
      fc.property(fc.webUrl(), secret, secret, secret, (url, user, query, fragment) => {
        const { protocol, host, pathname } = new URL(url);
        const shown = redactText(`at ${protocol}//${user}@${host}${pathname}?${query}#${fragment}`);
        expect([user, query, fragment].filter(part => shown.includes(part))).toEqual([]);
      }),
    );
  });
});

describe('redact', () => {
  it('copies plain data, and shows of the rest what it is', () => {
    const original = {
      size: 7,
      found: 8n,
      ok: true,
      none: null,
      list: ['https://h/x?y', { deep: 'a\nb' }],
      'key\nof a server': 1,
      bytes: Buffer.from('secret'),
      error: Object.assign(new Error('secret'), { code: 'E_CODE' }),
      run: () => 'secret',
    };
    const shown = redact(original) as typeof original;
    expect(shown).toEqual({
      size: 7,
      found: '8',
      ok: true,
      none: null,
      list: ['https://h/x?…', { deep: 'a\uFFFDb' }],
      'key\uFFFDof a server': 1,
      bytes: '[6 bytes]',
      error: expect.objectContaining({ code: 'E_CODE' }),
      run: undefined,
    });
    expect(inspect(shown, { depth: 9 })).not.toContain('secret');
    expect(original.list[0]).toBe('https://h/x?y');
  });

  it('ends with what is deep, long, or contains itself', () => {
    const circle: Record<string, unknown> = { list: Array.from({ length: 1000 }, (_, at) => at) };
    circle.self = circle;
    const shown = redact(circle);
    expect(shown.list).toHaveLength(256);
    expect(JSON.stringify(shown)).toContain('[…]');
  });

  it('takes no key for a setter', () => {
    const shown = redact(JSON.parse('{"__proto__": {"polluted": 1}}'));
    expect(Object.keys(shown)).toEqual(['__proto__']);
    expect(shown.polluted).toBeUndefined();
  });
});

describe('safeCause', () => {
  it.each([
    [Object.assign(new TypeError('secret'), { code: 'ECONNRESET' }), 'TypeError', 'ECONNRESET'],
    [new RangeError('secret'), 'RangeError', undefined],
    [{ name: 'two words', code: 7 }, 'Error', undefined],
    [{ name: 'q3x9k2m8z7v1b4n6a5s0', code: 'q3x9k2m8z7v1b4n6a5s0' }, 'Error', undefined],
    ['secret', 'Error', undefined],
    [undefined, 'Error', undefined],
  ])('%o', (error, name, code) => {
    const safe = safeCause(error) as Error & { code?: string };
    expect([safe.name, safe.code, safe.message]).toEqual([name, code, code ?? name]);
    expect(inspect(safe, { showHidden: true })).not.toMatch(/secret|q3x9|two words/);
    expect(safeCause(safe)).toEqual(safe);
  });
});

describe('shownName', () => {
  it.each([
    ['/attachments/0/confidential_document_file', '/attachments/0/confidential_document_file'],
    ['x-goog-content-length-range', 'x-goog-content-length-range'],
    ['X-Amz-Content-Sha256', 'X-Amz-Content-Sha256'],
    ['elicitation/create', 'elicitation/create'],
    ['mcp__server__upload_report_v2_2024_01', 'mcp__server__upload_report_v2_2024_01'],
    ['https://u:pw@h.example/x?sig=1', 'https…'],
    ['deck?sig=1', 'deck…'],
    ['deck\nforged', 'deck…'],
    ['q3x9k2m8z7v1b4n6a5s0', '…'],
    ['sec-q3x9k2m8z7-v1b4n6a5s0q3x9k2m8', '…'],
    ['0123456789abcdef0123456789abcdef', '…'],
    ['x'.repeat(40), '…'],
    [`${'long name '.repeat(20)}`, `${'long name '.repeat(10)}…`],
  ])('%j', (name, shown) => {
    expect(shownName(name)).toBe(shown);
  });
});

describe('shownPath', () => {
  it.each([
    ['/bucket/2024-01-15_report-final-v2.pdf?sig=x', '/bucket/2024-01-15_report-final-v2.pdf'],
    ['/mcp/uploads/7/deck.pdf#x', '/mcp/uploads/7/deck.pdf'],
    // Oracle's pre-authenticated requests and Slack's upload URLs have their token in the path.
    ['/p/Yd7x8K-_abc123DEF456ghi789/n/ns/b/bucket/o/deck.pdf', '/p/…/n/ns/b/bucket/o/deck.pdf'],
    ['/upload/v1/CwABAAAAbQoAAQ1234abcd', '/upload/v1/…'],
  ])('%j', (path, shown) => {
    expect(shownPath(path)).toBe(shown);
  });
});

describe('an error of this library', () => {
  const foreign = Object.assign(new Error('secret'), { code: 'ECONNRESET', headers: { authorization: 'secret' } });

  it('shows no more of what is behind it than class and code, whoever made it', () => {
    const errors = [
      new FilesError('file_unreadable', 'x', { cause: foreign, details: { url: 'https://h/?secret', foreign } }),
      new OutcomeUnknownError('at https://h/?secret', 'response_lost', { cause: foreign }),
      new TransferError('transfer_failed', 'x', [{ pointer: '/a', serviceCode: 'my secret', reason: 'r' }], {
        cause: foreign,
      }),
    ];
    for (const error of errors) {
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('secret');
      expect(error.cause).toMatchObject({ name: 'Error', code: 'ECONNRESET' });
    }
  });

  it('shows no more of one of its own kind either, but keeps the reason of a signal as it is', () => {
    const inner = new FilesError('aborted', 'x', { cause: foreign });
    const { cause } = new FilesError('transfer_failed', 'y', { cause: inner });
    expect(cause).toMatchObject({ name: 'FilesError', code: 'aborted' });
    expect(cause).not.toHaveProperty('cause');
    expect(new FilesError('aborted', 'y', { cause: foreign }).cause).toBe(foreign);
  });
});
