/**
 * npm run test:dialects
 *
 * Sends into every dialect that the reference server speaks, by every route, with each SDK, and into a public server;
 * prints what went which way as a table. Exits with 1 where a file did not arrive as it was sent.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { FilesClient, fromBytes } from '../../dist/index.js';
import { startReferenceServer } from '../../dist/testing.js';

const KIB = 1024;
const SMALL = 10 * KIB;
const LARGE = 3 * KIB * KIB;
const sha256 = bytes => createHash('sha256').update(bytes).digest('hex');
const info = { name: 'dialects', version: '1' };

const SDKS = {
  'v1 1.x': () => new ClientV1(info),
  'v2 legacy': () => new ClientV2(info, { versionNegotiation: { mode: 'legacy' } }),
  'v2 2026-07-28': () => new ClientV2(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
};
const isV1 = sdk => sdk.startsWith('v1');

const published = new Map();
const shelf = await listen((request, response) => response.end(published.get(request.url)));
const publish = async file => {
  published.set(`/${published.size}`, await file.bytes());
  return { url: `${shelf.origin}/${published.size - 1}`, id: 'f' };
};
const describeArguments = () => [
  { pointer: '/content_base64', as: 'base64', nameAt: '/filename', typeAt: '/mime_type' },
];

/** What is sent, to a server with which options, and how it is to go. */
const ROWS = [
  ['extension', 'inline', SMALL, {}],
  ['extension', 'put', LARGE, { mode: 'put' }],
  ['extension', 'post', LARGE, { mode: 'post' }],
  ['extension', 'form', LARGE, { mode: 'form' }],
  ['data-uri', 'data-uri', SMALL, { dialect: 'data-uri' }],
  ['file-object', 'data-uri', SMALL, { dialect: 'file-object' }],
  ['file-object', 'authorized', LARGE, { dialect: 'file-object', mode: 'put' }, 'PUT'],
  ['file-object', 'authorized', LARGE, { dialect: 'file-object', mode: 'form' }, 'form'],
  ['file-object-older', 'authorized', LARGE, { dialect: 'file-object-older', mode: 'post' }, 'POST'],
  ['openai-file-params', 'link', LARGE, { dialect: 'openai-file-params' }],
  ['base64', 'inline', SMALL, { dialect: 'base64' }],
];

let failed = false;
const table = [['dialect', 'mode', ...Object.keys(SDKS)]];
for (const [dialect, mode, size, options, by = ''] of ROWS) {
  const cells = [];
  for (const sdk of Object.keys(SDKS)) cells.push(await said(() => send(sdk, { dialect, mode, size, options })));
  table.push([dialect, `${mode} ${by}`.trim(), ...cells]);
}
const cells = [];
for (const sdk of ['v1 1.x', 'v2 legacy']) cells.push(await said(() => sendToPaperless(sdk)));
table.push(['base64, paperless-mcp (stdio)', 'inline', ...cells, '- (no such protocol)']);
shelf.close();

const widths = table[0].map((_, column) => Math.max(...table.map(row => row[column].length)));
for (const [index, row] of table.entries()) {
  console.log(`| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`);
  if (index === 0) console.log(`|${widths.map(width => '-'.repeat(width + 2)).join('|')}|`);
}
process.exitCode = failed ? 1 : 0;

async function said(task) {
  try {
    return await task();
  } catch (error) {
    failed = true;
    return `FAILED: ${error.code ?? error.message}`;
  }
}

async function send(sdk, { dialect, mode, size, options }) {
  const server = await startReferenceServer(options);
  const mcp = SDKS[sdk]();
  const client = new FilesClient(mcp, {
    serverUrl: server.url,
    ...(dialect === 'openai-file-params' && { publish }),
    ...(dialect === 'base64' && { describeArguments }),
  });
  const url = new URL(server.url);
  await mcp.connect(isV1(sdk) ? new HttpV1(url) : new HttpV2(url));
  try {
    const bytes = randomBytes(size);
    const file = fromBytes(bytes, { name: 'a.bin' });
    const place = dialect === 'base64' ? 'content_base64' : 'document';
    const result = await client.callToolWithFiles({ name: 'save_file', arguments: { folder: 'f', [place]: file } });
    const [received] = server.received();
    if (received?.sha256 !== sha256(bytes)) throw new Error('other bytes arrived');
    if (result.transfers[0].mode !== mode) throw new Error(`went as ${result.transfers[0].mode}`);
    return `ok, ${size} bytes`;
  } finally {
    await client.close();
    await mcp.close();
    await server.close();
  }
}

/** A public server over stdio, whose own back end is played here: the file has to arrive there as it was sent. */
async function sendToPaperless(sdk) {
  let program;
  try {
    program = createRequire(import.meta.url).resolve('@baruchiro/paperless-mcp/build/index.js');
  } catch {
    return '- (not installed)';
  }
  const bodies = [];
  const paperless = await listen(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.url.includes('post_document')) bodies.push(Buffer.concat(chunks));
    response.setHeader('content-type', 'application/json');
    response.end(request.url.includes('post_document') ? '"task-1"' : '{"count":0,"results":[]}');
  });
  const mcp = SDKS[sdk]();
  const client = new FilesClient(mcp, {
    describeArguments: tool =>
      tool.name === 'post_document' ? [{ pointer: '/file', as: 'base64', nameAt: '/filename' }] : undefined,
  });
  const command = { command: process.execPath, args: [program, '--baseUrl', paperless.origin, '--token', 't'] };
  await mcp.connect(isV1(sdk) ? new StdioV1(command) : new StdioV2(command));
  try {
    const bytes = randomBytes(SMALL);
    const call = { name: 'post_document', arguments: { file: fromBytes(bytes, { name: 'scan.pdf' }), title: 'Scan' } };
    const result = await client.callToolWithFiles(call);
    if (result.isError) throw new Error(`the tool said: ${result.content[0]?.text}`);
    const [body] = bodies;
    if (!body?.includes(bytes) || !body.includes('filename="scan.pdf"')) throw new Error('another file arrived');
    return `ok, ${SMALL} bytes`;
  } finally {
    await client.close();
    await mcp.close();
    paperless.close();
  }
}

async function listen(handle) {
  const server = createServer((request, response) => void handle(request, response));
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { origin: `http://127.0.0.1:${server.address().port}`, close };
}
