// A host built on this library, as the conformance runner calls it: `node client.mjs SERVER_URL`.
// OWN_LOOP=1 sends every call through the library's own loop of input rounds: each call gets an empty file, in an
// argument that the tool's definition is given on the client side, and the server is taken to advertise the extension.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { FilesClient, fromBytes } from '../../dist/index.js';

const url = process.argv.at(-1);
const scenario = process.env.MCP_CONFORMANCE_SCENARIO;
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const ownLoop = process.env.OWN_LOOP === '1';

const answer = { action: 'accept', content: { confirmed: true } };
const mcp = new Client(
  { name: 'mcp-files-client-conformance', version: '1.0.0' },
  { capabilities: { elicitation: {}, sampling: {}, roots: {} }, versionNegotiation: { mode: 'auto' } },
);
mcp.setRequestHandler('elicitation/create', async () => answer);
const files = new FilesClient(mcp, { serverUrl: url, onInputRequest: () => answer });
await mcp.connect(new StreamableHTTPClientTransport(new URL(url)));
if (ownLoop) {
  const original = mcp.getServerCapabilities.bind(mcp);
  mcp.getServerCapabilities = () => ({ ...original(), extensions: { 'io.modelcontextprotocol/files': {} } });
}

const tools = await files.listTools();
const call = async (name, args = {}) => {
  if (!ownLoop) return files.callToolWithFiles({ name, arguments: args });
  const { fileArguments: _, ...listed } = tools.find(tool => tool.name === name);
  const inputSchema = {
    ...listed.inputSchema,
    properties: { ...listed.inputSchema.properties, file: { type: 'object', 'x-mcp-file': {} } },
  };
  const file = fromBytes('', { name: 'empty' });
  return files.callToolWithFiles({ name, arguments: { ...args, file } }, { tool: { ...listed, inputSchema } });
};

const scenarios = {
  tools_call: () => call('add_numbers', { a: 5, b: 3 }),
  'sep-2322-client-request-state': async () => {
    await call('test_mrtr_echo_state');
    await call('test_mrtr_unrelated');
    await call('test_mrtr_no_state');
    // SDK v2 refuses a modern answer without resultType by itself; what is checked here is that the call was made.
    await call('test_mrtr_no_result_type').catch(error => {
      if (error.code !== 'INVALID_RESULT' && error.details?.reason !== 'result_refused_by_sdk') throw error;
    });
  },
  'http-custom-headers': async () => {
    for (const { name, arguments: args } of context.toolCalls) await call(name, args);
  },
  'http-standard-headers': () => call(tools[0].name),
  'request-metadata': () => undefined,
  'json-schema-2020-12-preservation': () => call('json_schema_echo', { schema: tools[0].inputSchema }),
};
try {
  await scenarios[scenario]();
} finally {
  await files.close();
  await mcp.close();
}
