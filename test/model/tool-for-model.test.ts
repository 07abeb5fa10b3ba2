import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { fileArguments, type Tool, toolForModel } from '../../src/index.js';
import { startReferenceServer } from '../../src/testing/index.js';
import { FILE, tool, URI, withArgument } from '../protocol/schemas.js';

const HANDLE = 'mcpfile_abcdefghijklmnopqrstuvwxyz';
const TEXT = expect.stringContaining('"mcpfile_"');
const MASKED = { type: 'string', description: TEXT };
const DECK = {
  type: 'object',
  title: 'Deck',
  description: 'The deck',
  'x-mcp-file': { accept: ['.pdf', 'image/*'], maxSize: 5000 },
  properties: { name: { type: 'string' }, size: { type: 'integer' }, data: { type: 'string' } },
  required: ['name', 'size'],
  additionalProperties: false,
};

const schemaOf = (given: Tool): any => toolForModel(given).inputSchema;
const argument = (schema: unknown, more = {}, meta?: unknown): any =>
  schemaOf(withArgument(schema, more, meta)).properties.f;

/** Not written out, as the linter takes an object with this member for a promise. */
const conditional = (then: object): object => ({ if: { required: ['x'] }, ...Object.fromEntries([['then', then]]) });

/** Does the schema take these arguments? Strict about everything that makes a schema broken, a lost `$ref` before all. */
function takes(schema: any, value: unknown): boolean {
  return new Ajv2020({ strict: false, logger: false }).compile(schema)(value) as boolean;
}

