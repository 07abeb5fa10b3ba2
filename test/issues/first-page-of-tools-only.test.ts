// github/copilot-cli#4006: only the first page of tools/list was read; tools on later pages did not exist for the client.
import { expect, test } from 'vitest';
import { fromBytes } from '../../src/index.js';
import { publish } from '../support/tools.js';
import { host, publishing, server } from './support/call.js';

const PAGES = [{ tools: [], nextCursor: '2' }, { tools: [], nextCursor: '3' }, { tools: [publish] }];

test('a tool on the last page can be called with a file', async () => {
  const scripted = await server({ onListTools: cursor => PAGES[Number(cursor ?? 1) - 1]! });
  const { files } = await host(scripted.url);
  await expect(files.callToolWithFiles(publishing({ deck: fromBytes('x', { name: 'x' }) }))).resolves.toMatchObject({
    content: [{ text: 'done' }],
  });
});
