import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildArguments, splitFlag } from '../../src/cli/arguments.js';
import { UsageError } from '../../src/cli/exit-code.js';

const tool = {
  fileArguments: [{ pointer: '/document' }, { pointer: '/files/*' }, { pointer: '/items/*/scan' }],
  inputSchema: {
    type: 'object',
    $defs: { amount: { type: 'integer' }, loop: { $ref: '#/$defs/loop' } },
    properties: {
      folder: { type: 'string' },
      count: { $ref: '#/$defs/amount' },
      ratio: { type: 'number' },
      force: { type: 'boolean' },
      options: { type: 'object', properties: { depth: { type: 'integer' }, label: { type: 'string' } } },
      tags: { type: 'array', items: { type: 'string' } },
      sizes: { type: 'array', items: { type: 'number' } },
      either: { anyOf: [{ type: 'number' }, { type: 'string' }] },
      maybe: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
      level: { enum: [1, 2, 3] },
      loop: { $ref: '#/$defs/loop' },
      document: { type: 'object' },
      files: { type: 'array', items: { type: 'object' } },
      items: { type: 'array', items: { type: 'object', properties: { scan: {}, page: { type: 'integer' } } } },
    },
  },
};

const flags = (given: { arg?: string[]; argJson?: string[]; file?: string[]; base?: { [key: string]: unknown } }) => ({
  arg: [],
  argJson: [],
  file: [],
  ...given,
});
const build = (given: Parameters<typeof flags>[0]) => buildArguments(tool, flags(given), path => `<${path}>`);

describe('--arg is typed by the schema', () => {
  it.each([
    ['folder=inbox', { folder: 'inbox' }],
    ['folder=42', { folder: '42' }],
    ['folder=', { folder: '' }],
    ['folder=a=b', { folder: 'a=b' }],
    ['count=42', { count: 42 }],
    ['count=1e3', { count: 1000 }],
    ['ratio=0.5', { ratio: 0.5 }],
    ['ratio=-3', { ratio: -3 }],
    ['force=true', { force: true }],
    ['options={"depth":2}', { options: { depth: 2 } }],
    ['/options/depth=2', { options: { depth: 2 } }],
    ['/options/label=2', { options: { label: '2' } }],
    ['tags=urgent', { tags: ['urgent'] }],
    ['tags=["a","b"]', { tags: ['a', 'b'] }],
    ['sizes=3', { sizes: [3] }],
    ['either=5', { either: '5' }],
    ['maybe=null', { maybe: null }],
    ['level=2', { level: 2 }],
    ['loop=5', { loop: '5' }],
    ['undeclared=5', { undeclared: '5' }],
    ['/items/0/page=7', { items: [{ page: 7 }] }],
  ])('%s', (arg, expected) => {
    expect(build({ arg: [arg] })).toEqual(expected);
  });

  it('makes a list of repeated values', () => {
    expect(build({ arg: ['tags=a', 'sizes=1', 'tags=b', 'sizes=2'] })).toEqual({ tags: ['a', 'b'], sizes: [1, 2] });
  });

  it.each([
    ['count=many', /"count" takes integer/],
    ['count=1.5', /"count" takes integer/],
    ['count=', /"count" takes integer/],
    ['count=12345678901234567890', /cannot be sent exactly/],
    ['ratio=1e999', /cannot be sent exactly/],
    ['force=yes', /"force" takes boolean/],
    ['options=[1]', /"options" takes object/],
    ['sizes=big', /"sizes" takes number/],
    ['folder', /takes NAME=VALUE/],
    ['=x', /takes NAME=VALUE/],
    ['/__proto__/x=1', /names no argument/],
    ['__proto__=1', /names no argument/],
    ['/tags/2=x', /leaves a gap/],
    ['/tags/x=x', /leaves a gap/],
  ])('refuses %s', (arg, message) => {
    expect(() => build({ arg: [arg] })).toThrow(UsageError);
    expect(() => build({ arg: [arg] })).toThrow(message);
  });

  it('refuses a second value where one is taken', () => {
    expect(() => build({ arg: ['folder=a', 'folder=b'] })).toThrow('--arg gives "folder" more than once.');
  });
});

describe('--arg-json and --args-json', () => {
  it('gives any value, whatever the schema says', () => {
    expect(build({ argJson: ['folder=[1,null]', 'count="x"'] })).toEqual({ folder: [1, null], count: 'x' });
  });

  it('starts from the file and is overridden by single arguments', () => {
    const base = { folder: 'old', count: 1, options: { depth: 1, label: 'kept' } };
    expect(build({ base, arg: ['folder=new', '/options/depth=9'] })).toEqual({
      folder: 'new',
      count: 1,
      options: { depth: 9, label: 'kept' },
    });
    expect(base.options.depth).toBe(1);
  });

  it.each([
    [['folder={'], '--arg-json folder is not valid JSON.'],
    [['folder=1', 'folder=2'], '--arg-json gives "folder" more than once.'],
  ])('refuses %j', (argJson, message) => {
    expect(() => build({ argJson })).toThrow(message);
  });

  it('refuses a path through a value that is no object', () => {
    expect(() => build({ base: { folder: 'x' }, arg: ['/folder/name=y'] })).toThrow('leads through a value');
  });
});

describe('--file', () => {
  it.each([
    [['document=a.pdf'], { document: '<a.pdf>' }],
    [['document=odd=name.pdf'], { document: '<odd=name.pdf>' }],
    [['/document=a.pdf'], { document: '<a.pdf>' }],
    [['files=a.pdf'], { files: ['<a.pdf>'] }],
    [['files=a.pdf', 'files=b.pdf'], { files: ['<a.pdf>', '<b.pdf>'] }],
    [['/files=a.pdf'], { files: ['<a.pdf>'] }],
    [['/files/0=a.pdf', '/files/1=b.pdf'], { files: ['<a.pdf>', '<b.pdf>'] }],
    [['/files/-=a.pdf', '/files/0=b.pdf'], { files: ['<b.pdf>'] }],
    [['/items/0/scan=a.pdf'], { items: [{ scan: '<a.pdf>' }] }],
  ])('%j', (file, expected) => {
    expect(build({ file })).toEqual(expected);
  });

  it('refuses two files where the tool takes one', () => {
    expect(() => build({ file: ['document=a', 'document=b'] })).toThrow('"document" takes one file, 2 were given.');
  });

  it('goes into lists that --args-json began', () => {
    expect(build({ base: { items: [{ page: 1 }] }, file: ['/items/0/scan=a.pdf'] })).toEqual({
      items: [{ page: 1, scan: '<a.pdf>' }],
    });
  });
});

it('any text either parses or is a usage error, and never reaches a prototype', () => {
  const part = fc.constantFrom('folder', 'tags', 'items', '0', '-', '__proto__', 'constructor', 'toString', '~1', '');
  const name = fc.array(part, { minLength: 1, maxLength: 4 }).map(parts => `/${parts.join('/')}`);
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.oneof(name, fc.string()), fc.string()), { maxLength: 4 }), pairs => {
      try {
        build({ arg: pairs.map(([key, value]) => `${key}=${value}`) });
      } catch (error) {
        expect(error).toBeInstanceOf(UsageError);
      }
      expect(Object.keys(Object.prototype)).toEqual([]);
      expect(({} as { folder?: unknown }).folder).toBeUndefined();
    }),
  );
});

it('cuts at the first equals sign', () => {
  expect(splitFlag('--x', 'a=b=c')).toEqual({ name: 'a', value: 'b=c' });
});
