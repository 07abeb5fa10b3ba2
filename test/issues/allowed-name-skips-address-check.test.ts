// sooperset/mcp-atlassian#1005: a name on the list of allowed hosts was not resolved and checked any more.
import { expect, test } from 'vitest';
import { makeGuardedLookup } from '../../src/transfer/address-guard.js';
import { verdict } from '../transfer/target-policy-support.js';
import { builtInEngine, failure, send } from './support/transfer.js';

const policy = { allowHosts: ['storage.example.net', '127.0.0.1'] };

test('a listed name that resolves to a private address is refused', async () => {
  const lookup = makeGuardedLookup({ policy }, (_name, _options, callback) =>
    callback(null, [{ address: '127.0.0.1', family: 4 }]),
  );
  const error = await failure(send(builtInEngine({ lookup }), 'http://storage.example.net'));
  expect(error).toMatchObject({ code: 'target_refused', details: { reason: 'private_address' } });
});

test('a listed address is refused where it is private', () => {
  expect(verdict({ url: 'https://127.0.0.1/k' }, { policy })).toBe('private_address');
});
