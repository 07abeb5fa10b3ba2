// DeusData/codebase-memory-mcp#1247, sparfenyuk/mcp-proxy#233: the last page named a cursor that led to itself; clients read it
// for ever.
import { expect, test } from 'vitest';
import { publish } from '../support/tools.js';
import { host, server } from './support/call.js';

test('a list that leads back to itself is a violation after one round', async () => {
  let pages = 0;
  const scripted = await server({
    onListTools: () => {
      pages += 1;
      return pages > 20 ? { tools: [] } : { tools: [publish], nextCursor: '8' };
    },
  });
  const { files } = await host(scripted.url);
  await expect(files.listTools()).rejects.toMatchObject({ code: 'server_violation' });
  expect(pages).toBe(2);
});
