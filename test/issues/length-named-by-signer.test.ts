// ComposioHQ/composio#3548: a Content-Length given beside the body met an HTTP client that counts for itself and refuses a
// second one: every upload failed.
import { expect, test } from 'vitest';
import { ENGINES, failure, send, storage } from './support/transfer.js';

test.each(ENGINES)('a target that lists the Content-Length it signed is served: %s', async (_, engine) => {
  const server = await storage();
  await send(engine(), server.origin, { file: 'content', target: { headers: [['Content-Length', '7']] } });
  expect(server.requests[0]!.headers.filter(([name]) => name.toLowerCase() === 'content-length')).toEqual([
    ['content-length', '7'],
  ]);
});

test.each(ENGINES)('one that lists another length is refused, and nothing is sent: %s', async (_, engine) => {
  const server = await storage();
  const sending = send(engine(), server.origin, { file: 'content', target: { headers: [['content-length', '8']] } });
  expect(await failure(sending)).toMatchObject({ code: 'target_refused', details: { reason: 'header_forbidden' } });
  expect(server.requests).toEqual([]);
});
