// A hook without types gave null, a string or a Map: a raw TypeError came out of the call, or no credential was sent.
import { expect, test } from 'vitest';
import { type FilesClientOptions, fromBytes } from '../../src/index.js';
import { host, publishing, server, uploadThenDone } from './support/call.js';
import { failure } from './support/transfer.js';

const seen: unknown[] = [];
const deck = () => fromBytes('content', { name: 'a.pptx' });

async function callWith(given: unknown, status = 200) {
  const mcp = await server({
    onCall: uploadThenDone(() => ({ '/deck': { path: 'up', credentials: 'include' } })),
    onStore: ({ headers }, response) => {
      seen.push(headers.authorization);
      response.writeHead(status).end();
    },
  });
  const credentials = (() => given) as FilesClientOptions['credentials'] & {};
  const { files } = await host(mcp.url, { inlineLimit: 0, serverUrl: mcp.url, credentials });
  return files.callToolWithFiles(publishing({ deck: deck() }));
}

test.each([
  ['null', null, 'gave no credential'],
  ['undefined', undefined, 'gave no credential'],
  ['a string', 'Bearer secret-token', 'plain object'],
  ['a number', 5, 'plain object'],
  ['a Map', new Map([['authorization', 'Bearer secret-token']]), 'plain object'],
  ['entries', [['authorization', 'Bearer secret-token']], 'plain object'],
  ['a value that is no string', { authorization: 5 }, 'plain object'],
  ['a value that is undefined', { authorization: undefined }, 'plain object'],
  ['a function', () => ({}), 'plain object'],
])('%s instead of headers refuses the target and says why', async (_, given, words) => {
  const error = await failure(callWith(given));
  expect(error).toMatchObject({
    code: 'target_refused',
    outcome: 'not_run',
    pointer: '/deck',
    details: { reason: 'credentials_scope' },
  });
  expect(error.message).toContain(words);
  expect(error.message).not.toContain('secret-token');
});

test.each([
  ['a plain object', { authorization: 'Bearer T' }],
  ['an object without a prototype', Object.assign(Object.create(null), { authorization: 'Bearer T' })],
  ['Headers', new Headers({ Authorization: 'Bearer T' })],
])('%s is sent', async (_, given) => {
  seen.length = 0;
  expect((await callWith(given)).transfers).toHaveLength(1);
  expect(seen).toEqual(['Bearer T']);
});

test('a 401 to the credential of the host names the hook, not the target', async () => {
  const error = await failure(callWith({ authorization: 'Bearer secret-token' }, 401));
  expect(error).toMatchObject({ code: 'transfer_failed', failures: [{ status: 401, reason: 'http_status' }] });
  expect(error.message).toContain('hook credentials');
  expect(error.message).not.toContain('new target');
  expect(error.message).not.toContain('secret-token');
});
