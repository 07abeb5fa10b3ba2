// librefang/librefang#5156: the credentials service of a cloud (169.254.169.254, 100.100.100.200, fd00:ec2::254) passed a list of
// private ranges.
import { expect, test } from 'vitest';
import { verdict } from '../transfer/target-policy-support.js';

test.each(['169.254.169.254', '100.100.100.200', '[fd00:ec2::254]', '[fe80::a9fe:a9fe]', '168.63.129.16'])(
  'allowPrivateNetwork does not open %s',
  host => {
    for (const allowPrivateNetwork of [false, true, ['0.0.0.0/0', 'fd00::/8', '::/0']]) {
      expect(verdict({ url: `https://${host}/latest` }, { policy: { allowPrivateNetwork } })).toBe('private_address');
    }
  },
);

test('it opens what it names', () => {
  const policy = { allowPrivateNetwork: true };
  expect(verdict({ url: 'https://10.1.2.3/k' }, { policy })).toBe('ok');
});
