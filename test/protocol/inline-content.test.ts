import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type InlineContent, inlineBytes, inlineSize } from '../../src/protocol/index.js';
import { readDataUri } from '../../src/protocol/inline-content.js';

const bytesOf = (content: InlineContent): Buffer => Buffer.concat([...inlineBytes(content)]);
const base64 = (text: string): InlineContent => ({ base64: text });

afterEach(() => vi.unstubAllGlobals());

describe('inline content', () => {
  test('any bytes come back from base64 in every spelling, and their number is known before', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), fc.nat(3), (bytes, spelling) => {
        const standard = Buffer.from(bytes).toString('base64');
        const spellings = [
          standard,
          Buffer.from(bytes).toString('base64url'),
          standard.replace(/=+$/, ''),
          standard.replace(/.{1,76}/g, '$&\r\n'),
        ];
        const content = base64(spellings[spelling]!);
        expect(inlineSize(content)).toBe(bytes.length);
        expect(bytesOf(content).equals(bytes)).toBe(true);
      }),
    );
  });

  test('any text is its UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), text => {
        expect(inlineSize({ text })).toBe(Buffer.byteLength(text));
        expect(bytesOf({ text }).toString()).toBe(text);
      }),
    );
  });

  test('large content comes in pieces that split no character', () => {
    const text = `a${'\u{1f600}'.repeat(700_000)}`;
    const pieces = [...inlineBytes({ text })];
    expect(pieces.length).toBeGreaterThan(2);
    expect(Buffer.concat(pieces).toString()).toBe(text);
    const bytes = Buffer.alloc(3_000_001, 7);
    const decoded = [...inlineBytes(base64(bytes.toString('base64')))];
    expect(decoded.length).toBeGreaterThan(2);
    for (const piece of decoded) expect(piece.byteLength).toBeLessThan(1024 * 1024);
    expect(Buffer.concat(decoded).equals(bytes)).toBe(true);
  });

  test('without Buffer, as in a browser', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const text = Buffer.from(bytes).toString('base64url');
    const original = Buffer;
    vi.stubGlobal('Buffer', undefined);
    const decoded = [...inlineBytes(base64(text))];
    vi.stubGlobal('Buffer', original);
    expect(Buffer.concat(decoded).equals(bytes)).toBe(true);
  });

  test.each(['A', 'AAAAA', 'AA=', 'AAA==', 'A===', '====', 'AA==AA==', 'AAAA*', 'AAA\u00e9', '\u0000AAA'])(
    'is not read from what is no base64: %j',
    text => {
      expect(inlineSize(base64(text))).toBeUndefined();
      expect(() => bytesOf(base64(text))).toThrow(TypeError);
    },
  );

  test('an empty one is empty', () => {
    for (const content of [base64(''), base64(' \n'), { text: '' }, { percent: '' }]) {
      expect(inlineSize(content)).toBe(0);
      expect(bytesOf(content)).toHaveLength(0);
    }
  });
});

describe('data URIs', () => {
  test.each<[string, string | undefined, string]>([
    ['data:text/plain;base64,YWI=', 'text/plain', 'ab'],
    ['DATA:TEXT/PLAIN;BASE64,YWI=', 'TEXT/PLAIN', 'ab'],
    ['data:;base64,YWI', undefined, 'ab'],
    ['data:text/plain; base64,YWI%3D', 'text/plain', 'ab'],
    ['data:,a%20b', undefined, 'a b'],
    ['data:;charset=utf-8,%C3%A9', 'text/plain;charset=utf-8', 'é'],
    ['data:text/csv,a,b', 'text/csv', 'a,b'],
  ])('%s', (uri, mimeType, text) => {
    const read = readDataUri(uri)!;
    expect(read.mimeType).toBe(mimeType);
    expect(bytesOf(read.content).toString()).toBe(text);
  });

  test.each(['', 'data:', 'data:text/plain', 'https://x.example/,', 'mydata:,x'])('%j is none', uri => {
    expect(readDataUri(uri)).toBeUndefined();
  });

  test('a broken escape has no bytes', () => {
    const { content } = readDataUri('data:,%zz')!;
    expect(inlineSize(content)).toBeUndefined();
    expect(() => bytesOf(content)).toThrow(TypeError);
  });
});
