// andrewrk/node-s3-client#74: with `Expect: 100-continue` the client waits for a word that many servers never say: uploads
// hung.
import { expect, test } from 'vitest';
import { verdict } from '../transfer/target-policy-support.js';
import { builtInEngine, send, storage } from './support/transfer.js';

test('a target cannot make an upload wait for 100 Continue, and nothing asks for it unasked', async () => {
  expect(verdict({ headers: [['Expect', '100-continue']] })).toBe('header_forbidden');
  const server = await storage();
  await send(builtInEngine(), server.origin, { file: Buffer.alloc(3_000_000) });
  expect(server.requests[0]!.header('expect')).toBeUndefined();
});
