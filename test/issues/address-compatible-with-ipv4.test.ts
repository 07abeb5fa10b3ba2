// orbflow-dev/orbflow#27: IPv4-compatible addresses (::127.0.0.1) were not unwrapped before they were judged.
import { expect, test } from 'vitest';
import { isAddressAllowed } from '../../src/transfer/address-rules.js';
import { verdict } from '../transfer/target-policy-support.js';

test.each(['::127.0.0.1', '::10.0.0.1', '::a9fe:a9fe', '::8.8.8.8'])('%s is no public address', address => {
  expect(verdict({ url: `https://[${address}]/k` })).toBe('private_address');
  expect(isAddressAllowed(address, 'name.test', { policy: {} })).toBe(false);
});
