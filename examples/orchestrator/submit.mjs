// The orchestrator: stores what a job will need, says where it is, and ends. Nothing of it is left when the job runs.
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { FilesClient } from 'mcp-files-client';

const PROMPT = 'Summarise each row of the dataset in one sentence. Keep names as they are: “Zoë”, “naïve”, “数据”.\n';
const rows = Array.from({ length: 20_000 }, (_, row) => `${row};company ${row % 97};${(row * 7919) % 10_007}`);
const DATASET = gzipSync(rows.join('\n'));
const sha256 = content => createHash('sha256').update(content).digest('hex');

const mcp = new Client({ name: 'orchestrator', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
const transport = new StreamableHTTPClientTransport(new URL(process.argv[2]));
// The transport is shown to the library too: servers of earlier protocols say only there that they have resources/create.
const client = new FilesClient(mcp, { serverUrl: process.argv[2], transport });
await mcp.connect(transport);

const { resources } = client;
const metadata = { ttl: 3600, tags: ['job-17'] };
const prompt = await resources.create({ name: 'prompt', content: PROMPT, metadata });
const dataset = await resources.create({
  name: 'rows.csv.gz',
  content: DATASET,
  mimeType: 'application/gzip',
  metadata,
});
await client.close();
await mcp.close();
process.stdout.write(
  JSON.stringify({
    prompt: { uri: prompt.uri, sha256: sha256(PROMPT) },
    dataset: { uri: dataset.uri, sha256: sha256(DATASET) },
  }),
);
