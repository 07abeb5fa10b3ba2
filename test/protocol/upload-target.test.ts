import { describe, expect, test } from 'vitest';
import { isFilesError } from '../../src/errors/index.js';
import { type JsonObject, type PendingFile, readTargets } from '../../src/protocol/index.js';

const URL_ = 'https://bucket.example.net/k?X-Sig=secret';
const BARE = { method: 'PUT', headers: [], credentials: 'omit' };
const pending = (pointer: string, size = 9): PendingFile => ({ pointer, size, inline: false });
const DECK = pending('/deck');

function read(params: unknown, files: readonly PendingFile[] = [DECK]) {
  const notes: string[] = [];
  const targets = readTargets({ method: 'files/upload', params } as JsonObject, files, note => notes.push(note));
  return { targets, notes };
}

function only(target: unknown) {
  const { targets, notes } = read({ targets: { '/deck': target } });
  return { target: targets.get('/deck'), notes };
}

function refusal(work: () => unknown) {
  try {
    work();
  } catch (error) {
    if (isFilesError(error)) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('a target', () => {
  const multipart = { fileField: 'upload', fields: { key: 'k', acl: 'private' } };
  test.each<[string, JsonObject, JsonObject]>([
    ['url alone', { url: URL_ }, { ...BARE, url: URL_ }],
    ['path alone', { path: 'uploads/1?x=1' }, { ...BARE, path: 'uploads/1?x=1' }],
    [
      'null for what is not set',
      { url: URL_, path: null, headers: null, form: null, method: null, credentials: null, expiresAt: null },
      { ...BARE, url: URL_ },
    ],
    ['a method in lower case', { url: URL_, method: 'post' }, { ...BARE, url: URL_, method: 'POST' }],
    ['a method for the policy to refuse', { url: URL_, method: 'DELETE' }, { ...BARE, url: URL_, method: 'DELETE' }],
    ['include', { path: 'u', credentials: 'include' }, { ...BARE, path: 'u', credentials: 'include' }],
    [
      'headers as a map',
      { url: URL_, headers: { b: '1', a: '2' } },
      {
        ...BARE,
        url: URL_,
        headers: [
          ['b', '1'],
          ['a', '2'],
        ],
      },
    ],
    [
      'headers as a list',
      {
        url: URL_,
        headers: [
          { name: 'b', value: '1' },
          { name: 'b', value: '2' },
        ],
      },
      {
        ...BARE,
        url: URL_,
        headers: [
          ['b', '1'],
          ['b', '2'],
        ],
      },
    ],
    ['headers as pairs', { url: URL_, headers: [['b', '1']] }, { ...BARE, url: URL_, headers: [['b', '1']] }],
    [
      'a form without anything',
      { url: URL_, form: {} },
      { ...BARE, url: URL_, method: 'POST', form: { fields: [], fileField: 'file' } },
    ],
    [
      'a form of pairs',
      {
        url: URL_,
        form: {
          fields: [
            ['z', '1'],
            ['a', '2'],
            ['z', ''],
          ],
        },
      },
      {
        ...BARE,
        url: URL_,
        method: 'POST',
        form: {
          fields: [
            ['z', '1'],
            ['a', '2'],
            ['z', ''],
          ],
          fileField: 'file',
        },
      },
    ],
    [
      'a form with its own part name',
      { url: URL_, form: { fields: [], fileField: 'f' }, method: 'POST' },
      { ...BARE, url: URL_, method: 'POST', form: { fields: [], fileField: 'f' } },
    ],
    [
      'multipart of SEP-2631',
      { url: URL_, transport: 'https', multipart },
      {
        ...BARE,
        url: URL_,
        method: 'POST',
        form: {
          fields: [
            ['key', 'k'],
            ['acl', 'private'],
          ],
          fileField: 'upload',
        },
      },
    ],
    ['members not known', { url: URL_, partSize: 5 }, { ...BARE, url: URL_ }],
    [
      'an expiry',
      { url: URL_, expiresAt: '2026-07-28T12:00:00Z' },
      { ...BARE, url: URL_, expiresAt: Date.UTC(2026, 6, 28, 12) },
    ],
  ])('reads %s', (_, given, expected) => {
    expect(only(given).target).toEqual(expected);
  });

  test.each<[unknown, number]>([
    ['2026-07-28T12:00:00Z', Date.UTC(2026, 6, 28, 12)],
    ['2026-07-28t12:00:00z', Date.UTC(2026, 6, 28, 12)],
    ['2026-07-28 12:00:00Z', Date.UTC(2026, 6, 28, 12)],
    ['2026-07-28T12:00:00.5Z', Date.UTC(2026, 6, 28, 12, 0, 0, 500)],
    ['2026-07-28T12:00:00.123456789+02:00', Date.UTC(2026, 6, 28, 10, 0, 0, 123)],
    ['2026-07-28T23:30:00-01:30', Date.UTC(2026, 6, 29, 1)],
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
    ['2016-12-31T23:59:60Z', Date.UTC(2017, 0, 1)],
    ['0050-01-01T00:00:00Z', Date.parse('0050-01-01T00:00:00Z')],
  ])('expires at %j', (expiresAt, time) => {
    const { target, notes } = only({ url: URL_, expiresAt });
    expect(target?.expiresAt).toBe(time);
    expect(notes).toEqual([]);
  });

  test.each([
    '2026-07-28',
    '2026-07-28T12:00:00',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-07-00T00:00:00Z',
    '2026-07-28T24:00:00Z',
    '2026-07-28T12:60:00Z',
    '2026-07-28T12:00:61Z',
    '2026-07-28T12:00:00+24:00',
    ' 2026-07-28T12:00:00Z',
    'tomorrow',
    '',
    1785240000,
    {},
  ])('ignores an expiry of %j, and says so', expiresAt => {
    const { target, notes } = only({ url: URL_, expiresAt });
    expect(target).toEqual({ ...BARE, url: URL_ });
    expect(notes).toHaveLength(1);
  });

  test('notes that the order of form fields is that of an object', () => {
    expect(only({ url: URL_, multipart }).notes).toHaveLength(1);
  });

  test.each<[string, unknown, RegExp]>([
    ['no object', 'https://x.example/', /no object/],
    ['neither url nor path', { method: 'PUT' }, /neither "url" nor "path"/],
    ['both url and path', { url: URL_, path: 'u' }, /both "url" and "path"/],
    ['a url that is no text', { url: 5 }, /"url" is no string/],
    ['a path that is no text', { path: ['u'] }, /"path" is no string/],
    ['PUT with a form', { url: URL_, method: 'put', form: {} }, /PUT/],
    ['a method that is no text', { url: URL_, method: 5 }, /"method"/],
    ['a method that is no word', { url: URL_, method: 'PUT /secret' }, /"method"/],
    ['credentials of another kind', { url: URL_, credentials: 'same-origin' }, /"credentials"/],
    ['headers as a text', { url: URL_, headers: 'a: secret' }, /"headers"/],
    ['a header that is no text', { url: URL_, headers: { a: 5 } }, /"headers"/],
    ['a header without a value', { url: URL_, headers: [{ name: 'a' }] }, /"headers"/],
    ['a header of three', { url: URL_, headers: [['a', 'b', 'c']] }, /"headers"/],
    ['a header that is nothing', { url: URL_, headers: [null] }, /"headers"/],
    ['a form that is true', { url: URL_, form: true }, /"form"/],
    ['a form that is a list', { url: URL_, form: [['a', 'b']] }, /"form"/],
    ['form fields that are a text', { url: URL_, form: { fields: 'a=secret' } }, /"fields"/],
    ['a form field that is no text', { url: URL_, form: { fields: [{ name: 'a', value: 5 }] } }, /"fields"/],
    ['a form field without a name', { url: URL_, form: { fields: [['', 'secret']] } }, /empty name/],
    ['a part name that is no text', { url: URL_, form: { fileField: 5 } }, /"fileField"/],
    ['an empty part name', { url: URL_, form: { fileField: '' } }, /"fileField"/],
    ['multipart that is a text', { url: URL_, multipart: 'x' }, /"multipart"/],
  ])('refuses %s', (_, target, message) => {
    const error = refusal(() => only(target));
    expect(error).toMatchObject({ code: 'server_violation', pointer: '/deck', outcome: 'not_run' });
    expect(error.message).toContain('"/deck"');
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain('secret');
  });
});
