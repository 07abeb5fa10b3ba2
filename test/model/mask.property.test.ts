import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fileArguments, type Tool, toolForModel } from '../../src/index.js';
import { counted } from '../protocol/counted.js';

const HANDLE = 'mcpfile_abcdefghijklmnopqrstuvwxyz';

/** A schema, arguments that fit it as the server wrote it, and the same with handles, as the model gives them. */
interface Made {
  readonly schema: any;
  readonly given: any;
  readonly handled: any;
}

const made = (schema: any, given: any, handled = given): Made => ({ schema, given, handled });
const KEYWORD = { accept: ['image/*'], maxSize: 10 };
const FILE = { name: 'a', size: 1 };
const SHAPE = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

const leaf: fc.Arbitrary<Made> = fc.constantFrom(
  made({ type: 'number', minimum: 1 }, 3),
  made({ type: 'string', minLength: 1 }, 'x'),
  made({ type: ['null', 'boolean'] }, null),
  made({ $ref: '#/$defs/Shape' }, { name: 'x' }),
  made({ ...SHAPE, 'x-mcp-file': KEYWORD }, FILE, HANDLE),
  made({ type: 'string', format: 'uri', 'x-mcp-file': KEYWORD, pattern: '^data:' }, 'data:,x', HANDLE),
  made({ $ref: '#/$defs/File' }, FILE, HANDLE),
  made({ $ref: '#/$defs/Shape', 'x-mcp-file': KEYWORD }, FILE, HANDLE),
  made({ allOf: [{ $ref: '#/$defs/Shape' }, { 'x-mcp-file': {} }] }, FILE, HANDLE),
  made({ type: 'array', items: { type: 'object' }, 'x-mcp-file': KEYWORD }, [FILE, FILE], [HANDLE, HANDLE]),
);

const { schema: anySchema } = fc.letrec<{ schema: Made }>(tie => ({
  schema: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.dictionary(fc.constantFrom('a', 'b', 'x-mcp-file', 'type'), tie('schema'), { maxKeys: 3 }).map(members => {
      const pick = (part: keyof Made) =>
        Object.fromEntries(Object.entries(members).map(([name, each]) => [name, each[part]]));
      return made(
        { type: 'object', properties: pick('schema'), required: Object.keys(members), additionalProperties: false },
        pick('given'),
        pick('handled'),
      );
    }),
    tie('schema').map(({ schema, given, handled }) =>
      made({ type: 'array', items: schema, minItems: 1 }, [given], [handled]),
    ),
    tie('schema').map(({ schema, given, handled }) => made({ prefixItems: [true, schema] }, [0, given], [0, handled])),
    tie('schema').map(({ schema, given, handled }) =>
      made({ type: 'object', additionalProperties: schema }, { k: given }, { k: handled }),
    ),
    tie('schema').map(({ schema, given, handled }) => made({ anyOf: [schema, { const: 'never' }] }, given, handled)),
    tie('schema').map(({ schema, given, handled }) => made({ allOf: [schema], title: 'T' }, given, handled)),
    tie('schema').map(({ schema, given, handled }) =>
      made({ oneOf: [schema, { type: 'string', const: 'neither' }] }, given, handled),
    ),
  ),
}));

const asTool = ({ schema }: Made): Tool => ({
  name: 't',
  inputSchema: {
    type: 'object',
    properties: { f: schema },
    required: ['f'],
    $defs: { Shape: SHAPE, File: { ...SHAPE, 'x-mcp-file': KEYWORD } },
  },
});

const takes = (schema: any, value: unknown): boolean =>
  new Ajv2020({ strict: false, logger: false, validateFormats: false }).compile(schema)(value) as boolean;

it('takes handles wherever files went, and leaves nothing that declares one', () => {
  fc.assert(
    fc.property(anySchema, each => {
      const tool = asTool(each);
      const before = JSON.stringify(tool);
      expect(takes(tool.inputSchema, { f: each.given })).toBe(true);
      const masked = toolForModel(tool);
      expect(JSON.stringify(tool)).toBe(before);
      expect(takes(masked.inputSchema, { f: each.handled })).toBe(true);
      expect(fileArguments(masked)).toEqual([]);
      expect(toolForModel(masked)).toEqual(masked);
    }),
    { numRuns: 400 },
  );
});

it('changes nothing of a tool without files', () => {
  const withoutFiles = (schema: any): unknown =>
    JSON.parse(JSON.stringify(schema), (key, value) => (key === 'x-mcp-file' && value?.accept ? undefined : value));
  fc.assert(
    fc.property(anySchema, each => {
      const inputSchema = withoutFiles(asTool(each).inputSchema) as any;
      // Without type a keyword of nothing marks a file too.
      if (JSON.stringify(inputSchema).includes('"x-mcp-file":{}')) return;
      expect(toolForModel({ name: 't', inputSchema }).inputSchema).toEqual(inputSchema);
    }),
    { numRuns: 300 },
  );
});

it('takes any JSON for a schema', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (inputSchema, _meta) => {
      const tool = { name: 't', inputSchema, _meta } as never;
      expect(() => toolForModel(tool)).not.toThrow();
    }),
  );
});

const nested = (depth: number): any => {
  let schema: any = { type: 'object', 'x-mcp-file': {} };
  for (let at = 0; at < depth; at++) schema = { type: 'object', properties: { a: schema } };
  return schema;
};
const wide = (count: number): any =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`a${at}`, nested(1)]));
/** Each definition refers to the next one twice: written out it has no end. */
const doubling = (levels: number): any =>
  Object.fromEntries(
    Array.from({ length: levels }, (_, at) => [
      `L${at}`,
      { anyOf: [{ $ref: `#/$defs/L${at + 1}` }, { properties: { a: { $ref: `#/$defs/L${at + 1}` } } }] },
    ]),
  );

it.each<[string, any, any?]>([
  ['deep', nested(1000)],
  ['wide', { type: 'object', properties: wide(20_000) }],
  ['of references that double', { type: 'object', $ref: '#/$defs/L0', $defs: doubling(60) }],
  [
    'of references that double under a declaration from outside',
    { type: 'object', $ref: '#/$defs/L0', $defs: doubling(60) },
    { 'x-mcp-file': { '/a/a/a/a/a/a/a/a/a/a/a/a': {}, [`/${'*/'.repeat(30)}f`]: {} } },
  ],
  [
    'of branches',
    { type: 'object', properties: { f: { anyOf: Array.from({ length: 30_000 }, () => ({ 'x-mcp-file': {} })) } } },
  ],
  [
    'that is its own part',
    { type: 'object', allOf: [{ $ref: '#' }], properties: { f: { $ref: '#' } } },
    { 'x-mcp-file': { f: {} } },
  ],
])('masks a schema that is %s within a fixed amount of work', (_, inputSchema, _meta) => {
  const { value, reads } = counted({ name: 't', inputSchema, _meta });
  const masked = toolForModel(value as Tool);
  expect(JSON.stringify(masked.inputSchema).length).toBeLessThan(JSON.stringify(inputSchema).length * 4 + 2_000_000);
  expect(reads()).toBeLessThan(3_000_000);
});