describe('a tool for the model', () => {
  it('has no declaration beside its schema, and the argument is masked by it', () => {
    const given = { ...withArgument({ type: 'string' }), inputFiles: { f: { accept: ['image/*'] } } };
    const masked = toolForModel({ ...given, _meta: { inputFiles: { f: {} }, other: 1 } });
    expect(masked.inputSchema).toMatchObject({ properties: { f: MASKED } });
    expect(masked).not.toHaveProperty('inputFiles');
    expect(masked._meta).toEqual({ other: 1 });
  });

  it('has a string in place of a file, and the words of its author before ours', () => {
    const given = {
      ...withArgument(DECK, { required: ['f'] }),
      description: 'Publishes.',
      outputSchema: { type: 'object' },
    };
    const before = structuredClone(given);
    const masked = toolForModel(given);
    expect(given).toEqual(before);
    expect(masked).toEqual({
      ...given,
      inputSchema: {
        type: 'object',
        properties: {
          f: {
            type: 'string',
            title: 'Deck',
            description:
              'The deck. Takes a file: pass its handle, the text that starts with "mcpfile_", and nothing else (no path, URL or content). Accepted: .pdf, image/*. At most 5000 bytes.',
          },
        },
        required: ['f'],
      },
    });
  });

  it('is the same again when it is masked twice', () => {
    const once = toolForModel(withArgument(DECK));
    expect(toolForModel(once)).toEqual(once);
  });

  it('keeps what it has beside, but for what the client adds for the host', () => {
    const given = {
      ...withArgument(DECK),
      fileArguments: fileArguments(withArgument(DECK)),
      annotations: { title: 'T' },
    };
    const { inputSchema, ...rest } = toolForModel(given);
    const { inputSchema: _, fileArguments: __, ...restBefore } = given;
    expect(rest).toEqual(restBefore);
  });

  it.each([undefined, null, 7])('takes a tool whose schema is %s', inputSchema => {
    expect(toolForModel(tool(inputSchema))).toEqual(tool(inputSchema));
  });

  it.each<[string, unknown, unknown]>([
    ['an object', FILE, MASKED],
    ['a data URI', { ...URI, 'x-mcp-file': {}, maxLength: 9, pattern: '^data:' }, MASKED],
    ['true', { type: 'object', 'x-mcp-file': true }, MASKED],
    ['no type', { 'x-mcp-file': {} }, MASKED],
    [
      'what may be null',
      { type: ['object', 'null'], 'x-mcp-file': {}, default: null },
      { ...MASKED, type: ['string', 'null'] },
    ],
    ['what a branch may be null', { anyOf: [FILE, { type: 'null' }] }, { anyOf: [MASKED, { type: 'null' }] }],
    [
      'a keyword around branches',
      { 'x-mcp-file': {}, anyOf: [{ type: 'object' }, { type: 'null' }] },
      { ...MASKED, type: ['string', 'null'] },
    ],
    ['a list by its items', { type: 'array', items: FILE, maxItems: 3 }, { type: 'array', items: MASKED, maxItems: 3 }],
    [
      'a list by itself',
      { type: 'array', items: { type: 'object' }, minItems: 1, 'x-mcp-file': {}, description: 'Some' },
      { type: 'array', items: MASKED, minItems: 1, description: 'Some' },
    ],
    ['a list without items', { type: 'array', 'x-mcp-file': {} }, { type: 'array', items: MASKED }],
    [
      'one or many',
      { 'x-mcp-file': {}, type: ['object', 'array'], items: { type: 'object' } },
      { ...MASKED, type: ['string', 'array'], items: MASKED },
    ],
    ['a map', { type: 'object', additionalProperties: FILE }, { type: 'object', additionalProperties: MASKED }],
    [
      'names by pattern',
      { type: 'object', patternProperties: { '^a': FILE } },
      { type: 'object', patternProperties: { '^a': MASKED } },
    ],
    [
      'places of a list',
      { type: 'array', prefixItems: [{ type: 'string' }, FILE] },
      { type: 'array', prefixItems: [{ type: 'string' }, MASKED] },
    ],
    [
      'parts that together are a file',
      { allOf: [{ 'x-mcp-file': {} }, { type: 'object', required: ['name'] }] },
      MASKED,
    ],
    [
      'a branch under a type',
      { type: 'object', anyOf: [{ 'x-mcp-file': {} }, { required: ['url'] }] },
      { type: ['object', 'string'], anyOf: [MASKED, { required: ['url'] }] },
    ],
    [
      'a branch beside a part that wants an object',
      { allOf: [{ type: 'object' }, { anyOf: [FILE, { type: 'null' }] }] },
      { allOf: [{ type: ['object', 'string'] }, { anyOf: [MASKED, { type: 'null' }] }] },
    ],
    [
      'one of a file and a text, which are both texts now',
      { oneOf: [FILE, { type: 'string', format: 'uri' }] },
      { anyOf: [MASKED, { type: 'string', format: 'uri' }] },
    ],
    ['one of a file and a number', { oneOf: [FILE, { type: 'number' }] }, { oneOf: [MASKED, { type: 'number' }] }],
    ['then', conditional({ properties: { g: FILE } }), conditional({ properties: { g: MASKED } })],
    ['a number with the keyword: no file', { type: 'number', 'x-mcp-file': {} }, { type: 'number' }],
    ['false', { type: 'object', 'x-mcp-file': false }, { type: 'object' }],
    [
      'a member of that name',
      { type: 'object', properties: { 'x-mcp-file': { type: 'number' } } },
      { type: 'object', properties: { 'x-mcp-file': { type: 'number' } } },
    ],
    ['a default of that name', { default: { 'x-mcp-file': {} } }, { default: { 'x-mcp-file': {} } }],
    ['a boolean', true, true],
  ])('masks %s', (_, schema, expected) => {
    expect(argument(schema)).toEqual(expected);
  });

  it('masks below other arguments, however deep', () => {
    const nested = {
      type: 'object',
      properties: { list: { type: 'array', items: { properties: { g: DECK, n: { type: 'number' } } } } },
    };
    expect(argument(nested).properties.list.items.properties).toEqual({
      g: expect.objectContaining({ type: 'string' }),
      n: { type: 'number' },
    });
  });

  it('masks what `_meta` declares, and takes the declaration away', () => {
    const meta = { 'x-mcp-file': { f: { accept: ['.csv'] }, '/more/*/file': {} }, other: 1 };
    const given = tool(
      {
        type: 'object',
        properties: {
          f: { type: 'object', description: 'A table.' },
          more: { type: 'array', items: { type: 'object', properties: { file: { type: ['object', 'null'] } } } },
        },
      },
      meta,
    );
    const masked = toolForModel(given);
    expect(masked._meta).toEqual({ other: 1 });
    expect(masked.inputSchema!.properties).toEqual({
      f: { type: 'string', description: expect.stringMatching(/^A table\. Takes a file.*Accepted: \.csv\.$/) },
      more: { type: 'array', items: { type: 'object', properties: { file: { ...MASKED, type: ['string', 'null'] } } } },
    });
    expect(toolForModel(tool({}, { 'x-mcp-file': {} }))).not.toHaveProperty('_meta');
  });

  it('masks openai/fileParams: one file, a list of them, and what the schema does not list', () => {
    const given = tool(
      {
        type: 'object',
        properties: {
          one: { type: 'object', properties: { download_url: { type: 'string' }, file_id: { type: 'string' } } },
          many: { type: 'array', items: { $ref: '#/$defs/File' } },
          text: { type: 'string' },
        },
        $defs: { File: { type: 'object', properties: { download_url: { type: 'string' } } } },
      },
      { 'openai/fileParams': ['one', 'many', 'unlisted', 'text'] },
    );
    const masked = toolForModel(given);
    expect(masked).not.toHaveProperty('_meta');
    expect((masked.inputSchema as any).properties).toEqual({
      one: MASKED,
      many: { type: 'array', items: MASKED },
      text: { type: 'string' },
      unlisted: MASKED,
    });
  });
});

