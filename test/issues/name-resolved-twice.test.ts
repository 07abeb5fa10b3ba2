// adcontextprotocol/adcp#3599, postel-sh/postel#128: the address was checked, and the name resolved once more to connect: a
// resolver that answers differently the second time leads inside.
import { expect, test } from 'vitest';
import { makeGuardedLookup } from '../../src/transfer/address-guard.js';
import { builtInEngine, send, storage } from './support/transfer.js';

test('the connection goes to the address that was checked; the name is resolved once', async () => {
  const server = await storage();
  let resolved = 0;
  const lookup = makeGuardedLookup({ policy: { allowPrivateNetwork: ['127.0.0.1'] } }, (_name, _options, callback) => {
    resolved += 1;
    // What is allowed the first time, what is not the second.
    callback(null, [{ address: resolved === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }]);
  });
  await send(builtInEngine({ lookup }), `http://rebind.test:${server.port}`);
  expect(resolved).toBe(1);
  expect(server.requests).toHaveLength(1);
});

test('the answer of the connection itself is judged, whatever was answered before', async () => {
  const server = await storage();
  const lookup = makeGuardedLookup({ policy: {} }, (_name, _options, callback) => {
    callback(null, [{ address: '127.0.0.1', family: 4 }]);
  });
  await expect(send(builtInEngine({ lookup }), `http://rebind.test:${server.port}`)).rejects.toMatchObject({
    code: 'target_refused',
    details: { reason: 'private_address' },
  });
  expect(server.connections).toBe(0);
});
