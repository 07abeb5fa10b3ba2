// GHSA-jwp7-wg77-3w9v (Agent-Threat-Rule/agent-threat-rules#289): hosts were compared as text, so docs.apify.com.evil.com and
// docs.apify.com@evil.com passed for docs.apify.com.
import { expect, test } from 'vitest';
import { verdict } from '../transfer/target-policy-support.js';

const policy = { allowHosts: ['docs.apify.com', '*.storage.example'] };

test.each([
  ['https://docs.apify.com.evil.com/', 'host_denied'],
  ['https://evildocs.apify.com/', 'host_denied'],
  ['https://evilstorage.example/', 'host_denied'],
  ['https://storage.example/', 'host_denied'],
  ['https://docs.apify.com@evil.com/', 'userinfo'],
  ['https://evil.com/?https://docs.apify.com/', 'host_denied'],
  ['https://evil.com\\@docs.apify.com/', 'url_malformed'],
  ['https://docs.apify.com/', 'ok'],
  ['https://a.b.storage.example/', 'ok'],
])('%s: %s', (url, expected) => {
  expect(verdict({ url }, { policy })).toBe(expected);
});
