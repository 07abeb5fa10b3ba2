// A small host from end to end: `npm run example:host`. A person attaches two files and asks for something; a model (a
// scripted one, see model.mjs) calls tools with their handles; the files go to the server and one comes back. Everything
// runs on this computer. At the end it prints all that the model has seen.
import { randomBytes } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { FilesClient, fromPath } from 'mcp-files-client';
import { startReferenceServer } from 'mcp-files-client/testing';
import { Agent } from './agent.mjs';
import { createScriptedModel } from './model.mjs';
import { Terminal } from './terminal.mjs';

const folder = await mkdtemp(join(tmpdir(), 'example-host-'));
const terminal = new Terminal();
const server = await startReferenceServer({ maxInlineBytes: 4096 });

// What a person has picked in the host's window.
const attached = [join(folder, 'deck.pdf'), join(folder, 'logo.png')];
await writeFile(attached[0], randomBytes(5_000_000));
await writeFile(attached[1], randomBytes(1500));

const mcp = new Client({ name: 'example-host', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
const files = new FilesClient(mcp, { serverUrl: server.url, approve: transfer => terminal.approve(transfer) });
await mcp.connect(new StreamableHTTPClientTransport(new URL(server.url)));

try {
  const agent = new Agent({ files, model: createScriptedModel(), scope: 'conversation-1', terminal });
  const answer = await agent.run({
    text: 'Publish this deck with its logo, then make a report of it and file that too.',
    files: attached.map(path => fromPath(path, { root: folder })),
    saveTo: join(folder, 'from-tools'),
  });

  console.log('\nWhat the model saw:\n');
  console.log(JSON.stringify(agent.transcript, null, 2));
  console.log('\nWhat the server got:\n');
  for (const { tool, name, size, mode, sha256 } of server.received()) {
    console.log(`  ${tool}: ${name}, ${size} bytes by ${mode}, sha256 ${sha256.slice(0, 16)}…`);
  }
  console.log(`\n${answer}`);
} finally {
  await files.close();
  await mcp.close();
  await server.close();
  terminal.close();
}
