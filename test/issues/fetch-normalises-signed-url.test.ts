// mhart/aws4fetch#85, jumpstarter-dev/jumpstarter#662: an HTTP client that parses and writes URLs anew breaks signed ones; fetch
// is such a client.
import { expect, test } from 'vitest';
import { fromBytes } from '../../src/index.js';
import { host, publishing, server, uploadThenDone } from './support/call.js';

test("what fetch would rewrite is refused before a byte is sent: it's and dots", async () => {
  const scripted = await server({
    capability: { maxInlineBytes: 0 },
    onCall: uploadThenDone(() => ({ '/deck': { url: `${scripted.origin}/a/../key?sig='x'` } })),
  });
  const { files } = await host(scripted.url, { fetch: globalThis.fetch });
  const calling = files.callToolWithFiles(publishing({ deck: fromBytes('x', { name: 'x' }) }));
  await expect(calling).rejects.toMatchObject({ code: 'target_refused', details: { reason: 'url_not_verbatim' } });
  expect(scripted.stored).toEqual([]);
});
