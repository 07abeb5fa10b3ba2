import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FILES_EXTENSION, findReturnedFiles, type JsonObject, valueAt } from '../../src/protocol/index.js';

const PNG = 'iVBORw0KGgo=';
const OTHER = 'AAECAwQ=';
const DIGEST = { algorithm: 'sha-256', value: 'A'.repeat(43) };

function find(result: JsonObject) {
  const notes: string[] = [];
  const files = findReturnedFiles(result, note => notes.push(note));
  return { files, notes };
}
const inContent = (...content: unknown[]) => find({ content });
const inStructured = (structuredContent: unknown) => find({ content: [], structuredContent });
const at = (pointer: string, shape: string) => [{ pointer, shape }];

describe('every place that a file may have', () => {
  test.each<[string, unknown, string]>([
    ['downloads', { downloads: [{ name: 'a', url: 'https://x.example/a' }] }, '/downloads/0'],
    ['files', { files: [{ name: 'a', url: 'https://x.example/a' }] }, '/files/0'],
    ['a bare list', [{ name: 'a', url: 'https://x.example/a' }], '/0'],
    ['behind an entry that is none', [null, { name: 'a', url: 'https://x.example/a' }], '/1'],
  ])("the extension's list: %s", (_, entry, pointer) => {
    const { files } = find({ content: [], _meta: { [FILES_EXTENSION]: entry } });
    expect(files).toMatchObject([
      {
        name: 'a',
        source: { kind: 'target', target: { url: 'https://x.example/a' } },
        places: at(`/_meta/io.modelcontextprotocol~1files${pointer}`, 'download'),
      },
    ]);
  });

  test.each<[JsonObject, object]>([
    [
      { type: 'image', data: PNG, mimeType: 'image/png' },
      { mimeType: 'image/png', size: 8, source: { kind: 'inline', content: { base64: PNG } } },
    ],
    [
      { type: 'audio', data: OTHER, mimeType: 'audio/wav' },
      { mimeType: 'audio/wav', size: 5 },
    ],
    [
      { type: 'blob', data: OTHER, mimeType: 'application/pdf' },
      { mimeType: 'application/pdf', size: 5 },
    ],
    [
      { type: 'resource', resource: { uri: 'demo://1', mimeType: 'text/plain', text: 'naïve' } },
      { mimeType: 'text/plain', size: 6, source: { kind: 'inline', content: { text: 'naïve' }, uri: 'demo://1' } },
    ],
    [
      { type: 'resource', resource: { uri: 'demo://2', blob: OTHER } },
      { size: 5, source: { kind: 'inline', content: { base64: OTHER } } },
    ],
    [
      { type: 'resource', resource: { uri: 'demo://3', file: { uri: 'mcp-file://s/3', name: 'c.pdf' } } },
      { name: 'c.pdf', source: { kind: 'uri', uri: 'mcp-file://s/3', by: 'authorize' } },
    ],
    [
      { type: 'resource_link', uri: '1password://x', name: 'x.txt', mimeType: 'text/plain', size: 7 },
      { name: 'x.txt', mimeType: 'text/plain', size: 7, source: { kind: 'uri', uri: '1password://x', by: 'read' } },
    ],
    [
      { type: 'file', file: { uri: 'mcp-file://s/1', name: 'r.pdf', size: 9, digest: DIGEST } },
      { name: 'r.pdf', size: 9, digest: DIGEST, source: { kind: 'uri', uri: 'mcp-file://s/1', by: 'authorize' } },
    ],
    [
      { type: 'file', file: { uri: `data:image/png;base64,${PNG}`, displayName: 'p.png' } },
      { name: 'p.png', mimeType: 'image/png', size: 8, source: { kind: 'inline', content: { base64: PNG } } },
    ],
    [
      { type: 'file', file: { uri: 'data:;charset=utf-8,a%20b%C3%A9' } },
      { mimeType: 'text/plain;charset=utf-8', size: 5, source: { content: { percent: 'a%20b%C3%A9' } } },
    ],
  ])('the same item in content and deep in structuredContent: %j', (item, expected) => {
    const direct = inContent({ type: 'text', text: 'see' }, item);
    expect(direct).toMatchObject({ files: [{ ...expected, places: [{ pointer: '/content/1' }] }], notes: [] });
    const deep = inStructured({ a: [1, { 'b/c': item }] });
    expect(deep).toMatchObject({ files: [{ ...expected, places: [{ pointer: '/structuredContent/a/1/b~1c' }] }] });
  });

  test.each<[string, JsonObject, boolean]>([
    ['with a digest', { uri: 'https://x.example/1', digest: DIGEST }, true],
    ['with type and size', { uri: 'x:1', mimeType: 'text/csv', size: 0 }, true],
    ['of the scheme', { uri: 'mcp-file://s/1' }, true],
    ['that is a data URI', { uri: 'data:,x' }, true],
    ['a search hit', { uri: 'https://x.example/1', name: 'Hit', mimeType: 'text/html' }, false],
    ['without a URI', { name: 'a', mimeType: 'text/csv', size: 0 }, false],
    ['with a URI that is no text', { uri: 5, digest: DIGEST }, false],
  ])('a FileValue in structuredContent: %s', (_, value, isFile) => {
    expect(inStructured({ report: value }).files.map(({ places }) => places)).toEqual(
      isFile ? [at('/structuredContent/report', 'file')] : [],
    );
  });

  test('in the order in which they are met', () => {
    const link = (uri: string) => ({ type: 'resource_link', uri, name: uri });
    const { files } = find({
      structuredContent: { z: { one: link('d:4'), two: [link('d:5')] }, a: link('d:6') },
      content: [link('d:2'), { type: 'text', text: '' }, link('d:3')],
      _meta: { [FILES_EXTENSION]: { downloads: [{ name: 'd:1', path: 'x' }] } },
    });
    expect(files.map(({ name }) => name)).toEqual(['d:1', 'd:2', 'd:3', 'd:4', 'd:5', 'd:6']);
  });

  test.each<unknown[]>([
    [{ type: 'text', text: 'data:image/png;base64,AAAA' }],
    [{ type: 'image' }],
    [{ type: 'image', data: 5, mimeType: 'image/png' }],
    [{ type: 'chart', data: 'AAAA', mimeType: 'x/y' }],
    [{ type: 'resource' }],
    [{ type: 'resource', resource: { uri: 'd:1' } }],
    [{ type: 'resource', resource: { text: 'x' } }],
    [{ type: 'resource_link', name: 'x' }],
    [{ type: 'file', file: {} }],
    [null],
    ['x'],
  ])('what is no file: %j', item => {
    expect(inContent(item)).toEqual({ files: [], notes: [] });
    expect(inStructured(item)).toEqual({ files: [], notes: [] });
  });

  test.each([{}, { content: 'x' }, { content: {} }, { structuredContent: 'x', content: [] }])(
    'a result of another form: %j',
    result => expect(find(result)).toEqual({ files: [], notes: [] }),
  );
});

