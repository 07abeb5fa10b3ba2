import { describe, expect, test } from 'vitest';
import { FILES_EXTENSION, type JsonObject, readDownloads } from '../../src/protocol/index.js';

const URL_ = 'https://dl.example.net/r?sig=secret';
const BARE = { url: URL_, headers: [], credentials: 'omit' };
const UNUSABLE = { url: '', headers: [], credentials: 'omit' };

function read(entry: unknown) {
  const notes: string[] = [];
  const answer = readDownloads({ content: [], _meta: { [FILES_EXTENSION]: entry } }, note => notes.push(note));
  return { ...answer, notes };
}

describe('returned files', () => {
  test('the example of the draft', () => {
    const file = { name: 'out/report.pdf', mimeType: 'application/pdf', size: 252001, url: URL_, credentials: 'omit' };
    const { downloads, notes } = read({ downloads: [file] });
    expect(downloads).toEqual([{ ...BARE, name: 'out/report.pdf', mimeType: 'application/pdf', size: 252001 }]);
    expect(notes).toEqual([]);
  });

  test.each<[string, unknown]>([
    ['downloads', { downloads: [{ url: URL_ }] }],
    ['files', { files: [{ url: URL_ }] }],
    ['a bare list', [{ url: URL_ }]],
  ])('in %s', (_, entry) => {
    expect(read(entry)).toMatchObject({ downloads: [BARE], notes: [] });
  });

  test('every member', () => {
    const given = {
      name: 'a.bin',
      mimeType: 'x/y',
      size: 0,
      path: 'downloads/1',
      headers: { accept: '*/*' },
      credentials: 'include',
      expiresAt: '2026-07-28T12:00:00Z',
      digest: { algorithm: 'sha-256', value: 'abc' },
    };
    expect(read([given]).downloads).toEqual([
      { ...given, headers: [['accept', '*/*']], expiresAt: Date.UTC(2026, 6, 28, 12) },
    ]);
  });

  test.each<[string, JsonObject]>([
    ['name', { name: 5 }],
    ['mimeType', { mimeType: {} }],
    ['size', { size: -1 }],
    ['a size in words', { size: '5' }],
    ['digest', { digest: 'sha-256:abc' }],
    ['a digest without a value', { digest: { algorithm: 'sha-256' } }],
    ['expiresAt', { expiresAt: 'soon' }],
  ])('a malformed %s is left out, and noted', (_, members) => {
    const { downloads, notes } = read([{ url: URL_, ...members }]);
    expect(downloads).toEqual([BARE]);
    expect(notes).toHaveLength(1);
  });

  test.each<[string, JsonObject]>([
    ['no target', {}],
    ['both url and path', { url: URL_, path: 'x' }],
    ['a url that is no text', { url: 5 }],
    ['headers that are a text', { url: URL_, headers: 'x: secret' }],
    ['credentials of another kind', { url: URL_, credentials: 'yes' }],
  ])('a file with %s stays listed and cannot be fetched', (_, target) => {
    const { downloads, notes } = read([{ name: 'a', ...target }, { url: URL_ }]);
    expect(downloads).toEqual([{ ...UNUSABLE, name: 'a', malformed: { name: 'a', ...target } }, BARE]);
    expect(notes).toHaveLength(1);
    expect(notes[0]).not.toContain('secret');
  });

  test.each<[string, unknown, object[]]>([
    ['a text', 'x', []],
    ['nothing', null, []],
    ['no list', { downloads: { url: URL_ } }, []],
    ['an item that is no object', [null, { url: URL_ }], [BARE]],
    ['an item that is a list', [[URL_], { url: URL_ }], [BARE]],
  ])('%s never costs the result', (_, entry, expected) => {
    const { downloads, result, notes } = read(entry);
    expect(downloads).toEqual(expected);
    expect(result).toEqual({ content: [] });
    expect(notes).toHaveLength(1);
  });

  test('only the own entry is taken from the result, which is not changed', () => {
    const given = {
      content: [{ type: 'text', text: 'done' }],
      structuredContent: { a: 1 },
      _meta: { 'com.example/x': { y: 1 }, [FILES_EXTENSION]: [] },
    };
    const before = structuredClone(given);
    const { result } = readDownloads(given, () => {});
    expect(result).toEqual({ ...before, _meta: { 'com.example/x': { y: 1 } } });
    expect(given).toEqual(before);
  });

  test.each<JsonObject>([
    { content: [] },
    { content: [], _meta: {} },
    { content: [], _meta: { a: 1 } },
    { _meta: 'x' },
  ])('a result without the entry is the same object: %j', given => {
    const { downloads, result } = readDownloads(given, () => {});
    expect(downloads).toEqual([]);
    expect(result).toBe(given);
  });

  test('an own member called __proto__ stays one', () => {
    const given = JSON.parse(`{"__proto__":{"polluted":1},"_meta":{"__proto__":{"a":1},"${FILES_EXTENSION}":[]}}`);
    const { result } = readDownloads(given, () => {});
    expect(JSON.stringify(result)).toBe('{"__proto__":{"polluted":1},"_meta":{"__proto__":{"a":1}}}');
    expect((result as { polluted?: unknown }).polluted).toBeUndefined();
  });
});
