// ihor-sokoliuk/mcp-searxng#82: 0.0.0.0 is in no private range, and reaches the machine itself.
import { expect, test } from 'vitest';
import { verdict } from '../transfer/target-policy-support.js';

const wide = { policy: { allowPrivateNetwork: ['0.0.0.0/0', '::/0'] } };

test.each(['0.0.0.0', '[::]', '0', '[::ffff:0.0.0.0]', '0.1.2.3'])('%s is refused, by a wide exception too', host => {
  expect(verdict({ url: `https://${host}/k` })).toBe('private_address');
  expect(verdict({ url: `https://${host}/k` }, wide)).toBe('private_address');
  expect(verdict({ url: `https://${host}/k` }, { policy: { allowPrivateNetwork: true } })).toBe('private_address');
});
