// modelcontextprotocol/typescript-sdk#1672: `request` never takes its abort listener off the caller's signal.
import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { fromBytes } from '../../src/index.js';
import { FLAVOURS } from '../support/clients.js';
import { host, publishing, server } from './support/call.js';

test.each(FLAVOURS)('the host keeps a clean signal after many calls: %s', async flavour => {
  const { url } = await server();
  const { files } = await host(url, {}, flavour);
  const { signal } = new AbortController();
  for (let i = 0; i < 12; i++) {
    await files.callToolWithFiles(publishing({ deck: fromBytes('x', { name: 'x' }) }), { signal });
    await files.callToolWithFiles(publishing({}), { signal });
  }
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
