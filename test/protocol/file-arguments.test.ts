import { describe, expect, test } from 'vitest';
import { declarationAt, fileArguments } from '../../src/protocol/index.js';
import { FILE, pointers, tool, URI, withArgument } from './schemas.js';

describe('where a file argument may stand', () => {
  test.each<[string, unknown, string[]]>([
    ['on the argument', FILE, ['/f']],
    ['as true', { type: 'object', 'x-mcp-file': true }, ['/f']],
    ['without a type', { 'x-mcp-file': {} }, ['/f']],
    ['in a nested object', { properties: { a: { properties: { b: FILE } } } }, ['/f/a/b']],
    ['on items', { type: 'array', items: FILE }, ['/f/*']],
    ['in items', { type: 'array', items: { properties: { a: FILE } } }, ['/f/*/a']],
    ['on items of items', { type: 'array', items: { type: 'array', items: FILE } }, ['/f/*/*']],
    ['on prefixItems', { prefixItems: [{}, FILE], items: FILE }, ['/f/1', '/f/*']],
    ['on items as a list (draft-07)', { items: [{}, FILE], additionalItems: FILE }, ['/f/1', '/f/*']],
    ['on unevaluatedItems', { type: 'array', unevaluatedItems: FILE }, ['/f/*']],
    ['on contains', { type: 'array', contains: FILE }, ['/f/*']],
    ['on additionalProperties', { additionalProperties: FILE }, ['/f/*']],
    ['on unevaluatedProperties', { unevaluatedProperties: FILE }, ['/f/*']],
    ['on patternProperties', { patternProperties: { '^x': { properties: { a: FILE } } } }, ['/f/*/a']],
    ['in anyOf', { anyOf: [FILE, { type: 'null' }] }, ['/f']],
    ['in oneOf', { oneOf: [{ type: 'string' }, FILE] }, ['/f']],
    ['in allOf', { allOf: [{ description: 'x' }, FILE] }, ['/f']],
    [
      'in if, then and else',
      JSON.parse(
        '{"if":{"properties":{"a":F}},"then":{"properties":{"b":F}},"else":{"properties":{"c":F}}}'.replaceAll(
          'F',
          JSON.stringify(FILE),
        ),
      ),
      ['/f/a', '/f/b', '/f/c'],
    ],
    ['in dependentSchemas', { dependentSchemas: { x: { properties: { a: FILE } } } }, ['/f/a']],
    ['in dependencies (draft-07)', { dependencies: { x: { properties: { a: FILE } }, y: ['x'] } }, ['/f/a']],
    ['in a branch of a branch', { anyOf: [{ oneOf: [{ allOf: [FILE] }] }] }, ['/f']],
    ['properties beside anyOf', { properties: { a: FILE }, anyOf: [{ properties: { b: FILE } }] }, ['/f/a', '/f/b']],
    ['a list of types', { type: ['object', 'null'], 'x-mcp-file': {} }, ['/f']],
    ['nullable', { type: 'object', nullable: true, 'x-mcp-file': {} }, ['/f']],
    [
      'an argument of either one file or several',
      { 'x-mcp-file': {}, anyOf: [{ type: 'object' }, { type: 'array', items: { type: 'object' } }] },
      ['/f', '/f/*'],
    ],
    ['the keyword on the array, about its items', { type: 'array', 'x-mcp-file': {}, items: URI }, ['/f/*']],
    ['the keyword on an array of nothing stated', { type: 'array', 'x-mcp-file': {} }, ['/f/*']],
    ['the keyword on an array that may be null', { type: ['array', 'null'], 'x-mcp-file': {}, items: URI }, ['/f/*']],
    ['not under not', { not: FILE }, []],
    ['not in examples, default, const or enum', { default: FILE, examples: [FILE], const: FILE, enum: [FILE] }, []],
    ['not on a number', { type: 'number', 'x-mcp-file': {} }, []],
    ['not as false', { type: 'object', 'x-mcp-file': false }, []],
    ['not as null', { type: 'object', 'x-mcp-file': null }, []],
    ['not as a text', { type: 'object', 'x-mcp-file': 'yes' }, []],
    ['not as a list', { type: 'object', 'x-mcp-file': [] }, []],
    ['not as an argument of that name', { properties: { 'x-mcp-file': { type: 'object' } } }, []],
  ])('%s', (_, schema, expected) => {
    expect(pointers(withArgument(schema))).toEqual(expected);
  });

  test('names are escaped as JSON Pointer says', () => {
    expect(pointers(tool({ properties: { 'a/b': FILE, 'm~n': FILE, '': FILE } }))).toEqual(['/a~1b', '/m~0n', '/']);
  });

  test('the arguments themselves are no file', () => {
    expect(pointers(tool({ type: 'object', 'x-mcp-file': {}, properties: { a: FILE } }))).toEqual(['/a']);
  });

  test('nearest to the top first, else in the order of the schema', () => {
    const properties = { z: { properties: { y: FILE } }, b: FILE, a: FILE };
    expect(pointers(tool({ properties }))).toEqual(['/b', '/a', '/z/y']);
  });

  test.each([undefined, null, true, 'x', []])('no schema: %j', schema => {
    expect(fileArguments(tool(schema))).toEqual([]);
  });

  test('the tool is not changed', () => {
    const given = withArgument(
      { anyOf: [{ $ref: '#/$defs/F' }] },
      { $defs: { F: FILE } },
      { 'openai/fileParams': ['g'] },
    );
    const before = structuredClone(given);
    fileArguments(given);
    declarationAt(given, '/f');
    expect(given).toEqual(before);
  });
});
