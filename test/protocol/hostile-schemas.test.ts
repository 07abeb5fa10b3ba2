import { describe, expect, test } from 'vitest';
import { declarationAt, fileArguments, type JsonObject } from '../../src/protocol/index.js';
import { counted } from './counted.js';
import { FILE, pointers, tool } from './schemas.js';

/** Definitions n0…n(count-1), each made from a reference to the next, and the last a file. */
function chain(count: number, link: (next: JsonObject, index: number) => JsonObject): JsonObject {
  const entries = Array.from({ length: count }, (_, i): [string, JsonObject] => [
    `n${i}`,
    i === count - 1 ? FILE : link({ $ref: `#/$defs/n${i + 1}` }, i),
  ]);
  return Object.fromEntries(entries);
}

const bomb = (link: (next: JsonObject, index: number) => JsonObject, count = 60): JsonObject => ({
  type: 'object',
  properties: { f: { $ref: '#/$defs/n0' } },
  $defs: chain(count, link),
});

describe('schemas that would never end', () => {
  test.each<[string, JsonObject, string[]]>([
    ['anyOf that doubles 60 times', bomb(next => ({ anyOf: [next, next] })), ['/f']],
    ['allOf that doubles 60 times', bomb(next => ({ allOf: [next, { ...next }] })), ['/f']],
    ['oneOf and $ref that double 60 times', bomb(next => ({ ...next, oneOf: [next, { not: next }] })), ['/f']],
    [
      'if, then and else that treble 60 times',
      bomb(n => JSON.parse(`{"if":N,"then":N,"else":N}`.replaceAll('N', JSON.stringify(n)))),
      ['/f'],
    ],
    ['1000 references in a row', bomb(next => next, 1000), ['/f']],
    ['items that double at every level', bomb(next => ({ items: next, prefixItems: [next] })), []],
    ['members that double at every level', bomb(next => ({ properties: { a: next, b: next } })), []],
    ['maps that double at every level', bomb(next => ({ additionalProperties: next, properties: { a: next } })), []],
  ])('%s', (_, schema, expected) => {
    const { value, reads } = counted(tool(schema));
    expect(pointers(value)).toEqual(expected);
    expect(reads()).toBeLessThan(20_000_000);
  });

  test('a schema that is too large is said to be, and its nearest arguments are found', () => {
    const notes: string[] = [];
    const schema = bomb(next => ({ properties: { a: next, b: next } }));
    const given = tool({ ...schema, properties: { ...(schema.properties as JsonObject), last: FILE } });
    expect(fileArguments(given, note => notes.push(note)).map(argument => argument.pointer)).toEqual(['/last']);
    expect(notes).toEqual([expect.stringContaining('too large')]);
  });

  test('members that double are still found by their pointer', () => {
    const given = tool(bomb(next => ({ properties: { a: next, b: next } })));
    expect(declarationAt(given, `/f${'/a/b'.repeat(29)}/a`)).toBeDefined();
    expect(declarationAt(given, `/f${'/a/b'.repeat(30)}`)).toBeUndefined();
  });

  test('no more than 1000 are listed', () => {
    const names = Array.from({ length: 2000 }, (_, i) => `f${i}`);
    const notes: string[] = [];
    const given = tool({ properties: Object.fromEntries(names.map(name => [name, FILE])) });
    expect(fileArguments(given, note => notes.push(note))).toHaveLength(1000);
    expect(notes).toHaveLength(1);
    expect(declarationAt(given, '/f1999')).toBeDefined();
  });

  test('no more than 256 are read from _meta', () => {
    const names = Array.from({ length: 2000 }, (_, i) => `f${i}`);
    const notes: string[] = [];
    const given = tool({}, { 'openai/fileParams': names });
    expect(declarationAt(given, '/f255', note => notes.push(note))).toBeDefined();
    expect(notes).toEqual([expect.stringContaining('256')]);
    expect(declarationAt(given, '/f256')).toBeUndefined();
    const few = tool({}, { 'openai/fileParams': names.slice(0, 64) });
    expect(fileArguments(few)).toHaveLength(64);
  });

  test('nothing is listed deeper than 32 levels, and nothing overflows', () => {
    let schema: JsonObject = FILE;
    for (let depth = 0; depth < 100_000; depth++) schema = { properties: { a: schema } };
    expect(pointers(tool(schema))).toEqual([]);
    let branches: JsonObject = FILE;
    for (let depth = 0; depth < 3000; depth++) branches = { anyOf: [branches] };
    expect(pointers(tool({ properties: { f: branches } }))).toEqual(['/f']);
    for (let depth = 0; depth < 50_000; depth++) branches = { anyOf: [branches] };
    expect(pointers(tool({ properties: { f: branches } }))).toEqual([]);
    let deep: JsonObject = FILE;
    for (let depth = 0; depth < 32; depth++) deep = { properties: { a: deep } };
    expect(pointers(tool(deep))).toEqual(['/a'.repeat(32)]);
    expect(pointers(tool({ properties: { a: deep } }))).toEqual([]);
  });

  test('wide in every direction', () => {
    const names = Array.from({ length: 400 }, (_, i) => `p${i}`);
    const all = Object.fromEntries(names.map(name => [name, {}]));
    const schema = {
      properties: all,
      required: names,
      anyOf: names.map(name => ({ properties: all, required: [name], unevaluatedProperties: false })),
      patternProperties: Object.fromEntries(names.map(name => [`^${name}$`, {}])),
    };
    const { value, reads } = counted(tool({ ...schema, properties: { f: { 'x-mcp-file': {}, ...schema }, ...all } }));
    expect(pointers(value)).toEqual(['/f']);
    expect(declarationAt(value, '/f')?.dialect).toBe('extension');
    expect(reads()).toBeLessThan(50_000_000);
  });

  test('many patterns for many members', () => {
    const names = Array.from({ length: 3000 }, (_, i) => `p${i}`);
    const patternProperties = Object.fromEntries(names.map(name => [`^${name}$`, true]));
    const { value, reads } = counted(
      tool({ properties: { f: FILE, ...Object.fromEntries(names.map(n => [n, {}])) }, patternProperties }),
    );
    expect(pointers(value)).toEqual(['/f']);
    expect(reads()).toBeLessThan(1_000_000);
  });

  test('a pattern that backtracks without end is never run', () => {
    const given = tool({ patternProperties: { '^(a|a)*$': FILE, '(.*)*(.*)*(.*)*x': FILE } });
    expect(declarationAt(given, `/${'a'.repeat(10_000)}!`)).toBeDefined();
  });

  test('a reference as long as the message', () => {
    const $ref = `#${'/a'.repeat(500_000)}`;
    const given = tool(bomb(next => ({ $ref, properties: { a: next, b: next } })));
    expect(pointers(given)).toEqual([]);
  });
});

