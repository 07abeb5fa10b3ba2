// evanw/esbuild#1921: a bundle of ES modules throws on `require` inside a CommonJS module, when it is loaded: for us with
// the first transfer. What came out of the call was that raw Error, for forms.
import { afterEach, expect, test, vi } from 'vitest';
import { fromBytes, isFilesError } from '../../src/index.js';
import { host, publishing, server, uploadThenDone } from './support/call.js';
import { failure, storage } from './support/transfer.js';

afterEach(() => {
  vi.doUnmock('undici');
  vi.doUnmock('form-data');
});

test.each([
  ['undici', {}, { proxy: 'http://127.0.0.1:1' }],
  ['undici', { method: 'POST', form: { fields: {}, fileField: 'file' } }, { proxy: 'http://127.0.0.1:1' }],
  ['form-data', { method: 'POST', form: { fields: {}, fileField: 'file' } }, {}],
])('%s that cannot be loaded fails the transfer in words of ours', async (module, more, options) => {
  vi.doMock(module, () => {
    throw new Error('Dynamic require of "util" is not supported');
  });
  const { origin } = await storage();
  const mcp = await server({ onCall: uploadThenDone(() => ({ '/deck': { url: `${origin}/put`, ...more } })) });
  const { files } = await host(mcp.url, { inlineLimit: 0, ...options });
  const error = await failure(files.callToolWithFiles(publishing({ deck: fromBytes('content', { name: 'a.pptx' }) })));
  expect(isFilesError(error)).toBe(true);
  expect(error).toMatchObject({
    code: 'transfer_failed',
    outcome: 'not_run',
    pointer: '/deck',
    failures: [{ pointer: '/deck', reason: 'engine_failed' }],
    cause: { code: 'ERR_MODULE_LOAD' },
  });
  expect(error.message).toContain('external');
});
