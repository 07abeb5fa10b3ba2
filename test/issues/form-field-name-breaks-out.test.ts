// form-data/form-data GHSA-hmw2-7cc7-3qxx (CVE-2026-12143): a line break in the name of a field makes another header or part.
import { expect, test } from 'vitest';
import { fromBytes } from '../../src/source/from-bytes.js';
import { verdict } from '../transfer/target-policy-support.js';
import { sendForm } from './support/form.js';

const bad = ['key"\r\nX-Injected: yes\r\n\r\n', 'a\nb', 'a\0b', 'a\\', ''];

test.each(bad)('a target with the field name %j is refused', name => {
  const form = { fields: [[name, 'v']] as [string, string][], fileField: 'file' };
  expect(verdict({ method: 'POST', form })).toBe('header_forbidden');
  expect(verdict({ method: 'POST', form: { fields: [], fileField: name } })).toBe('header_forbidden');
});

test('a quote in a name is part of the name', async () => {
  const { parts } = await sendForm(fromBytes('x', { name: 'a' }), { fields: [['a"; name="admin', 'v']] });
  expect(parts).toHaveLength(2);
  expect(parts.map(([name]) => name)).not.toContain('admin');
});