describe('a definition that is shared', () => {
  const Blob = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
  const twice = (f: object, meta?: unknown): any =>
    schemaOf(tool({ type: 'object', properties: { f, other: { $ref: '#/$defs/Blob' } }, $defs: { Blob } }, meta));

  it.each<[string, object, unknown]>([
    ['the keyword beside the reference', { $ref: '#/$defs/Blob', 'x-mcp-file': {} }, undefined],
    ['the keyword around it', { allOf: [{ $ref: '#/$defs/Blob' }], 'x-mcp-file': {} }, undefined],
    ['a declaration in `_meta`', { $ref: '#/$defs/Blob' }, { 'x-mcp-file': { f: {} } }],
    ['openai/fileParams', { $ref: '#/$defs/Blob' }, { 'openai/fileParams': ['f'] }],
    ['a branch of several', { anyOf: [{ $ref: '#/$defs/Blob', 'x-mcp-file': {} }, { type: 'null' }] }, undefined],
  ])('is a file in one place and not in the other: %s', (_, f, meta) => {
    const schema = twice(f, meta);
    expect(takes(schema, { f: HANDLE, other: { name: 'x' } })).toBe(true);
    expect(takes(schema, { f: { name: 'x' }, other: { name: 'x' } })).toBe(false);
    expect(takes(schema, { f: HANDLE, other: HANDLE })).toBe(false);
  });

  it('is a file in both where it says so itself', () => {
    const schema = schemaOf(
      tool({
        type: 'object',
        properties: { f: { $ref: '#/$defs/File' }, g: { $ref: '#/$defs/File', description: 'Second' } },
        $defs: { File: DECK },
      }),
    );
    expect(schema.properties.g.description).toMatch(/^Second\. Takes a file/);
    expect(takes(schema, { f: HANDLE, g: HANDLE })).toBe(true);
    expect(takes(schema, { f: { name: 'x', size: 1 } })).toBe(false);
  });

  it.each<[string, object, object, unknown]>([
    ['the argument itself', { $ref: '#/properties/f' }, { name: 'x' }, { 'x-mcp-file': { f: {} } }],
    ['a part of it', { $ref: '#/properties/f/properties/name' }, 'x' as never, undefined],
    ['the whole', { $ref: '#' }, { f: { name: 'x' } }, { 'x-mcp-file': { f: {} } }],
    ['its anchor', { $ref: '#here' }, { name: 'x' }, { 'x-mcp-file': { f: {} } }],
  ])('may be %s', (_, other, value, meta) => {
    const f = { ...Blob, $anchor: 'here', ...(meta === undefined ? { 'x-mcp-file': {} } : {}) };
    const schema = schemaOf(tool({ type: 'object', properties: { f, other } }, meta));
    expect(takes(schema, { f: HANDLE, other: value })).toBe(true);
    expect(takes(schema, { f: HANDLE, other: 7 })).toBe(false);
    expect(takes(schema, { f: { name: 'x' } })).toBe(false);
  });

  it('keeps a definition that stands inside a file', () => {
    const f = { ...DECK, $defs: { Size: { type: 'integer' } } };
    const schema = schemaOf(tool({ type: 'object', properties: { f, n: { $ref: '#/properties/f/$defs/Size' } } }));
    expect(takes(schema, { f: HANDLE, n: 3 })).toBe(true);
    expect(takes(schema, { n: 'x' })).toBe(false);
  });

  it('follows one that contains itself', () => {
    const Node = {
      type: 'object',
      properties: { f: DECK, children: { type: 'array', items: { $ref: '#/$defs/Node' } } },
    };
    const schema = schemaOf(tool({ type: 'object', properties: { tree: { $ref: '#/$defs/Node' } }, $defs: { Node } }));
    expect(takes(schema, { tree: { f: HANDLE, children: [{ f: HANDLE, children: [] }] } })).toBe(true);
    expect(takes(schema, { tree: { children: [{ f: { name: 'x', size: 1 } }] } })).toBe(false);
  });

  it('reaches below one from outside', () => {
    const Item = { type: 'object', properties: { file: { type: 'object' }, note: { type: 'string' } } };
    const schema = schemaOf(
      tool(
        { type: 'object', properties: { a: { $ref: '#/$defs/Item' }, b: { $ref: '#/$defs/Item' } }, $defs: { Item } },
        { 'x-mcp-file': { '/a/file': {} } },
      ),
    );
    expect(takes(schema, { a: { file: HANDLE, note: 'x' }, b: { file: {} } })).toBe(true);
    expect(takes(schema, { b: { file: HANDLE } })).toBe(false);
    expect(takes(schema, { a: { file: {} } })).toBe(false);
  });

  it('is found under a name of its own', () => {
    const meta = { 'x-mcp-file': { f: {} } };
    const schema = schemaOf(
      tool(
        {
          type: 'object',
          properties: { f: Blob, other: { $ref: '#/properties/f' } },
          $defs: { shared1: { type: 'number' } },
        },
        meta,
      ),
    );
    expect(schema.$defs.shared1).toEqual({ type: 'number' });
    expect(takes(schema, { f: HANDLE, other: { name: 'x' } })).toBe(true);
  });

  it('leaves a reference to elsewhere as it is', () => {
    expect(argument({ $ref: 'https://example.com/file.json' })).toEqual({ $ref: 'https://example.com/file.json' });
  });
});

