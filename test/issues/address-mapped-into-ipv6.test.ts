// librefang/librefang#4019, mcp-hangar/mcp-hangar#900: ::ffff:127.0.0.1 is in no IPv4 range and in no private IPv6 range, and
// reaches 127.0.0.1.
import { expect, test } from 'vitest';
import { isAddressAllowed } from '../../src/transfer/address-rules.js';
import { verdict } from '../transfer/target-policy-support.js';

test.each(['127.0.0.1', '10.0.0.1', '192.168.1.1', '169.254.169.254'])(
  '%s is private in its mapped form too',
  address => {
    expect(verdict({ url: `https://[::ffff:${address}]/k` })).toBe('private_address');
    expect(isAddressAllowed(`::ffff:${address}`, 'name.test', { policy: {} })).toBe(false);
  },
);

test('a public address is public in its mapped form too', () => {
  expect(isAddressAllowed('::ffff:8.8.8.8', 'name.test', { policy: {} })).toBe(true);
});
