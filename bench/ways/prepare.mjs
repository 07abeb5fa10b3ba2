// A call with many files up to its first request. The client is a stand-in: what the SDK and the network make of
// 10,000 files is not the library's.
import { FilesClient, fromPath } from '../../dist/index.js';

const tool = {
  name: 'put',
  inputSchema: {
    type: 'object',
    properties: { files: { type: 'array', items: { type: 'object', 'x-mcp-file': {} } } },
  },
};

export async function plan({ paths, count }) {
  let planned;
  const mcp = {
    transport: {},
    registerCapabilities() {},
    getServerCapabilities: () => capabilities,
    async callTool() {},
    async request({ method }) {
      if (method === 'tools/list') return { tools: [tool] };
      planned = performance.now();
      return { content: [] };
    },
  };
  const capabilities = { extensions: { 'io.modelcontextprotocol/files': {} } };
  const client = new FilesClient(mcp, { inlineLimit: 0 });
  await client.listTools();
  const files = Array.from({ length: count }, (_, index) => fromPath(paths[index % paths.length]));
  const start = performance.now();
  await client.callToolWithFiles({ name: 'put', arguments: { files } });
  await client.close();
  return { milliseconds: planned - start };
}
