// modelcontextprotocol/typescript-sdk#454: `callTool` throws -32600 where a tool has an outputSchema and the answer has no
// structuredContent, as no answer that asks for input has.
import { expect, test } from 'vitest';
import { fromBytes } from '../../src/index.js';
import { FLAVOURS } from '../support/clients.js';
import { publish } from '../support/tools.js';
import { host, inputRequired, publishing, server, uploadEntry } from './support/call.js';

const tool = { ...publish, outputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } };

test.each(FLAVOURS)('an upload round of a tool with an outputSchema is answered: %s', async flavour => {
  const scripted = await server({
    tools: [tool],
    capability: { maxInlineBytes: 0 },
    onCall: (_call, index) =>
      index === 0
        ? inputRequired({ up: uploadEntry({ '/deck': { path: 'up/1' } }) }, 'state')
        : { result: { resultType: 'complete', content: [], structuredContent: { id: '7' } } },
  });
  const connected = await host(scripted.url, {}, flavour);
  await (connected.mcp as { listTools(): Promise<unknown> }).listTools();
  const result = await connected.files.callToolWithFiles(publishing({ deck: fromBytes('x', { name: 'x' }) }));
  expect(result.structuredContent).toEqual({ id: '7' });
});
