import { describe, expect, test } from 'vitest';
import { fileArguments, type JsonObject } from '../../src/protocol/index.js';
import { FILE, tool } from './schemas.js';

describe('required', () => {
  test.each<[string, JsonObject, boolean]>([
    ['named at the top', { properties: { f: FILE }, required: ['f'] }, true],
    ['not named', { properties: { f: FILE } }, false],
    ['another named', { properties: { f: FILE, g: {} }, required: ['g'] }, false],
    [
      'named at every level',
      { properties: { a: { properties: { f: FILE }, required: ['f'] } }, required: ['a'] },
      true,
    ],
    ['named below only', { properties: { a: { properties: { f: FILE }, required: ['f'] } } }, false],
    ['named above only', { properties: { a: { properties: { f: FILE } } }, required: ['a'] }, false],
    [
      'through $ref',
      {
        properties: { a: { $ref: '#/$defs/A' } },
        required: ['a'],
        $defs: { A: { properties: { f: FILE }, required: ['f'] } },
      },
      true,
    ],
    ['named in allOf', { allOf: [{ required: ['f'] }], properties: { f: FILE } }, true],
    ['named in one of several branches', { anyOf: [{ required: ['f'] }, {}], properties: { f: FILE } }, false],
    [
      'in an object that may be null',
      {
        properties: { a: { anyOf: [{ properties: { f: FILE }, required: ['f'] }, { type: 'null' }] } },
        required: ['a'],
      },
      false,
    ],
    [
      'an only branch',
      { properties: { a: { oneOf: [{ properties: { f: FILE }, required: ['f'] }] } }, required: ['a'] },
      true,
    ],
    [
      'in one of several branches and in any case',
      {
        anyOf: [{ $ref: '#/$defs/R' }, {}],
        allOf: [{ $ref: '#/$defs/R' }],
        $defs: { R: { properties: { f: FILE }, required: ['f'] } },
      },
      true,
    ],
    [
      'in any case and in one of several branches',
      {
        allOf: [{ anyOf: [{}, { $ref: '#/$defs/R' }] }, { $ref: '#/$defs/R' }],
        $defs: { R: { properties: { f: FILE }, required: ['f'] } },
      },
      true,
    ],
    ['nullable itself', { properties: { f: { anyOf: [FILE, { type: 'null' }] } }, required: ['f'] }, true],
    [
      'items of a list that may be empty',
      { properties: { f: { type: 'array', items: FILE } }, required: ['f'] },
      false,
    ],
    [
      'items of a list that may not',
      { properties: { f: { type: 'array', items: FILE, minItems: 1 } }, required: ['f'] },
      true,
    ],
    [
      'items after those with a position',
      { properties: { f: { prefixItems: [{}], items: FILE, minItems: 1 } }, required: ['f'] },
      false,
    ],
    [
      'a position within the least length',
      { properties: { f: { prefixItems: [{}, FILE], minItems: 2 } }, required: ['f'] },
      true,
    ],
    ['map keys', { properties: { f: { additionalProperties: FILE } }, required: ['f'] }, false],
    ['a list of names that is none', { properties: { f: FILE }, required: 'f' }, false],
  ])('%s', (_, schema, expected) => {
    const [argument] = fileArguments(tool({ type: 'object', ...schema }));
    expect(argument?.required).toBe(expected);
  });
});
