// axios/axios#2855, HeyPuter/puter#334 (CVE-2024-28849): credentials went along to the host that a redirect named.
import { expect, test } from 'vitest';
import { answer, ENGINES, send, storage, transferFailure } from './support/transfer.js';

test.each(ENGINES)('the credential reaches the host it was given for and no other: %s', async (_, engine) => {
  const other = await storage();
  const server = await storage(() => answer(307, '', { Location: other.origin }));
  const credentialHeaders = [
    ['Authorization', 'Bearer host'],
    ['X-Api-Key', 'host'],
  ] as const;
  await transferFailure(send(engine(), server.origin, { credentialHeaders }));
  expect(server.requests[0]!.header('authorization')).toBe('Bearer host');
  expect(other.requests).toEqual([]);
});
