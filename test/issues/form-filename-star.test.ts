// psf/requests#4652: a name beyond ASCII was sent as `filename*`, which RFC 7578 forbids and servers do not read: the file had
// no name.
import { expect, test } from 'vitest';
import { fromBytes } from '../../src/source/from-bytes.js';
import { sendForm } from './support/form.js';

test('there is one filename, and no filename*', async () => {
  const { raw } = await sendForm(fromBytes('content', { name: 'файл.txt' }));
  expect(raw.match(/filename/g)).toHaveLength(1);
  expect(raw).toContain('filename="');
});
