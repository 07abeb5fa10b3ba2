// The worker: knows two URIs and nothing else. Reads both, checks them byte for byte, and deletes what is used up.
import { createHash } from 'node:crypto';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { FilesClient, isFilesError } from 'mcp-files-client';

const [url, ticket] = process.argv.slice(2);
const mcp = new Client({ name: 'worker', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
const transport = new StreamableHTTPClientTransport(new URL(url));
const client = new FilesClient(mcp, { serverUrl: url, transport });
await mcp.connect(transport);

const report = {};
for (const [name, { uri, sha256 }] of Object.entries(JSON.parse(ticket))) {
  const [content] = await client.resources.read(uri);
  const bytes = content.bytes ?? Buffer.from(content.text);
  const same = createHash('sha256').update(bytes).digest('hex') === sha256;
  await client.resources.delete(uri);
  const afterwards = await client.resources.read(uri).then(
    () => 'still there',
    error => (isFilesError(error) ? error.code : String(error)),
  );
  report[name] = { mimeType: content.mimeType, bytes: bytes.byteLength, same, afterwards };
}
await client.close();
await mcp.close();
process.stdout.write(JSON.stringify(report));
