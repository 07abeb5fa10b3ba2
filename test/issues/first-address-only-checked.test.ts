// Doezer/Questarr#385: only the first address of a name was checked; the connection was made to another one.
import { expect, test } from 'vitest';
import { makeGuardedLookup } from '../../src/transfer/address-guard.js';
import { builtInEngine, failure, send } from './support/transfer.js';

test.each([
  [['203.0.114.1', '127.0.0.1']],
  [['203.0.114.1', '2606:4700::1111', '10.0.0.7']],
  [['2606:4700::1111', '::ffff:169.254.169.254']],
])('one private address among public ones refuses the name: %s', async addresses => {
  const lookup = makeGuardedLookup({ policy: {} }, (_name, _options, callback) =>
    callback(
      null,
      addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 })),
    ),
  );
  const error = await failure(send(builtInEngine({ lookup }), 'http://mixed.test'));
  expect(error).toMatchObject({ code: 'target_refused', details: { reason: 'private_address' } });
});
