import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { readAnnotations } from '../../src/resources/annotations.js';
import { decodeBase64, decodedLength } from '../../src/resources/base64.js';
import { maskEchoes } from '../../src/resources/echoes.js';
import { isTextType } from '../../src/resources/text-type.js';

describe('base64', () => {
  it('gives back every bytes there are, standard or not', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
        const buffer = Buffer.from(bytes);
        const standard = buffer.toString('base64');
        expect(decodeBase64(standard)).toEqual({ bytes, irregular: false });
        expect(decodedLength(standard)).toBe(bytes.length);
        expect(decodeBase64(buffer.toString('base64url'))?.bytes).toEqual(bytes);
        expect(decodeBase64(standard.replace(/=/g, ''))?.bytes).toEqual(bytes);
        expect(decodeBase64(standard.replace(/.{1,10}/g, '$&\r\n'))?.bytes).toEqual(bytes);
      }),
    );
  });

  it.each(['!', 'YQ=', 'Y', 'YQ==YQ==', '=', 'Y=Q=', 'YWJj=', 'YQ\u00a0==', 'Y\u0000Q='])(
    'takes %j for no base64',
    text => {
      expect(decodeBase64(text)).toBeUndefined();
    },
  );

  it('decodes the same without Buffer', () => {
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, i) => i % 256));
    const text = bytes.toString('base64');
    vi.stubGlobal('Buffer', undefined);
    try {
      expect(decodeBase64(text)?.bytes).toEqual(new Uint8Array(bytes));
    } finally {
      vi.unstubAllGlobals();
    }
  });
});

describe('annotations', () => {
  it.each([
    [undefined, undefined, 0],
    [null, undefined, 0],
    ['high', undefined, 1],
    [[], undefined, 1],
    [{}, {}, 0],
    [{ priority: 0 }, { priority: 0 }, 0],
    [{ priority: 1.5 }, {}, 1],
    [{ priority: '1' }, {}, 1],
    [{ priority: null }, {}, 0],
    [{ audience: ['user', 'robot'] }, { audience: ['user'] }, 0],
    [{ audience: ['robot'] }, {}, 1],
    [{ audience: [] }, { audience: [] }, 0],
    [{ audience: 'user' }, {}, 1],
    [{ lastModified: '2025-06-18T10:00:00Z' }, { lastModified: '2025-06-18T10:00:00Z' }, 0],
    [{ lastModified: '2025-06-18T10:00:00.123+02:00' }, { lastModified: '2025-06-18T10:00:00.123+02:00' }, 0],
    [{ lastModified: '2025-06-18' }, { lastModified: '2025-06-18' }, 0],
    [{ lastModified: '2025-13-18T10:00:00Z' }, {}, 1],
    [{ lastModified: 'yesterday' }, {}, 1],
    [{ lastModified: 1_750_000_000 }, {}, 1],
    [{ priority: 2, own: 'kept' }, { own: 'kept' }, 1],
  ])('%j is read as %j', (given, read, notes) => {
    const note = vi.fn();
    expect(readAnnotations(given, note)).toEqual(read);
    expect(note).toHaveBeenCalledTimes(notes);
  });
});

it.each([
  ['text/plain', true],
  ['TEXT/CSV; charset=utf-8', true],
  ['application/json', true],
  ['application/ld+json', true],
  ['image/svg+xml', true],
  ['application/xml;q=1', true],
  ['application/yaml', true],
  ['application/x-ndjson', true],
  ['application/sql', true],
  ['application/javascript', true],
  ['application/octet-stream', false],
  ['application/jsonx', false],
  ['image/png', false],
  ['application/+json', false],
])('the type %s is text: %s', (type, text) => {
  expect(isTextType(type)).toBe(text);
});

describe('echoes', () => {
  it.each([
    ['Quota exceeded', ['the quota of this server is exceeded'], 'Quota exceeded'],
    ['bad token near "my secret prompt text"', ['prefix my secret prompt text suffix'], 'bad token near "…"'],
    ['no such tag: hunter2', ['hunter2'], 'no such tag: …'],
    ['x', ['x'], 'x'],
    ['', ['long enough to be masked'], ''],
  ])('%j after %j is shown as %j', (message, sent, shown) => {
    expect(maskEchoes(sent, [message])(message)).toBe(shown);
  });

  it('shows no run of twelve characters that was sent', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 20, maxLength: 60 }), fc.nat(40), fc.string(), (sent, from, around) => {
        const quoted = sent.slice(from % 8, (from % 8) + 12);
        expect(maskEchoes([sent], [`${around}${quoted}${around}`])(`${around}${quoted}${around}`)).not.toContain(
          quoted,
        );
      }),
    );
  });

  it('is quick with a large content', () => {
    const sent = 'abcdefghijklmnop'.repeat(1_000_000);
    const message = 'near "ijklmnopabcdefgh"';
    expect(maskEchoes([sent], [message])(message)).toBe('near "…"');
  });
});
