// transloadit/uppy#3612, odysseyscience/react-s3-uploader#208: signed URLs expired while their files waited for their turn, and
// were used all the same.
import { expect, test } from 'vitest';
import { builtInEngine, failure, send, storage } from './support/transfer.js';

const expiresAt = Date.parse('2030-01-01T00:00:00Z');

test.each([
  ['when its turn comes', [expiresAt]],
  ['while the connection is made', [expiresAt - 1, expiresAt + 1]],
])('a target that has expired %s is not used', async (_, times) => {
  const server = await storage();
  const clock = [...times];
  const sending = send(builtInEngine(), server.origin, {
    target: { expiresAt },
    now: () => (clock.length > 1 ? clock.shift()! : clock[0]!),
  });
  expect(await failure(sending)).toMatchObject({ code: 'target_refused', details: { reason: 'expired' } });
  expect(server.requests).toEqual([]);
});
