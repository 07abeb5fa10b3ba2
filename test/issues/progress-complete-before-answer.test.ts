// axios/axios#639, #2709: 100 % as soon as the socket had taken the bytes; transloadit/uppy#167: 100 % for an upload that the
// server refused.
import { expect, test } from 'vitest';
import { fromBytes, type ProgressEvent } from '../../src/index.js';
import { host, publishing, server, uploadThenDone } from './support/call.js';

test.each([200, 500])('the total is reached with the success status and not before: %i', async status => {
  const seen: ProgressEvent[] = [];
  const complete = () => seen.some(({ sentBytes, totalBytes }) => sentBytes === totalBytes);
  let completeBeforeAnswer: boolean | undefined;
  const { url } = await server({
    capability: { maxInlineBytes: 0 },
    onCall: uploadThenDone(() => ({ '/deck': { path: 'up/1' } })),
    onStore: async (_request, response) => {
      await new Promise(resolve => setTimeout(resolve, 50));
      completeBeforeAnswer = complete();
      response.writeHead(status).end();
    },
  });
  const { files } = await host(url);
  const deck = fromBytes(Buffer.alloc(3_000_000), { name: 'deck' });
  const calling = files.callToolWithFiles(publishing({ deck }), { onProgress: event => seen.push(event) });
  await calling.catch(() => {});
  expect(completeBeforeAnswer).toBe(false);
  expect(complete()).toBe(status === 200);
});
