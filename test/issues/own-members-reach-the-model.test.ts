import { expect, it } from 'vitest';
import { toolForModel } from '../../src/index.js';
import { connect } from '../support/clients.js';
import { done, startScriptedServer } from '../support/scripted-server.js';

const tool = {
  name: 'post',
  title: 'Post',
  inputSchema: { type: 'object', properties: { file: { type: 'string', format: 'uri', 'x-mcp-file': {} } } },
};

it('a listed tool comes to the model without what the client adds to it', async () => {
  await using server = await startScriptedServer({ tools: [tool], onCall: () => done() });
  await using host = await connect('v2 modern', server.url);
  const [listed] = await host.files.listTools();
  const masked = toolForModel(listed!);
  expect(listed!.fileArguments).toHaveLength(1);
  expect(Object.keys(masked).sort()).toEqual(['inputSchema', 'name', 'title']);
  expect(JSON.stringify(masked)).not.toMatch(/dialect|x-mcp-file/);
});
