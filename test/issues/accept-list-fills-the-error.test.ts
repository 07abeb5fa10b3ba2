// Found here: a server's list of accepted types stood in the error in full, 150 KB of it.
import { expect, test } from 'vitest';
import { fromBytes } from '../../src/index.js';
import { host, server } from './support/call.js';

async function refusal(accept: string[]) {
  const image = { type: 'object', 'x-mcp-file': { accept } };
  const scripted = await server({ tools: [{ name: 'take', inputSchema: { type: 'object', properties: { image } } }] });
  const { files } = await host(scripted.url);
  const file = fromBytes(new Uint8Array(3), { name: 'a.txt', type: 'text/plain' });
  return files.callToolWithFiles({ name: 'take', arguments: { image: file } }).catch(error => error);
}

test('a long list is shown by its beginning and its length', async () => {
  const error = await refusal(Array.from({ length: 250 }, (_, index) => `image/${index}${'x'.repeat(600)}`));
  expect(error).toMatchObject({ code: 'file_type_not_accepted', details: { type: 'text/plain', patterns: 250 } });
  expect(error.message).toContain('image/0');
  expect(error.message).toContain(' and 245 more.');
  expect(error.message.length).toBeLessThan(1000);
  expect(error.details.accept).toHaveLength(32);
  expect(JSON.stringify(error.details).length).toBeLessThan(5000);
});

test('a short one is shown as it is', async () => {
  const accept = ['image/*', '.pdf', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'];
  const error = await refusal(accept);
  expect(error.message).toContain(accept.join(', '));
  expect(error.details).toEqual({ type: 'text/plain', accept });
});
