import { describe, expect, test } from 'vitest';
import { fileArguments, type JsonObject } from '../../src/protocol/index.js';
import { only, tool, withArgument } from './schemas.js';

describe('accept and maxSize', () => {
  const keyword = (value: unknown) => ({ type: 'object', 'x-mcp-file': value });
  const A = ['image/*'];
  const B = ['.pdf'];
  test.each<[string, unknown, JsonObject, number]>([
    ['both', keyword({ accept: A, maxSize: 5 }), { accept: A, maxSize: 5 }, 0],
    ['a limit of 0', keyword({ maxSize: 0 }), { maxSize: 0 }, 0],
    ['a negative limit', keyword({ maxSize: -1 }), {}, 1],
    ['a broken limit', keyword({ maxSize: 0.5 }), {}, 1],
    ['a limit in words', keyword({ maxSize: '5' }), {}, 1],
    ['an empty list', keyword({ accept: [] }), {}, 1],
    ['a text for a list', keyword({ accept: 'image/*' }), {}, 1],
    ['a list with other things in it', keyword({ accept: [5, 'image/*', null] }), { accept: A }, 0],
    ['a list that is too long', keyword({ accept: Array.from({ length: 257 }, (_, i) => `a/${i}`) }), {}, 1],
    [
      'branches that list too much',
      { anyOf: [0, 1].map(n => keyword({ accept: Array.from({ length: 200 }, (_, i) => `a${n}/${i}`) })) },
      {},
      0,
    ],
    ['members of its prototype', keyword(Object.create({ accept: A, maxSize: 5 })), {}, 0],
    [
      'the keyword on the list',
      { type: 'array', 'x-mcp-file': { accept: A, maxSize: 5 }, items: {} },
      { accept: A, maxSize: 5 },
      0,
    ],
    ['what the reference adds', { $ref: '#/$defs/F', 'x-mcp-file': { accept: A } }, { accept: A, maxSize: 9 }, 0],
    [
      'the nearer list and the smaller limit',
      { $ref: '#/$defs/F', 'x-mcp-file': { maxSize: 3 } },
      { accept: B, maxSize: 3 },
      0,
    ],
    [
      'the larger limit of the reference',
      { $ref: '#/$defs/F', 'x-mcp-file': { maxSize: 30, accept: A } },
      { accept: A, maxSize: 9 },
      0,
    ],
    [
      'either of two branches',
      { oneOf: [keyword({ accept: A, maxSize: 5 }), keyword({ accept: B, maxSize: 7 })] },
      { accept: [...A, ...B], maxSize: 7 },
      0,
    ],
    ['a branch without limits', { oneOf: [keyword({ accept: A, maxSize: 5 }), keyword({})] }, {}, 0],
    [
      'by a pattern, or the rest',
      { patternProperties: { '^(x)': keyword({ accept: A }) }, additionalProperties: keyword({ accept: B }) },
      { accept: [...A, ...B] },
      0,
    ],
    [
      'what holds for all branches',
      { 'x-mcp-file': { maxSize: 6 }, oneOf: [keyword({ accept: A }), keyword({ accept: B, maxSize: 7 })] },
      { accept: [...A, ...B], maxSize: 6 },
      0,
    ],
    [
      'the object beside a string of its own',
      { anyOf: [keyword({ maxSize: 5 }), { type: 'string', 'x-mcp-file': { maxSize: 1 } }] },
      { maxSize: 5 },
      0,
    ],
  ])('%s', (_, schema, expected, notes) => {
    const said: string[] = [];
    const given = withArgument(schema, { $defs: { F: keyword({ accept: B, maxSize: 9 }) } });
    const [argument] = fileArguments(given, message => said.push(message));
    const { pointer: _p, required: _r, dialect, ...limits } = argument!;
    expect(dialect).toBe('extension');
    expect(limits).toEqual(expected);
    expect(said).toHaveLength(notes);
  });

  test('a file of one kind of call or another', () => {
    const branch = (kind: string, accept: string[]) => ({
      properties: { kind: { const: kind }, f: keyword({ accept }) },
    });
    expect(only(tool({ type: 'object', oneOf: [branch('a', A), branch('b', B)] })).accept).toEqual([...A, ...B]);
  });
});
