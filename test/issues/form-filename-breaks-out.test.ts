// form-data/form-data#546, #609 (CVE-2026-12143): a quote or line break in a file name ended the header: another field name,
// another part.
import { expect, test } from 'vitest';
import { fromBytes } from '../../src/source/from-bytes.js';
import { sendForm } from './support/form.js';

test.each([
  'a.sh"; name="admin"; dummy=".txt',
  'a.txt"\r\nX-Injected: yes\r\n\r\nsmuggled',
  'a\r\n--boundary\r\nContent-Disposition: form-data; name="admin"\r\n\r\n1',
])('a name stays inside its quotes: %j', async name => {
  const { parts, raw } = await sendForm(fromBytes('content', { name }), { fields: [['key', 'v']] });
  expect(parts.map(([field, , content]) => [field, content])).toEqual([
    ['key', 'v'],
    ['file', 'content'],
  ]);
  const lines = raw.split('\r\n');
  const at = lines.findLastIndex(line => line.startsWith('Content-Disposition'));
  expect(lines[at]).toMatch(/^Content-Disposition: form-data; name="file"; filename="[^"]*"$/);
  expect(lines[at + 1]).toMatch(/^Content-Type: /);
});
