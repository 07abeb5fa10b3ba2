// scalar/scalar#7883, replicate/replicate-javascript#268: a bare `multipart/form-data` was set as the type, so no server could
// tell the parts apart.
import { expect, test } from 'vitest';
import { fromBytes } from '../../src/source/from-bytes.js';
import { checked } from '../transfer/target-policy-support.js';
import { sendForm } from './support/form.js';

test("the type of a form carries the boundary, whatever the target's headers say", async () => {
  const form = { fields: [['key', 'v']] as [string, string][], fileField: 'file' };
  const { headers } = checked({ method: 'POST', form, headers: [['Content-Type', 'multipart/form-data']] });
  const { type, parts } = await sendForm(fromBytes('content', { name: 'a.txt' }), form, headers);
  expect(type).toMatch(/^multipart\/form-data; boundary=.+/);
  expect(parts).toEqual([
    ['key', undefined, 'v'],
    ['file', 'a.txt', 'content'],
  ]);
});
