// indutny/node-ip#162 (CVE-2024-29415), nodetool-ai/nodetool#4787: octal, decimal, hexadecimal and short forms of 127.0.0.1
// passed a check that knows dotted decimals only.
import { expect, test } from 'vitest';
import { verdict } from '../transfer/target-policy-support.js';

test.each(['2130706433', '0x7f000001', '017700000001', '127.1', '0177.0.0.1', '0x7f.1', '127.0.0.1.', '①②⑦.0.0.1'])(
  'https://%s/ is loopback',
  host => expect(['private_address', 'url_malformed']).toContain(verdict({ url: `https://${host}/k` })),
);
