// This library as a host uses it: the built package around the client of the MCP SDK. Everything that keeps a transfer
// safe is at its default: file checks, byte counts, timers, policy; plain http on loopback is allowed as for any server
// that is itself on loopback.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { FilesClient, fromPath } from '../../dist/index.js';
import { begin } from './clock.mjs';

export async function connect(mcpUrl, options = {}) {
  const mcp = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const client = new FilesClient(mcp, { serverUrl: mcpUrl, ...options });
  await mcp.connect(new StreamableHTTPClientTransport(new URL(mcpUrl)));
  return {
    mcp,
    client,
    async close() {
      await client.close();
      await mcp.close();
    },
  };
}

async function send(tool, { mcpUrl, files, concurrency }, options = {}) {
  const { client, close } = await connect(mcpUrl, { concurrency, inlineLimit: 0, ...options });
  begin();
  if (concurrency > 1 || files.length === 1) {
    await client.callToolWithFiles({ name: tool, arguments: { files: files.map(({ path }) => fromPath(path)) } });
  } else {
    // One after another: a call for each, as a host does that gets its files one by one.
    for (const { path } of files)
      await client.callToolWithFiles({ name: tool, arguments: { files: [fromPath(path)] } });
  }
  await close();
}

export const put = job => send('put', job);
export const form = job => send('form', job);

/** A file that a tool returns, saved to disk. */
export async function get({ mcpUrl, files, to }) {
  const { client, close } = await connect(mcpUrl);
  const { files: returned } = await client.callToolWithFiles({ name: 'get', arguments: { size: files[0].size } });
  begin();
  await client.download(returned[0], { to, overwrite: true });
  await close();
}

/** A host with the SDK and the library that is connected and sends nothing: what is in each number before a transfer. */
export async function connectOnly({ mcpUrl }) {
  const { close } = await connect(mcpUrl);
  await close();
}
