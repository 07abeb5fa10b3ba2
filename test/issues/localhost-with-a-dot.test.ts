// librefang/librefang#4019: "localhost." is not "localhost" to a comparison, and is to a resolver.
import { expect, test } from 'vitest';
import { verdict } from '../transfer/target-policy-support.js';

test.each(['localhost.', 'LOCALHOST', 'a.localhost', 'a.localhost.', 'metadata.google.internal.'])(
  '%s is refused',
  name => {
    expect(verdict({ url: `https://${name}/k` }, { engineKind: 'fetch' })).toBe('private_address');
  },
);

test('a ban holds for the name with its dot', () => {
  expect(verdict({ url: 'https://evil.example./k' }, { policy: { denyHosts: ['evil.example'] } })).toBe('host_denied');
});
