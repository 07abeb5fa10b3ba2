// `tools.map(fileArguments)` did not compile, and gave the index to an internal parameter that is called.
import { expect, test } from 'vitest';
import { fileArguments, type Tool } from '../../src/index.js';

test('fileArguments takes a tool and nothing else', () => {
  const inputSchema = { type: 'object', properties: { f: { $ref: 'https://x.example/far', 'x-mcp-file': {} } } };
  const tools: Tool[] = [{ name: 'a', inputSchema, _meta: { 'openai/fileParams': 5 } }];
  expect(fileArguments).toHaveLength(1);
  expect(tools.map(fileArguments)).toHaveLength(1);
});
