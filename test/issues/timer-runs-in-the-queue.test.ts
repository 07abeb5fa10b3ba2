// transloadit/uppy#1190: the stall timer started when an upload was asked for; one that waited for its turn behind others was
// ended before it began.
import { expect, test } from 'vitest';
import { fromBytes } from '../../src/index.js';
import { host, publishing, server, uploadThenDone } from './support/call.js';

test('an upload that waits for its turn for longer than the stall limit is not stalled', async () => {
  const storage = await server({
    capability: { maxInlineBytes: 0 },
    onCall: uploadThenDone(() => ({ '/deck': { path: 'up/1' }, '/assets/0': { path: 'up/2' } })),
    onStore: async (_request, response) => {
      await new Promise(resolve => setTimeout(resolve, 1_100));
      response.writeHead(200).end();
    },
  });
  const { files } = await host(storage.url, { concurrency: 1, timeouts: { stall: 900, response: 0 } });
  const [one, two] = [fromBytes('one', { name: '1' }), fromBytes('two', { name: '2' })];
  const result = await files.callToolWithFiles(publishing({ deck: one, assets: [two] }));
  expect(result.transfers.map(({ status }) => status)).toEqual([200, 200]);
});
