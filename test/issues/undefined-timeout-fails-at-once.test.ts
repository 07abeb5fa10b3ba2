// An option that was spread in with the value undefined displaced its default: a limit of NaN milliseconds, so that every
// upload was ended at once, as stalled.
import { expect, test } from 'vitest';
import { checkedOptions, givenOptions } from '../../src/client-options.js';
import { FilesClient, type FilesClientOptions, fromBytes } from '../../src/index.js';
import { host, publishing, server, uploadThenDone } from './support/call.js';
import { storage } from './support/transfer.js';

for (const timeouts of [
  { stall: undefined, response: undefined, connect: undefined },
  { stall: Number.POSITIVE_INFINITY, response: Number.POSITIVE_INFINITY, connect: Number.POSITIVE_INFINITY },
  { stall: 0, response: 0, connect: 0 },
]) {
  test(`an upload with every limit ${timeouts.stall} arrives`, async () => {
    const { origin } = await storage();
    const mcp = await server({ onCall: uploadThenDone(() => ({ '/deck': { url: `${origin}/put` } })) });
    const { files } = await host(mcp.url, {
      inlineLimit: 0,
      timeouts: timeouts as FilesClientOptions['timeouts'] & {},
    });
    const result = await files.callToolWithFiles(publishing({ deck: fromBytes('content', { name: 'a.pptx' }) }));
    expect(result.transfers).toHaveLength(1);
  });
}

const client = {} as ConstructorParameters<typeof FilesClient>[0];

test.each([
  ['timeouts.stall', { timeouts: { stall: Number.NaN } }],
  ['timeouts.stall', { timeouts: { stall: -1 } }],
  ['timeouts.response', { timeouts: { response: '120' } }],
  ['timeouts.connect', { timeouts: { connect: null } }],
  ['timeouts', { timeouts: 5_000 }],
  ['proxy', { proxy: 'localhost:80' }],
  ['proxy', { proxy: 'proxy.example' }],
  ['proxy', { proxy: true }],
  ['fetch', { fetch: 'x' }],
])('a mistake in %s is told when the client is made: %j', (name, options) => {
  const make = () => new FilesClient(client, options as unknown as FilesClientOptions);
  expect(make).toThrow(TypeError);
  expect(make).toThrow(`FilesClient option ${name} must be`);
});

test.each(['env', 'http://127.0.0.1:1', 'https://user:pass@proxy.example'])('the proxy %s is one', proxy => {
  expect(checkedOptions(givenOptions({ proxy })).proxy).toBe(proxy);
});
