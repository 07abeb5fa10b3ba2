// mscdex/busboy#343, #344: a part without a file name, or with an empty one, is read as a text field, or not at all.
import { expect, test } from 'vitest';
import { fromBytes } from '../../src/source/from-bytes.js';
import { sendForm } from './support/form.js';

test.each(['', '.', '../..', '\r\n', ' '])('a file whose name is %j is still sent as a file', async name => {
  const { parts } = await sendForm(fromBytes('content', { name, type: 'image/jpeg' }));
  expect(parts).toEqual([['file', 'file', 'content']]);
});
