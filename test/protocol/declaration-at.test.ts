import { describe, expect, test } from 'vitest';
import { declarationAt, type JsonObject, type Tool } from '../../src/protocol/index.js';

const FILE = { type: 'object', 'x-mcp-file': {} };
const tool = (properties: JsonObject, more: JsonObject = {}, _meta?: JsonObject) =>
  ({ name: 't', inputSchema: { type: 'object', properties, ...more }, _meta }) as Tool;
const members = (...names: string[]) => Object.fromEntries(names.map(name => [name, {}]));

describe('declarationAt', () => {
  const given = tool(
    {
      deck: FILE,
      assets: { type: 'array', items: FILE, minItems: 2 },
      pair: { prefixItems: [FILE, {}] },
      rest: { prefixItems: [{}], items: FILE },
      map: { additionalProperties: FILE, properties: { plain: {} } },
      star: { type: 'object', properties: { '*': FILE, other: {} } },
      patterns: { patternProperties: { '^file_': FILE, '^note$': FILE, _end$: FILE } },
      regex: { patternProperties: { '^(a+)+$': FILE }, additionalProperties: false },
      nested: { type: 'array', items: { type: 'object', properties: { 'a/b': { type: 'array', items: FILE } } } },
    },
    { required: ['deck', 'assets'] },
  );

  test.each<[string, string, boolean]>([
    ['/deck', '/deck', true],
    ['/assets/0', '/assets/*', true],
    ['/assets/17', '/assets/*', false],
    ['/pair/0', '/pair/0', false],
    ['/rest/1', '/rest/*', false],
    ['/map/anything', '/map/*', false],
    ['/map/*', '/map/*', false],
    ['/map/0', '/map/*', false],
    ['/map/__proto__', '/map/*', false],
    ['/map/', '/map/*', false],
    ['/star/*', '/star/*', false],
    ['/patterns/file_1', '/patterns/*', false],
    ['/patterns/note', '/patterns/*', false],
    ['/patterns/the_end', '/patterns/*', false],
    ['/regex/aaaa', '/regex/*', false],
    ['/nested/3/a~1b/0', '/nested/*/a~1b/*', false],
  ])('%s is declared as %s', (pointer, pattern, required) => {
    expect(declarationAt(given, pointer)).toEqual({ pointer: pattern, required, dialect: 'extension' });
  });

  test.each([
    '',
    '/',
    '/deck/name',
    '/assets',
    '/assets/*',
    '/assets/-',
    '/assets/01',
    '/assets/length',
    '/assets/0/x',
    '/pair/1',
    '/pair/2',
    '/rest/0',
    '/map',
    '/map/plain',
    '/star/other',
    '/star/x',
    '/patterns/other',
    '/patterns/notes',
    '/patterns/my_file_',
    '/patterns/_ending',
    '/nested/3/a/b/0',
    '/constructor',
    '/__proto__',
    '/deck/__proto__',
  ])('%j is not declared', pointer => {
    expect(declarationAt(given, pointer)).toBeUndefined();
  });

  test.each(['deck', '/de~ck', '#/deck'])('%j is no pointer', pointer => {
    expect(() => declarationAt(given, pointer)).toThrow(expect.objectContaining({ code: 'argument_invalid' }));
  });

  test('the arguments themselves are no file', () => {
    expect(declarationAt(tool({}, { 'x-mcp-file': {} }), '')).toBeUndefined();
  });

  test('own members called as those of a prototype', () => {
    const properties = JSON.parse('{"__proto__":{"x-mcp-file":{}},"constructor":{"x-mcp-file":{}}}');
    expect(declarationAt(tool(properties), '/__proto__')).toMatchObject({ pointer: '/__proto__' });
    expect(declarationAt(tool(properties), '/constructor')).toMatchObject({ pointer: '/constructor' });
    expect(declarationAt(tool(properties), '/toString')).toBeUndefined();
  });

  test('a string that may be a list too', () => {
    const either = { 'x-mcp-file': {}, type: ['string', 'array'], items: { type: 'string' } };
    expect(declarationAt(tool({ f: either }), '/f')?.dialect).toBe('data-uri');
    expect(declarationAt(tool({ f: either }), '/f/0')?.dialect).toBe('data-uri');
  });
});

