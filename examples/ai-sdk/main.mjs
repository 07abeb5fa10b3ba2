// mcp-files-client under the AI SDK: `npm run example:ai-sdk`. The tools are those of the AI SDK's own MCP client, made from
// masked definitions; their `execute` goes through `callToolWithFiles`. The model is the mock of `ai/test`.
import { createMCPClient } from '@ai-sdk/mcp';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { generateText, stepCountIs } from 'ai';
import { FilesClient, fromBytes } from 'mcp-files-client';
import { startReferenceServer } from 'mcp-files-client/testing';
import { createMockModel } from './mock-model.mjs';
import { withFiles } from './with-files.mjs';

const server = await startReferenceServer({ maxInlineBytes: 1024 });
const mcp = new Client({ name: 'example-ai-sdk', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
const files = new FilesClient(mcp, { serverUrl: server.url });
await mcp.connect(new StreamableHTTPClientTransport(new URL(server.url)));
const aiClient = await createMCPClient({ transport: { type: 'http', url: server.url } });

try {
  const scope = 'chat-1';
  const handle = await files.registry.add(fromBytes('x'.repeat(20_000), { name: 'notes.txt' }), { scope });
  const model = createMockModel();
  const { text } = await generateText({
    model,
    tools: await withFiles(aiClient, files, { scope }),
    stopWhen: stepCountIs(5),
    prompt: `Save my notes, make a report, and save that too. Attached: notes.txt, handle ${handle}`,
  });
  console.log(
    JSON.stringify({ text, seen: model.doGenerateCalls.map(({ prompt, tools }) => ({ prompt, tools })) }, null, 2),
  );
  console.error(
    server
      .received()
      .map(({ tool, name, size, mode }) => `${tool}: ${name}, ${size} bytes by ${mode}`)
      .join('\n'),
  );
} finally {
  await aiClient.close();
  await files.close();
  await mcp.close();
  await server.close();
}
