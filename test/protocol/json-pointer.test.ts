import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pointerOf, segmentsOf, valueAt } from '../../src/protocol/index.js';

// The document and the pointers of RFC 6901 section 5.
const RFC_DOCUMENT = {
  foo: ['bar', 'baz'],
  '': 0,
  'a/b': 1,
  'c%d': 2,
  'e^f': 3,
  'g|h': 4,
  'i\\j': 5,
  'k"l': 6,
  ' ': 7,
  'm~n': 8,
};

describe('JSON Pointer', () => {
  test.each([
    ['', RFC_DOCUMENT],
    ['/foo', ['bar', 'baz']],
    ['/foo/0', 'bar'],
    ['/', 0],
    ['/a~1b', 1],
    ['/c%d', 2],
    ['/e^f', 3],
    ['/g|h', 4],
    ['/i\\j', 5],
    ['/k"l', 6],
    ['/ ', 7],
    ['/m~0n', 8],
  ])('reads %j as RFC 6901 does', (pointer, value) => {
    expect(valueAt(RFC_DOCUMENT, pointer)).toEqual(value);
  });

  test.each(['/foo/-', '/foo/2', '/foo/00', '/foo/length', '/foo/0/0', '/nothing', '/toString', '/__proto__'])(
    'finds nothing at %j',
    pointer => {
      expect(valueAt(RFC_DOCUMENT, pointer)).toBeUndefined();
    },
  );

  test('reads an own member called __proto__', () => {
    expect(valueAt(JSON.parse('{"__proto__":{"a":1}}'), '/__proto__/a')).toBe(1);
  });

  test.each(['a', 'a/b', '#/a', '/~', '/a~2', '/~01/~'])('refuses %j', pointer => {
    expect(() => segmentsOf(pointer)).toThrow(expect.objectContaining({ code: 'argument_invalid' }));
    expect(() => valueAt({}, pointer)).toThrow(expect.objectContaining({ code: 'argument_invalid' }));
  });

  test('unescapes in the order of the RFC', () => {
    expect(segmentsOf('/~01')).toEqual(['~1']);
    expect(pointerOf(['~1', 0, 'a/b'])).toBe('/~01/0/a~1b');
  });

  test('segments survive writing and reading', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('~', '/', '~1', ''))), segments => {
        expect(segmentsOf(pointerOf(segments))).toEqual(segments);
      }),
    );
  });
});
