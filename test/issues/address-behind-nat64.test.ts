// librefang/librefang#4019, #5156: 64:ff9b::a9fe:a9fe goes through a NAT64 gateway to 169.254.169.254.
import { expect, test } from 'vitest';
import { verdict } from '../transfer/target-policy-support.js';

test.each(['64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe', '64:ff9b::10.0.0.1', '2002:7f00:1::', '2002:a9fe:a9fe::1'])(
  '%s is judged by the IPv4 address that it carries',
  address => expect(verdict({ url: `https://[${address}]/k` })).toBe('private_address'),
);

test('a DNS64 answer for a public storage is let through', () => {
  expect(verdict({ url: 'https://[64:ff9b::808:808]/k' })).toBe('ok');
});
