import { describe, expect, test } from 'vitest';
import { declarationAt, type JsonObject } from '../../src/protocol/index.js';
import { FILE, pointers, tool, withArgument } from './schemas.js';

describe('$ref', () => {
  test.each<[string, JsonObject, JsonObject]>([
    ['$defs', { $ref: '#/$defs/F' }, { $defs: { F: FILE } }],
    ['definitions', { $ref: '#/definitions/F' }, { definitions: { F: FILE } }],
    ['anywhere in the schema', { $ref: '#/x/0' }, { x: [FILE] }],
    ['another argument', { $ref: '#/$defs/a~1b%20c' }, { $defs: { 'a/b c': FILE } }],
    ['a reference to a reference', { $ref: '#/$defs/A' }, { $defs: { A: { $ref: '#/$defs/B' }, B: FILE } }],
    ['an anchor', { $ref: '#file' }, { $defs: { F: { $anchor: 'file', ...FILE } } }],
    ['an anchor of draft-07', { $ref: '#file' }, { definitions: { F: { $id: '#file', ...FILE } } }],
    ['a dynamic anchor', { $dynamicRef: '#file' }, { $defs: { F: { $dynamicAnchor: 'file', ...FILE } } }],
    [
      'an $id that ends in #',
      { $ref: 'https://x.example/s#/$defs/F' },
      { $id: 'https://x.example/s#', $defs: { F: FILE } },
    ],
    [
      'the $id of the schema',
      { $ref: 'https://x.example/s#/$defs/F' },
      { $id: 'https://x.example/s', $defs: { F: FILE } },
    ],
    [
      'the $id of a schema inside',
      { $ref: 'https://x.example/f' },
      { $defs: { F: { $id: 'https://x.example/f', ...FILE } } },
    ],
    ['siblings beside it', { $ref: '#/$defs/F', 'x-mcp-file': {} }, { $defs: { F: { type: 'object' } } }],
  ])('through %s', (_, schema, more) => {
    expect(pointers(withArgument(schema, more))).toEqual(['/f']);
  });

  test.each([
    'https://x.example/file.json',
    'file.json#/$defs/F',
    '#/$defs/Nowhere',
    '#/$defs/__proto__',
    '#/$defs/constructor',
    '#nowhere',
    '#/%E0%A4%A',
    '#/~2',
    5,
  ])('never fetched, never guessed: %j', $ref => {
    expect(pointers(withArgument({ $ref }, { $defs: { F: FILE } }))).toEqual([]);
  });

  test('a schema that contains itself is listed once more, and covers any depth', () => {
    const given = tool({ properties: { doc: FILE, parts: { type: 'array', items: { $ref: '#' } } } });
    expect(pointers(given)).toEqual(['/doc', '/parts/*/doc']);
    expect(declarationAt(given, '/parts/0/parts/7/parts/1/doc')).toMatchObject({
      pointer: '/parts/*/parts/*/parts/*/doc',
      dialect: 'extension',
    });
  });

  test('a list of files or of such lists', () => {
    const list = {
      type: 'array',
      'x-mcp-file': {},
      items: { anyOf: [{ type: 'object' }, { $ref: '#/properties/f' }] },
    };
    expect(pointers(withArgument(list))).toEqual(['/f/*']);
    expect(declarationAt(withArgument(list), '/f/0/1/2')?.pointer).toBe('/f/*/*/*');
  });

  test('a list whose nodes name each other', () => {
    const node = { properties: { file: FILE, next: { anyOf: [{ $ref: '#/$defs/N' }, { type: 'null' }] } } };
    const given = tool({ properties: { root: { $ref: '#/$defs/N' } }, $defs: { N: node } });
    expect(pointers(given)).toEqual(['/root/file', '/root/next/file']);
    expect(declarationAt(given, `/root${'/next'.repeat(100)}/file`)).toBeDefined();
  });

  test.each([{ $ref: '#/$defs/A' }, { $ref: '#/properties/f' }, { allOf: [{ $ref: '#/$defs/A' }] }])(
    'a reference to itself ends: %j',
    schema => {
      expect(pointers(withArgument(schema, { $defs: { A: { anyOf: [{ $ref: '#/$defs/A' }] } } }))).toEqual([]);
    },
  );

  test('a reference to itself hides nothing beside it', () => {
    expect(pointers(withArgument({ anyOf: [{ $ref: '#/properties/f' }, FILE] }))).toEqual(['/f']);
  });
});
