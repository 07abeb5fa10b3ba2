// form-data/form-data#612: the type of a part is written as it is; a line break in it makes further parts.
import { expect, test } from 'vitest';
import { fromBytes } from '../../src/source/from-bytes.js';
import { writeEnvelope } from '../../src/transfer/form.js';
import { builtInEngine, failure, send, storage } from './support/transfer.js';

const type = 'image/png\r\n\r\nx\r\n--b\r\nContent-Disposition: form-data; name="is_admin"\r\n\r\ntrue';

test('a type with a line break is no type, for whoever made the file', async () => {
  const server = await storage();
  const form = { fields: [], fileField: 'file' };
  const sending = () =>
    send(builtInEngine(), server.origin, { file: fromBytes('x', { name: 'a', type }), target: { form } });
  expect(await failure((async () => sending())())).toMatchObject({ code: 'argument_invalid' });
  expect(await failure(writeEnvelope(form, { name: 'a', type }))).toMatchObject({ code: 'argument_invalid' });
  expect(server.connections).toBe(0);
});
