// oomol-lab/open-connector#249, kanbn/kan#519: a header value beyond U+00FF made the HTTP client throw a bare TypeError in the
// middle of its work.
import { expect, test } from 'vitest';
import { verdict } from '../transfer/target-policy-support.js';

test.each(['发票.pdf', 'attachment; filename="🧾"', '\u0100'])(
  'a target with the header value %j is refused by name',
  value => {
    expect(verdict({ headers: [['x-meta-name', value]] })).toBe('header_forbidden');
  },
);

test('what a header can carry is let through', () => {
  expect(verdict({ headers: [['x-meta-name', 'caf\u00e9 "a"; b=1']] })).toBe('ok');
});