describe('a file that is told of more than once', () => {
  const image = { type: 'image', data: PNG, mimeType: 'image/png' };

  test('the same bytes in content and in structuredContent are one', () => {
    const { files } = find({ content: [image], structuredContent: { content: [{ ...image, type: 'blob' }] } });
    expect(files).toMatchObject([
      {
        size: 8,
        places: [
          { pointer: '/content/0', shape: 'media' },
          { pointer: '/structuredContent/content/0', shape: 'media' },
        ],
      },
    ]);
  });

  test('a link and the thing itself are one, with the bytes at hand and what either says', () => {
    const link = { type: 'resource_link', uri: 'demo://1', name: 'a.txt', size: 99 };
    const embedded = { type: 'resource', resource: { uri: 'demo://1', mimeType: 'text/plain', text: 'abc' } };
    for (const content of [
      [link, embedded],
      [embedded, link],
    ]) {
      const { files } = find({ content });
      expect(files).toMatchObject([
        { name: 'a.txt', mimeType: 'text/plain', size: 3, source: { kind: 'inline', content: { text: 'abc' } } },
      ]);
      expect(files[0]!.places).toHaveLength(2);
    }
  });

  test('a link and a descriptor of one URI are one, and the descriptor is used', () => {
    const uri = 'mcp-file://s/1';
    const link = { type: 'resource_link', uri, name: 'a.txt', mimeType: 'text/plain' };
    const { files } = find({ content: [link], structuredContent: { file: { uri, size: 4, digest: DIGEST } } });
    expect(files).toMatchObject([
      { name: 'a.txt', size: 4, digest: DIGEST, source: { kind: 'uri', uri, by: 'authorize' } },
    ]);
  });

  test("a link to what stands in the extension's list is one, fetched as the list says", () => {
    const url = 'https://x.example/a?sig=1';
    const { files } = find({
      content: [{ type: 'resource_link', uri: url, name: 'a', mimeType: 'text/csv' }],
      _meta: { [FILES_EXTENSION]: [{ url, headers: { accept: '*/*' } }] },
    });
    expect(files).toMatchObject([
      { name: 'a', mimeType: 'text/csv', source: { kind: 'target', target: { headers: [['accept', '*/*']] } } },
    ]);
  });

  test("each entry of the extension's list is a file of its own", () => {
    const url = 'https://x.example/a';
    const { files } = find({
      content: [],
      _meta: {
        [FILES_EXTENSION]: [
          { url, name: 'a' },
          { url, name: 'b' },
        ],
      },
    });
    expect(files.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  test('different contents of one URI are two, and each is still counted once', () => {
    const part = (text: string) => ({ type: 'resource', resource: { uri: 'demo://1', text } });
    const parts = [part('one'), part('two'), part('')];
    expect(find({ content: parts, structuredContent: { parts } }).files.map(({ places }) => places.length)).toEqual([
      2, 2, 2,
    ]);
  });

  test('the same content of different URIs is two, and each is still counted once', () => {
    const parts = ['a', 'b'].map(name => ({ type: 'resource', resource: { uri: `demo://${name}`, text: 'same' } }));
    expect(find({ content: parts, structuredContent: { parts } }).files.map(({ places }) => places.length)).toEqual([
      2, 2,
    ]);
  });
});

describe('what a server may send', () => {
  test.each([
    ['base64 that is none', { type: 'image', data: '?secret?', mimeType: 'image/png' }],
    ['padding in the middle', { type: 'image', data: 'AA==AAAA', mimeType: 'image/png' }],
    ['a digit too many', { type: 'image', data: 'AAAAA', mimeType: 'image/png' }],
    ['a broken escape', { type: 'file', file: { uri: 'data:,%zz-secret' } }],
  ])('%s stays listed without a size, and is noted without its text', (_, item) => {
    const { files, notes } = inContent(item);
    expect(files).toHaveLength(1);
    expect(files[0]).not.toHaveProperty('size');
    expect(notes).toEqual(['the file at /content/0: its data cannot be decoded']);
  });

  test('a size that is told is kept beside data that is at hand: it is to be verified', () => {
    const { files } = inContent({ type: 'file', file: { uri: 'data:,abc', size: 5 } });
    expect(files).toMatchObject([{ size: 5 }]);
  });

  test('malformed facts are left out', () => {
    const { files, notes } = inContent({ type: 'resource_link', uri: 'd:1', name: 5, size: -1, mimeType: null });
    expect(files).toEqual([
      { source: { kind: 'uri', uri: 'd:1', by: 'read' }, places: at('/content/0', 'resource_link') },
    ]);
    expect(notes).toHaveLength(2);
  });

  test('structuredContent of any depth and size is searched within bounds', () => {
    let deep: JsonObject = { uri: 'mcp-file://s/1' };
    for (let level = 0; level < 50_000; level++) deep = { a: deep };
    expect(inStructured(deep).files).toHaveLength(1);
    const wide = Array.from({ length: 300_000 }, () => ({ uri: 'mcp-file://s/1' }));
    const { files, notes } = inStructured({ first: { uri: 'mcp-file://s/0' }, wide });
    expect(files.map(({ places }) => places[0]!.pointer)).toEqual(['/structuredContent/first']);
    expect(notes).toEqual(['structuredContent is too large: files in the rest of it are not listed']);
  });
});

test('any result is read without a throw, and each place of a file is in it once', () => {
  const leaf = fc.oneof(
    fc.constantFrom(
      'image',
      'audio',
      'resource',
      'resource_link',
      'file',
      'd:1',
      'mcp-file://s/1',
      'data:,a',
      'AAAA',
      'a',
    ),
    fc.constantFrom('data:text/plain;base64,AAAA', 'data:,%zz', '', null, 5, -1, true),
  );
  const names = fc.constantFrom(
    ...['type', 'data', 'mimeType', 'resource', 'uri', 'text', 'blob', 'file', 'name', 'size', 'digest', 'algorithm'],
    ...[
      'value',
      'content',
      'structuredContent',
      '_meta',
      FILES_EXTENSION,
      'downloads',
      'url',
      'path',
      '__proto__',
      'a/b',
    ],
  );
  const { value } = fc.letrec<{ value: unknown }>(tie => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.array(fc.tuple(names, tie('value')), { maxLength: 7 }).map(entries => Object.fromEntries(entries)),
    ),
  }));
  const item = fc.record(
    { type: leaf, data: leaf, mimeType: leaf, uri: leaf, resource: value, file: value },
    { requiredKeys: ['type'] },
  );
  const result = fc.record({
    content: fc.oneof(value, fc.array(fc.oneof(item, value))),
    structuredContent: fc.oneof(value, item),
    _meta: fc.record({ [FILES_EXTENSION]: value }),
  });
  fc.assert(
    fc.property(result, given => {
      const before = JSON.stringify(given);
      const { files } = find(given);
      const places = files.flatMap(({ places }) => places.map(({ pointer }) => pointer));
      expect(new Set(places).size).toBe(places.length);
      for (const pointer of places) expect(valueAt(given, pointer)).toBeTypeOf('object');
      for (const { size, places } of files) {
        expect(size ?? 0).toBeGreaterThanOrEqual(0);
        expect(places.length).toBeGreaterThan(0);
      }
      expect(JSON.stringify(given)).toBe(before);
    }),
    { numRuns: 2000 },
  );
});