describe('prototypes', () => {
  test('schemas with the names of prototypes do no harm', () => {
    const text = JSON.stringify(FILE);
    const schema = JSON.parse(
      `{"__proto__":{"properties":{"x":${text}}},"properties":{"__proto__":${text},"constructor":{"properties":{"prototype":${text}}},
        "hasOwnProperty":${text}},"required":["__proto__","constructor"],"$defs":{"__proto__":${text}}}`,
    );
    expect(fileArguments(tool(schema)).map(({ pointer, required }) => [pointer, required])).toEqual([
      ['/__proto__', true],
      ['/hasOwnProperty', false],
      ['/constructor/prototype', false],
    ]);
    expect(({} as JsonObject)['x-mcp-file']).toBeUndefined();
  });

  test('names of prototypes in _meta do no harm', () => {
    const meta = JSON.parse('{"x-mcp-file":{"__proto__":{"accept":["a/b"]},"/constructor/prototype":{}}}');
    expect(pointers(tool({}, meta))).toEqual(['/__proto__', '/constructor/prototype']);
    expect(({} as JsonObject).accept).toBeUndefined();
  });

  test('what a prototype has is not read', () => {
    expect(pointers(tool(Object.create({ properties: { f: FILE } })))).toEqual([]);
    expect(pointers(Object.create(tool({ properties: { f: FILE } })))).toEqual([]);
  });
});
