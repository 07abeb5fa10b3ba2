// ihor-sokoliuk/mcp-searxng#82, zcaceres/fetch-mcp#45: only the first address was checked; a redirect led to one inside.
import { expect, test } from 'vitest';
import { fromBytes } from '../../src/index.js';
import { host, publishing, server, uploadThenDone } from './support/call.js';
import { storage } from './support/transfer.js';

test.each([undefined, globalThis.fetch])('a public-looking target cannot send an upload inside', async fetch => {
  const inside = await storage();
  const scripted = await server({
    capability: { maxInlineBytes: 0 },
    onCall: uploadThenDone(() => ({ '/deck': { path: 'up/1' } })),
    onStore: (_request, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${inside.port}/latest/meta-data` }).end();
    },
  });
  const { files } = await host(scripted.url, fetch === undefined ? {} : { fetch });
  const calling = files.callToolWithFiles(publishing({ deck: fromBytes('x', { name: 'x' }) }));
  await expect(calling).rejects.toMatchObject({ code: 'transfer_failed', failures: [{ reason: 'redirected' }] });
  expect(inside.connections).toBe(0);
});
