// supercorp-ai/supergateway#163: JSON over 100 kB meets the stock limit of a popular body parser, which nobody thought of:
// tool calls with a file of 75 kB failed.
import { expect, test } from 'vitest';
import { fromBytes } from '../../src/index.js';
import { host, inputRequired, publishing, server, uploadEntry } from './support/call.js';

test('where the server names no limit, what goes inline by default fits 100 kB of JSON', async () => {
  const scripted = await server({
    onCall: ({ params }) =>
      params.arguments.deck.data === undefined && params.requestState === undefined
        ? inputRequired({ up: uploadEntry({ '/deck': { path: 'up/1' } }) }, 'state')
        : { result: { resultType: 'complete', content: [] } },
  });
  const { files } = await host(scripted.url);
  const modes: string[] = [];
  for (const size of [64 * 1024, 64 * 1024 + 1]) {
    const deck = fromBytes(Buffer.alloc(size), { name: 'deck' });
    const result = await files.callToolWithFiles(publishing({ deck }));
    modes.push(result.transfers[0]!.mode);
  }
  expect(modes).toEqual(['inline', 'put']);
  for (const { params } of scripted.calls) expect(JSON.stringify(params).length).toBeLessThan(95_000);
});
