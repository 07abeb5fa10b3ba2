import { describe, expect, test } from 'vitest';
import { declarationAt, fileArguments, type JsonObject } from '../../src/protocol/index.js';
import { FILE, tool, URI, withArgument } from './schemas.js';

describe("declarations in the tool's _meta", () => {
  const file = (map: unknown) => ({ 'x-mcp-file': map });
  const openai = (list: unknown) => ({ 'openai/fileParams': list });
  const OBJECT = { type: 'object' };
  const EXTENSION = { pointer: '/f', dialect: 'extension' };
  const LINK = { pointer: '/f', dialect: 'openai-file-params' };

  test.each<[string, unknown, unknown, JsonObject[]]>([
    ['a map by name', URI, file({ f: { accept: ['a/b'] } }), [{ pointer: '/f', accept: ['a/b'], dialect: 'data-uri' }]],
    ['a map by pointer', OBJECT, file({ '/f': true }), [EXTENSION]],
    ['a list of names', OBJECT, file(['f']), [EXTENSION]],
    [
      'a list argument',
      { type: 'array', items: URI },
      file({ f: { maxSize: 5 } }),
      [{ pointer: '/f/*', maxSize: 5, dialect: 'data-uri' }],
    ],
    [
      'items by pointer',
      { type: 'array', items: URI },
      file({ '/f/*': {} }),
      [{ pointer: '/f/*', dialect: 'data-uri' }],
    ],
    [
      'a nested pointer',
      { type: 'array', items: { properties: { a: URI } } },
      file({ '/f/*/a': {} }),
      [{ pointer: '/f/*/a', dialect: 'data-uri' }],
    ],
    ['a position', { prefixItems: [{}, URI] }, file({ '/f/1': {} }), [{ pointer: '/f/1', dialect: 'data-uri' }]],
    [
      'behind $ref and anyOf',
      { anyOf: [{ $ref: '#/$defs/S' }, { type: 'null' }] },
      file({ f: {} }),
      [{ pointer: '/f', dialect: 'data-uri' }],
    ],
    [
      'beside the keyword in the schema, which wins',
      { ...OBJECT, 'x-mcp-file': { maxSize: 5 } },
      file({ f: { maxSize: 9, accept: ['a/b'] } }),
      [{ ...EXTENSION, accept: ['a/b'], maxSize: 5 }],
    ],
    ['nothing that is a keyword', OBJECT, file({ f: 'yes' }), []],
    ['nothing that is a pointer', OBJECT, file({ '/f~': {} }), []],
    ['an argument that the schema does not show', OBJECT, file({ g: {} }), [{ ...EXTENSION, pointer: '/g' }]],
    ['openai/fileParams', OBJECT, openai(['f']), [LINK]],
    ['openai/fileParams, a list', { type: 'array', items: OBJECT }, openai(['f']), [{ ...LINK, pointer: '/f/*' }]],
    ['openai/fileParams where x-mcp-file stands', FILE, openai(['f']), [EXTENSION]],
    [
      'openai/fileParams where x-mcp-file stands on items',
      { type: 'array', items: FILE },
      openai(['f']),
      [{ ...EXTENSION, pointer: '/f/*' }],
    ],
    ['openai/fileParams and a map', OBJECT, { ...openai(['f']), ...file({ f: {} }) }, [EXTENSION]],
    ['openai/fileParams on a text', { type: 'string' }, openai(['f']), []],
    ['openai/fileParams with other things', OBJECT, openai([5, null, 'f']), [LINK]],
    ['openai/fileParams that are no list', OBJECT, openai('f'), []],
    ['members of its prototype', OBJECT, Object.create(file({ f: {} })), []],
    [
      'openai/fileParams beside an array with the keyword',
      { anyOf: [{ type: 'array', 'x-mcp-file': {}, items: OBJECT }, OBJECT] },
      openai(['f']),
      [{ ...EXTENSION, pointer: '/f/*' }],
    ],
    ['a text', OBJECT, 'x-mcp-file', []],
  ])('%s', (_, schema, meta, expected) => {
    const found = fileArguments(withArgument(schema, { $defs: { S: URI } }, meta));
    expect(found).toEqual(expected.map(argument => ({ required: false, ...argument })));
  });

  test('the type of one branch of the arguments counts where it is the only one', () => {
    const schema = { anyOf: [{ properties: { f: URI } }, {}] };
    expect(fileArguments(tool(schema, file({ f: {} })))).toMatchObject([{ pointer: '/f', dialect: 'data-uri' }]);
  });

  test('required is what the schema says', () => {
    expect(fileArguments(withArgument(OBJECT, { required: ['f'] }, openai(['f'])))).toEqual([
      { ...LINK, required: true },
    ]);
  });

  test('an argument called * is a member, not every item', () => {
    const given = tool({ properties: { '*': OBJECT } }, openai(['*']));
    expect(declarationAt(given, '/*')).toEqual({ ...LINK, pointer: '/*', required: false });
  });
});
