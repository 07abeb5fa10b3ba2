// Found in review: texts of 100 KB that a server chooses took seconds, as an expression began anew at each character.
import { expect, test } from 'vitest';
import { namedByHost } from '../../src/call/host-file.js';
import { namesOf } from '../../src/model/returned-names.js';
import { decodeBase64 } from '../../src/resources/base64.js';
import { cleanName } from '../../src/source/name.js';
import { base64url, normalSha256 } from '../../src/transfer/digest.js';

/** What was there took more than a minute for three times as many: the test's time-out is the bound. */
const MANY = 100_000;

test('a URI that ends in no file name', async () => {
  const nameOf = (uri: string) => namesOf([{ source: { kind: 'inline', content: { text: '' }, uri }, places: [] }]);
  expect(await nameOf(`x:/${'a'.repeat(3 * MANY)}`)).toEqual(['file']);
  expect(await nameOf(`x:/${'.'.repeat(3 * MANY)}`)).toEqual(['file']);
  expect(await nameOf(`x:/${'a.'.repeat(3 * MANY)}`)).toEqual(['file']);
});

test.each([
  ['x:/k/report.pdf', 'report.pdf'],
  ['x:report.pdf', 'report.pdf'],
  ['https://h.example/a/b%20c.txt?x=1#y', 'b c.txt'],
  ['https://report.example', 'file'],
  ['x:/k/.profile', 'file'],
  ['x:/k/a.longerthanten', 'file'],
  ['x:/report.pdf/k', 'file'],
])('the name in %s is %s', async (uri, name) => {
  expect(await namesOf([{ source: { kind: 'inline', content: { text: '' }, uri }, places: [] }])).toEqual([name]);
});

test('a blob of padding', () => {
  expect(decodeBase64(`${'='.repeat(3 * MANY)}x`)).toBeUndefined();
  expect(decodeBase64('='.repeat(3 * MANY))).toBeUndefined();
});

test('a large blob is decoded', () => {
  const bytes = Buffer.alloc(60_000_000, 0xa7);
  const text = bytes.toString('base64');
  expect(bytes.equals(decodeBase64(text)!.bytes)).toBe(true);
  expect(decodeBase64(`${text.slice(0, -5)}!${text.slice(-4)}`)).toBeUndefined();
});

test('a digest of padding', () => {
  expect(normalSha256(`${'='.repeat(3 * MANY)}x`)).toHaveLength(3 * MANY + 1);
  expect(base64url('+/+=')).toBe('-_-');
  expect(base64url('+/==')).toBe('-_');
});

test('a name of separators', () => {
  expect(cleanName(`${'/'.repeat(3 * MANY)}x`)).toBe('x');
  expect(cleanName(`a${'/'.repeat(3 * MANY)}`)).toBe('a');
  expect(cleanName('/'.repeat(3 * MANY))).toBe('file');
  expect(namedByHost(`xy:${'/'.repeat(3 * MANY)}y`, {})[0]).toBe('y');
  expect(namedByHost(`xy:/y${'/'.repeat(3 * MANY)}`, {})[0]).toBe('y');
});
