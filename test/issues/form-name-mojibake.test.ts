// expressjs/multer#1104, LibreChat-AI/code-interpreter#35: names went through Latin-1 and arrived as mojibake; what browsers
// send, and servers expect, is plain UTF-8.
import { expect, test } from 'vitest';
import { fromBytes } from '../../src/source/from-bytes.js';
import { sendForm } from './support/form.js';

test.each(['Расчет_иска.docx', 'naïve.txt', '発票 🧾.pdf'])('%s is sent in UTF-8', async name => {
  const { raw, parts } = await sendForm(fromBytes('content', { name }));
  expect(raw).toContain(`filename="${Buffer.from(name).toString('latin1')}"`);
  expect(parts[0]![1]).toBe(name);
});
