import { describe, expect, test } from 'vitest';
import { isFilesError } from '../../src/errors/index.js';
import { type JsonObject, type PendingFile, readTargets } from '../../src/protocol/index.js';

const URL_ = 'https://bucket.example.net/k?X-Sig=secret';
const BARE = { method: 'PUT', headers: [], credentials: 'omit' };
const pending = (pointer: string, size = 9): PendingFile => ({ pointer, size, inline: false });
const DECK = pending('/deck');
const ASSET = pending('/assets/0');

function read(params: unknown, files: readonly PendingFile[] = [DECK]) {
  const notes: string[] = [];
  const targets = readTargets({ method: 'files/upload', params } as JsonObject, files, note => notes.push(note));
  return { targets, notes };
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

describe('which file a target is for', () => {
  test('the example of two files, as the draft has it', () => {
    const entry = {
      targets: {
        '/deck': { url: URL_, method: 'PUT', headers: { 'x-ms-blob-type': 'BlockBlob' }, credentials: 'omit' },
        '/assets/0': {
          path: 'uploads/t-9',
          method: 'POST',
          credentials: 'include',
          form: {
            fields: [
              { name: 'key', value: 'v/9' },
              { name: 'policy', value: 'eyJ' },
            ],
            fileField: 'file',
          },
        },
      },
    };
    const { targets, notes } = read(entry, [ASSET, DECK]);
    expect([...targets]).toEqual([
      [
        '/assets/0',
        {
          path: 'uploads/t-9',
          method: 'POST',
          headers: [],
          credentials: 'include',
          form: {
            fields: [
              ['key', 'v/9'],
              ['policy', 'eyJ'],
            ],
            fileField: 'file',
          },
        },
      ],
      ['/deck', { url: URL_, method: 'PUT', headers: [['x-ms-blob-type', 'BlockBlob']], credentials: 'omit' }],
    ]);
    expect(notes).toEqual([]);
  });

  test.each<[string, JsonObject]>([
    ['targets in params', { params: { targets: { '/deck': { url: URL_ } } } }],
    ['uploads in params', { params: { uploads: { '/deck': { url: URL_ } } } }],
    ['files in params', { params: { files: { '/deck': { url: URL_ } } } }],
    ['targets in the entry', { targets: { '/deck': { url: URL_ } } }],
    ['targets in the entry beside other params', { params: { message: 'x' }, targets: { '/deck': { url: URL_ } } }],
    ['a bare name', { params: { targets: { deck: { url: URL_ } } } }],
    ['a list by pointer', { params: { targets: [{ pointer: '/deck', url: URL_ }] } }],
    ['a list by argument', { params: { targets: [{ argument: 'deck', url: URL_ }] } }],
    ['a list by argument, as a pointer', { params: { targets: [{ argument: '/deck', url: URL_ }] } }],
    ['a list by name of the argument', { params: { targets: [{ name: 'deck', url: URL_ }] } }],
    ['a list of one without a name', { params: { targets: [{ url: URL_ }] } }],
    ['a list of one with the name of a file', { params: { targets: [{ name: 'deck.pdf', url: URL_ }] } }],
    ['a lone target', { params: { targets: { url: URL_ } } }],
    ['a lone target as params', { params: { url: URL_ } }],
    ['a lone target as the entry', { url: URL_ }],
  ])('%s', (_, entry) => {
    const targets = readTargets(entry, [DECK, { pointer: '/other', size: 0, inline: true }], () => {});
    expect([...targets]).toEqual([['/deck', { ...BARE, url: URL_ }]]);
  });

  test('an argument may be called url', () => {
    const { targets } = read({ targets: { url: { path: 'u' } } }, [pending('/url')]);
    expect([...targets]).toEqual([['/url', { ...BARE, path: 'u' }]]);
  });

  test.each(['__proto__', 'constructor', 'a/b', 'm~n', '*', ''])('an argument may be called %j', name => {
    const pointer = `/${name.replace('~', '~0').replace('/', '~1')}`;
    const targets = JSON.parse(`{${JSON.stringify(name)}:{"path":"u"}}`);
    expect([...read({ targets }, [pending(pointer)]).targets.keys()]).toEqual([pointer]);
  });

  test('a bare name is noted as a guess, a pointer is not', () => {
    expect(read({ targets: { deck: { url: URL_ } } }).notes).toHaveLength(1);
    expect(read({ targets: { '/deck': { url: URL_ } } }).notes).toEqual([]);
  });

  test('targets for empty files are ignored, however malformed, and noted', () => {
    const files = [DECK, pending('/empty', 0), { pointer: '/note', size: 0, inline: true }];
    const { targets, notes } = read({ targets: { '/deck': { url: URL_ }, '/empty': 5, '/note': { url: 1 } } }, files);
    expect([...targets.keys()]).toEqual(['/deck']);
    expect(notes).toHaveLength(2);
  });

  test.each([undefined, {}, { targets: {} }, { targets: { '/nowhere': { url: URL_ } } }, { url: URL_ }])(
    'a call with empty files only needs no target: %j',
    params => {
      const { targets, notes } = read(params, [pending('/empty', 0)]);
      expect(targets.size).toBe(0);
      expect(notes).toHaveLength(1);
    },
  );

  const inline: PendingFile = { pointer: '/note', size: 5, inline: true };
  test.each<[string, unknown, PendingFile[], string | undefined, RegExp]>([
    ['no targets at all', {}, [DECK], '/deck', /no target.*"\/deck"/],
    ['no params', undefined, [DECK], '/deck', /no target/],
    ['targets that are a text', { targets: 'x' }, [DECK], '/deck', /no target/],
    [
      'a file without a target',
      { targets: { '/deck': { url: URL_ } } },
      [DECK, ASSET],
      '/assets/0',
      /no target.*"\/assets\/0"/,
    ],
    [
      'an unknown pointer',
      { targets: { '/deck': { url: URL_ }, '/x': { url: URL_ } } },
      [DECK],
      undefined,
      /"\/x".*no file/,
    ],
    ['a bare name of a nested file', { targets: { '0': { url: URL_ } } }, [ASSET], undefined, /"0".*no file/],
    ['a pointer that is none', { targets: { '/de~ck': { url: URL_ } } }, [DECK], undefined, /no file/],
    [
      'a target for an inline file',
      { targets: { '/deck': { url: URL_ }, '/note': { url: URL_ } } },
      [DECK, inline],
      '/note',
      /inline/,
    ],
    ['a lone target where all is inline', { url: URL_ }, [inline], undefined, /which of 0 files/],
    [
      'two targets for one file',
      { targets: { '/deck': { url: URL_ }, deck: { url: URL_ } } },
      [DECK],
      '/deck',
      /two targets/,
    ],
    ['a lone target for two files', { targets: { url: URL_ } }, [DECK, ASSET], undefined, /which of 2 files/],
    [
      'a list of one without a name for two files',
      { targets: [{ url: URL_ }] },
      [DECK, ASSET],
      undefined,
      /which of 2 files/,
    ],
    ['a list of two without names', { targets: [{ url: URL_ }, { url: URL_ }] }, [DECK], undefined, /which file/],
    ['a list with a target that is no object', { targets: ['x'] }, [DECK], undefined, /no object/],
    ['a list with a pointer that is no text', { targets: [{ pointer: 0, url: URL_ }] }, [DECK], undefined, /no string/],
  ])('refuses %s', (_, params, files, pointer, message) => {
    const error = refusal(() => read(params, files));
    expect(error).toMatchObject({ code: 'server_violation', outcome: 'not_run' });
    expect(error.pointer).toBe(pointer);
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain('secret');
  });

  test('shows no secret where a signed URL is used as a name', () => {
    const error = refusal(() => read({ targets: { [URL_]: { url: URL_ } } }));
    expect(error.message).toContain('"https…"');
    expect(error.message).not.toContain('secret');
  });
});
