import { expect, test } from 'vitest';
import { failureOf } from '../../src/transfer/failure-of.js';

test.each([
  ['read', 'connection_lost'],
  ['write', 'connection_lost'],
  ['connect', 'connect_timeout'],
])('a connection that times out (%s) was lost if it stood', (syscall, reason) => {
  const error = Object.assign(new Error(`${syscall} ETIMEDOUT`), { code: 'ETIMEDOUT', syscall });
  expect(failureOf(error, false)).toMatchObject({ reason });
});
