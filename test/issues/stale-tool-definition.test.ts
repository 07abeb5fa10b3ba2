// danny-avila/LibreChat#14517: tools/list_changed was not heeded, so tools were called by definitions that were gone.
import { expect, test } from 'vitest';
import { ToolCatalog } from '../../src/call/tool-catalog.js';
import type { McpPort } from '../../src/connection/index.js';

test('a definition is read anew after the server said that tools changed, and on a new connection', async () => {
  let changed = (): void => {};
  let version = 0;
  const port = {
    connectionKey: {},
    onToolListChanged: (listener: () => void) => {
      changed = listener;
      return () => {};
    },
    listToolsPage: async () => ({ tools: [{ name: 'save', version: ++version, inputSchema: { type: 'object' } }] }),
  };
  const catalog = new ToolCatalog(port as unknown as McpPort);
  const { signal } = new AbortController();
  const find = async () => (await catalog.find('save', signal))?.version;
  expect([await find(), await find()]).toEqual([1, 1]);
  changed();
  expect([await find(), await find()]).toEqual([2, 2]);
  port.connectionKey = {};
  expect(await find()).toBe(3);
});
