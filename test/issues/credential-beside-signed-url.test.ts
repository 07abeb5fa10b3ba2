// mattrobinsonsre/terrapod#1077: an MCP tool sent its bearer token along to a presigned URL; S3 takes one authorisation only
// and answers 400.
import { expect, test } from 'vitest';
import { fromBytes } from '../../src/index.js';
import { host, publishing, server, uploadThenDone } from './support/call.js';

test('a target that does not ask for the credential does not get it, nor is the host asked', async () => {
  let asked = 0;
  const scripted = await server({
    capability: { maxInlineBytes: 0 },
    onCall: uploadThenDone(() => ({
      '/deck': { url: `${scripted.origin}/key?X-Amz-Signature=abc`, credentials: 'omit' },
      '/assets/0': { url: `${scripted.origin}/key2?X-Amz-Signature=abc` },
    })),
  });
  const { files } = await host(scripted.url, {
    credentials: () => {
      asked += 1;
      return { authorization: 'Bearer host' };
    },
  });
  const [deck, other] = [fromBytes('1', { name: '1' }), fromBytes('2', { name: '2' })];
  await files.callToolWithFiles(publishing({ deck, assets: [other] }));
  expect(scripted.stored.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
  expect(asked).toBe(0);
});
