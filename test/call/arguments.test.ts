import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { copyArguments } from '../../src/call/arguments.js';
import { fromBytes, isFilesError } from '../../src/index.js';
import { base64 } from '../../src/protocol/index.js';

describe('arguments: copied at entry', () => {
  it('finds files at any depth, depth first, by JSON Pointer', () => {
    const file = (): unknown => fromBytes('x', { name: 'x.txt' });
    const { files } = copyArguments({
      b: { 'c/d': [file(), { 'e~f': file() }] },
      a: file(),
      blob: new Blob(['y']),
      file: new File(['z'], 'z.txt'),
    });
    expect(files.map(({ pointer }) => pointer)).toEqual(['/b/c~1d/0', '/b/c~1d/1/e~0f', '/a', '/blob', '/file']);
    expect(files[4]!.source.name).toBe('z.txt');
  });

  it('does not see what the caller changes later, and changes nothing of the caller', () => {
    const original = { folder: 'inbox', list: [1, { deep: true }], file: fromBytes('x', { name: 'x' }) };
    const copied = copyArguments(original);
    original.folder = 'outbox';
    (original.list[1] as { deep: boolean }).deep = false;
    copied.files[0]!.put({ name: 'x' });
    expect(copied.arguments).toEqual({ folder: 'inbox', list: [1, { deep: true }], file: { name: 'x' } });
    expect(original.file).not.toEqual({ name: 'x' });
  });

  it('keeps key order, drops undefined, honours toJSON, as JSON would', () => {
    const { arguments: copied } = copyArguments({ z: 1, a: undefined, when: new Date(0), m: [undefined, null] });
    expect(JSON.stringify(copied)).toBe('{"z":1,"when":"1970-01-01T00:00:00.000Z","m":[null,null]}');
  });

  it('keeps a member named __proto__ a member', () => {
    const { arguments: copied } = copyArguments(JSON.parse('{"__proto__":{"polluted":true},"a":1}'));
    expect(Object.getPrototypeOf(copied)).toBe(Object.prototype);
    expect(JSON.stringify(copied)).toBe('{"__proto__":{"polluted":true},"a":1}');
  });

  const cyclic: { self?: unknown } = {};
  cyclic.self = cyclic;
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level++) deep = [deep];
  it.each([
    ['bare bytes', { a: new Uint8Array(3) }],
    ['a Buffer', { a: { b: Buffer.from('x') } }],
    ['a bare ArrayBuffer', { a: new ArrayBuffer(3) }],
    ['a BigInt', { a: 1n }],
    ['a function', { a: () => 1 }],
    ['a promise', { a: Promise.resolve(1) }],
    ['a Map', { a: new Map() }],
    ['a web stream', { a: new Blob(['x']).stream() }],
    ['a Node stream', { a: Readable.from(['x']) }],
    ['an async generator', { a: (async function* () {})() }],
    ['a cycle', { a: cyclic }],
    ['a tower', { a: deep }],
  ])('refuses %s with argument_invalid and a pointer', (_, value) => {
    try {
      copyArguments(value);
      expect.unreachable();
    } catch (error) {
      expect(isFilesError(error) && error.code).toBe('argument_invalid');
      expect(isFilesError(error) && error.pointer).toMatch(/^\/a/);
    }
  });

  it.each([
    ['a file', fromBytes('x', { name: 'x' })],
    ['a promise', Promise.resolve({})],
  ])('refuses %s in place of the arguments', (_, value) => {
    expect(() => copyArguments(value as never)).toThrow(expect.objectContaining({ code: 'argument_invalid' }));
  });

  it('takes a collection that knows how to be JSON', () => {
    const list = Object.assign(new Set([1]), { toJSON: () => [1] });
    expect(copyArguments({ a: list }).arguments).toEqual({ a: [1] });
  });

  it('copies one object that stands in two places twice', () => {
    const shared = { n: 1 };
    expect(copyArguments({ a: shared, b: [shared, shared] }).arguments).toEqual({
      a: { n: 1 },
      b: [{ n: 1 }, { n: 1 }],
    });
  });
});

describe('base64', () => {
  it.each([0, 1, 2, 3, 4, 5, 24575, 24576, 24577, 100_000])(
    'of %i bytes is the same with and without Buffer',
    length => {
      const whole = new Uint8Array(length + 7).map((_, index) => (index * 31 + (index >> 8)) & 255);
      const bytes = whole.subarray(7);
      const expected = Buffer.from(bytes).toString('base64');
      expect(base64(bytes)).toBe(expected);
      const { Buffer: native } = globalThis;
      try {
        (globalThis as { Buffer?: unknown }).Buffer = undefined;
        expect(base64(bytes)).toBe(expected);
      } finally {
        globalThis.Buffer = native;
      }
    },
  );
});
