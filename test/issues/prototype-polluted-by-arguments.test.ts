// axios/axios#7369: a member named __proto__ in untrusted JSON was assigned while it was copied, and changed the prototype.
import { expect, test } from 'vitest';
import { copyArguments } from '../../src/call/arguments.js';

test('a member named __proto__ is copied as a member', () => {
  const original = JSON.parse(
    '{"__proto__":{"polluted":true},"a":{"__proto__":{"polluted":true}},"constructor":{"x":1}}',
  );
  const { arguments: copy } = copyArguments(original);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect((copy as Record<string, unknown>).polluted).toBeUndefined();
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  expect(JSON.stringify(copy)).toBe(JSON.stringify(original));
});