it('masks every tool of a real server so that handles fit, and nothing is left that declares a file', async () => {
  const server = await startReferenceServer();
  try {
    const { TOOL_DEFINITIONS } = await import('../../src/testing/tools.js');
    const args: Record<string, object> = {
      save_file: { folder: 'inbox', document: HANDLE },
      save_files: { documents: [HANDLE, HANDLE] },
      publish: { site: 's', deck: HANDLE, assets: [HANDLE], branding: { theme: 'dark', logo: HANDLE }, notes: null },
      save_image: { image: HANDLE },
    };
    for (const definition of TOOL_DEFINITIONS) {
      const masked = toolForModel(definition as Tool);
      expect(fileArguments(masked)).toEqual([]);
      expect(JSON.stringify(masked)).not.toContain('x-mcp-file');
      const given = args[definition.name];
      if (given) expect(takes(masked.inputSchema, given)).toBe(true);
    }
  } finally {
    await server.close();
  }
});

it('keeps an argument that is called like a member of every object', () => {
  const properties = JSON.parse(
    '{"__proto__": {"type": "object", "x-mcp-file": {}}, "constructor": {"type": "number"}}',
  );
  const { properties: masked } = schemaOf(tool({ type: 'object', properties }));
  expect(Object.keys(masked)).toEqual(['__proto__', 'constructor']);
  expect(Object.getOwnPropertyDescriptor(masked, '__proto__')!.value).toEqual(MASKED);
});
