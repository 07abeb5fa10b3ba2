// The message masked what looks like a key in a resource's URI, and the server's data beside it showed it whole.
import { expect, test } from 'vitest';
import { serverError } from '../../src/resources/server-error.js';

test('a URI that the server quotes is masked in message and details alike', () => {
  const key = 'Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MGFiY2RlZg';
  const uri = `resource://created/n/${key}`;
  const error = Object.assign(new Error(`Resource ${uri} not found`), { code: -32002 });
  const asked = { method: 'resources/read', uri };
  const made = serverError('resource_not_found', 'Gone', asked, { code: -32002, data: { uri, at: [uri] }, error });
  expect(`${made.message} ${JSON.stringify(made.details)}`).not.toContain(key);
  expect(made.message).toContain('resource://created/n/');
});
