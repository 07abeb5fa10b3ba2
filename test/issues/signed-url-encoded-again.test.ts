// pqina/filepond#1080 (%2F became %252F), jumpstarter-dev/jumpstarter#662 (%40 became @): the URL was normalised on its way to
// the wire, and its signature did not match any more.
import { expect, test } from 'vitest';
import { fromBytes } from '../../src/index.js';
import { host, publishing, server, uploadThenDone } from './support/call.js';

test.each([
  '/a%2Fb%40c?X-Amz-Credential=AKID%2F20300101%2Fus&X-Amz-Signature=ab+c%20d',
  "/it's/./a/../%7Ekey?sig='x'&e=%zz",
  '/k?a=1&&b=~%7e',
])('the path and query of a target reach the wire as they were given: %s', async path => {
  const scripted = await server({
    capability: { maxInlineBytes: 0 },
    onCall: uploadThenDone(() => ({ '/deck': { url: scripted.origin + path } })),
  });
  const { files } = await host(scripted.url);
  await files.callToolWithFiles(publishing({ deck: fromBytes('x', { name: 'x' }) }));
  expect(scripted.stored.map(({ url }) => url)).toEqual([path]);
});
