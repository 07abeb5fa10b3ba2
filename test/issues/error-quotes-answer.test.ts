// deepnote/deepnote-toolkit#125: the text of the storage's answer went into the log; S3 quotes there what was signed, and with
// which key.
import { expect, test } from 'vitest';
import { everything } from './support/showing.js';
import { answer, builtInEngine, failure, send, storage } from './support/transfer.js';

test.each([
  ['<Error><Code>SignatureDoesNotMatch</Code><StringToSign>PUT SECRET</StringToSign></Error>', 'SignatureDoesNotMatch'],
  ['{"error":{"code":"quotaExceeded","message":"SECRET"}}', 'quotaExceeded'],
  ['SECRET', undefined],
  ['<Error><Code>SECRET with a space</Code></Error>', undefined],
])('of an answer only a code is kept: %s', async (text, serviceCode) => {
  const server = await storage(() => answer(403, text));
  const error = await failure(send(builtInEngine(), server.origin));
  expect(error).toMatchObject({ failures: [{ status: 403, ...(serviceCode && { serviceCode }) }] });
  expect(everything(error)).not.toContain('SECRET');
});
