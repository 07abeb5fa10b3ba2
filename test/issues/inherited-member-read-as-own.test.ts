// axios GHSA-q8qp-cvcw-x6jj (loopingz/smtp-relay#222): a member that was not given was read from Object.prototype, so whoever had
// polluted that decided about credentials.
import { expect, onTestFinished, test } from 'vitest';
import { readUploadTarget } from '../../src/protocol/upload-target.js';

test('what a target does not say is not read from the prototype', () => {
  const planted = { credentials: 'include', headers: { 'x-evil': '1' }, form: { fields: [] }, method: 'POST' };
  for (const [name, value] of Object.entries(planted)) {
    Object.defineProperty(Object.prototype, name, { value, configurable: true });
  }
  onTestFinished(() => {
    for (const name of Object.keys(planted)) delete (Object.prototype as Record<string, unknown>)[name];
  });
  const target = readUploadTarget({ url: 'https://a.example/' }, '/deck', () => {});
  expect(Object.entries(target)).toEqual([
    ['url', 'https://a.example/'],
    ['headers', []],
    ['credentials', 'omit'],
    ['method', 'PUT'],
  ]);
});
