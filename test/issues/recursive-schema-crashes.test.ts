// openclaw/openclaw#152883, withcoral/coral#1306: a schema that refers to itself, or is 500 levels deep, overflowed the stack;
// anthropics/claude-code#77106: one such tool hid all tools of its server.
import { expect, test } from 'vitest';
import { publish } from '../support/tools.js';
import { host, server } from './support/call.js';

const node = {
  type: 'object',
  properties: {
    file: { type: 'object', 'x-mcp-file': {} },
    children: { type: 'array', items: { $ref: '#/$defs/node' } },
  },
};
const recursive = {
  name: 'tree',
  inputSchema: {
    type: 'object',
    $defs: { node, loop: { allOf: [{ $ref: '#/$defs/loop' }] } },
    properties: { root: { $ref: '#/$defs/node' }, loop: { $ref: '#/$defs/loop' } },
  },
};
let deep: Record<string, unknown> = { type: 'object', 'x-mcp-file': {} };
for (let level = 0; level < 600; level++) deep = { type: 'object', properties: { p: deep } };

test('tools with such schemas are listed beside the others', async () => {
  const tools = [recursive, { name: 'deep', inputSchema: deep }, publish];
  const scripted = await server({ tools });
  const { files } = await host(scripted.url);
  const listed = await files.listTools();
  expect(listed.map(({ name }) => name)).toEqual(['tree', 'deep', 'publish']);
  expect(listed[0]!.fileArguments.map(({ pointer }) => pointer)).toContain('/root/file');
  expect(listed[2]!.fileArguments).toHaveLength(3);
});
