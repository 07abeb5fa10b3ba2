// An MCP server without an SDK, in a process of its own: JSON-RPC over HTTP, protocol 2026-07-28. Its tools take files
// as the working draft describes. Files that come without data are sent to the sink, whose origin is the first argument.
import { createServer } from 'node:http';

const EXTENSION = 'io.modelcontextprotocol/files';
const [sink] = process.argv.slice(2);

const files = { type: 'object', properties: { files: { type: 'array', items: { type: 'object', 'x-mcp-file': {} } } } };
const tools = [
  ...['put', 'form'].map(name => ({ name, inputSchema: files })),
  { name: 'get', inputSchema: { type: 'object', properties: { size: { type: 'integer' } } } },
];
const uncached = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

const answers = {
  'server/discover': () => ({
    ...uncached,
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {}, extensions: { [EXTENSION]: { maxInlineBytes: 1024 ** 3 } } },
    serverInfo: { name: 'bench', version: '1' },
  }),
  'tools/list': () => ({ ...uncached, tools }),
  'tools/call': ({ name, arguments: { files, size }, requestState }) => {
    if (name === 'get') {
      const file = { name: 'file.bin', size, url: `${sink}/get/${size}`, credentials: 'omit' };
      const content = [{ type: 'text', text: 'here' }];
      return { resultType: 'complete', content, _meta: { [EXTENSION]: { downloads: [file] } } };
    }
    const pending = [...files.keys()].filter(index => files[index].data === undefined);
    if (pending.length === 0 || requestState !== undefined) {
      return { resultType: 'complete', content: [{ type: 'text', text: 'stored' }] };
    }
    const targets = Object.fromEntries(pending.map(index => [`/files/${index}`, target(name, index)]));
    const upload = { method: `${EXTENSION}/upload`, params: { targets } };
    return { resultType: 'input_required', inputRequests: { upload }, requestState: 'state' };
  },
};

function target(tool, index) {
  const url = `${sink}/${index}`;
  if (tool === 'put') return { url, method: 'PUT', credentials: 'omit' };
  return { url, method: 'POST', credentials: 'omit', form: { fields: [{ name: 'key', value: `${index}` }] } };
}

const server = createServer((request, response) => {
  const parts = [];
  request.on('data', part => parts.push(part));
  request.on('end', () => {
    if (request.method !== 'POST') return response.writeHead(405).end();
    const { id, method, params } = JSON.parse(Buffer.concat(parts).toString());
    if (id === undefined) return response.writeHead(202).end();
    const answer = answers[method];
    const message = answer ? { result: answer(params) } : { error: { code: -32601, message: 'Method not found' } };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...message }));
  });
});

process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send({ url: `http://127.0.0.1:${server.address().port}/mcp` }));