describe('what the writer must know', () => {
  const closed = (...names: string[]) => ({
    type: 'object',
    properties: members(...names),
    additionalProperties: false,
  });
  const marked = { 'x-mcp-file': {} };

  test.each<[string, JsonObject, string[] | undefined]>([
    ['an open schema', { ...marked, type: 'object', properties: members('name') }, undefined],
    ['a closed schema', { ...marked, ...closed('size', 'data') }, ['size', 'data']],
    ['a closed schema of nothing', { ...marked, ...closed() }, []],
    ['closed behind $ref', { ...marked, $ref: '#/$defs/F' }, ['name', 'size', 'data']],
    [
      'closed behind $ref in anyOf',
      { ...marked, anyOf: [{ $ref: '#/$defs/F' }, { type: 'null' }] },
      ['name', 'size', 'data'],
    ],
    ['closed in a branch', { anyOf: [{ ...marked, ...closed('size') }, { type: 'null' }] }, ['size']],
    ['another branch closed', { anyOf: [{ ...marked, type: 'object' }, closed('uri')] }, undefined],
    [
      'a closed branch that is no object',
      { ...marked, anyOf: [{ type: 'object' }, { type: 'array', additionalProperties: false }] },
      undefined,
    ],
    ['both branches closed', { anyOf: [{ ...marked, ...closed('size') }, closed('uri')] }, ['size']],
    ['branches under the keyword', { ...marked, anyOf: [closed('size'), closed('size', 'uri')] }, ['size', 'uri']],
    ['closed twice', { ...marked, allOf: [closed('name', 'size'), closed('size', 'data')] }, ['size']],
    [
      'closed, with a closed branch',
      { ...marked, ...closed('name', 'size'), anyOf: [closed('size', 'data')] },
      ['size'],
    ],
    [
      'closed by unevaluatedProperties',
      {
        ...marked,
        type: 'object',
        allOf: [{ properties: members('a') }],
        properties: members('b'),
        unevaluatedProperties: false,
      },
      ['b', 'a'],
    ],
    ['closed but for patterns', { ...marked, ...closed('size'), patternProperties: { '^x-': {} } }, undefined],
    ['a schema for the rest', { ...marked, type: 'object', additionalProperties: { type: 'string' } }, undefined],
    ['a text', { ...marked, type: 'string', ...members('properties') }, undefined],
  ])('%s', (_, schema, expected) => {
    const declaration = declarationAt(tool({ f: schema }, { $defs: { F: closed('name', 'size', 'data') } }), '/f');
    expect(declaration).toBeDefined();
    expect(declaration?.allowedMembers && [...declaration.allowedMembers]).toEqual(expected);
  });

  test.each(['openai/fileParams', 'x-mcp-file'])('%s in _meta takes the members of any branch', key => {
    const schema = { anyOf: [closed('file_id', 'download_url'), { type: 'null' }] };
    const declaration = declarationAt(tool({ f: schema }, {}, { [key]: ['f'] }), '/f');
    expect([...(declaration?.allowedMembers ?? [])]).toEqual(['file_id', 'download_url']);
  });

  test('transferModes of SEP-2631', () => {
    const schema = (transferModes: unknown) => ({ type: 'string', 'x-mcp-file': { transferModes } });
    expect(declarationAt(tool({ f: schema(['upload']) }), '/f')?.transferModes).toEqual(['upload']);
    expect(declarationAt(tool({ f: schema(['upload', 'inline', 'upload']) }), '/f')?.transferModes).toEqual([
      'inline',
      'upload',
    ]);
    expect(declarationAt(tool({ f: schema(['carrier-pigeon']) }), '/f')).not.toHaveProperty('transferModes');
    expect(declarationAt(tool({ f: FILE }), '/f')).not.toHaveProperty('transferModes');
  });
});
