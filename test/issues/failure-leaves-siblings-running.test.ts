// Flopsstuff/ksef-client-ts#9: after the first failure uploads that had begun went on and queued ones still started: Promise.all
// stops nothing.
import { expect, test } from 'vitest';
import { fromBytes } from '../../src/index.js';
import { host, publishing, server, uploadThenDone } from './support/call.js';

test('the first failure stops what is under way and what waits, and is reported when all is over', async () => {
  const started: string[] = [];
  const storage = await server({
    capability: { maxInlineBytes: 0 },
    onCall: uploadThenDone(() =>
      Object.fromEntries([0, 1, 2, 3].map(index => [`/assets/${index}`, { path: `up/${index}` }])),
    ),
    onStoreStart: (request, response) => {
      started.push(request.url!);
      if (started.length === 2) response.writeHead(403).end();
      return true;
    },
  });
  const { files } = await host(storage.url, { concurrency: 2, timeouts: { stall: 2_000, response: 2_000 } });
  const assets = [0, 1, 2, 3].map(index => fromBytes('content', { name: `${index}` }));
  await expect(files.callToolWithFiles(publishing({ assets }))).rejects.toMatchObject({
    code: 'transfer_failed',
    outcome: 'not_run',
    failures: [{ reason: 'http_status', status: 403 }],
  });
  expect(started).toHaveLength(2);
  expect(storage.calls).toHaveLength(1);
});
