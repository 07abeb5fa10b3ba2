// A returned file of 200 MiB (or --mib N), saved to disk, with the memory of the process that saves it. The server runs in
// a process of its own. `npm run build` first. With --json one JSON document.
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { FilesClient } from '../dist/index.js';

const MIB = 1024 * 1024;

if (process.send !== undefined) {
  const { startReferenceServer } = await import('../dist/testing.js');
  const server = await startReferenceServer();
  process.send(server.url);
  process.once('disconnect', () => void server.close());
} else {
  const { values } = parseArgs({ options: { mib: { type: 'string', default: '200' }, json: { type: 'boolean' } } });
  const size = Number(values.mib) * MIB;
  const child = fork(fileURLToPath(import.meta.url));
  const folder = await mkdtemp(join(tmpdir(), 'mcp-files-returned-'));
  try {
    const report = await save(await new Promise(resolve => child.once('message', resolve)), size, folder);
    if (values.json) console.log(JSON.stringify(report));
    else for (const [name, value] of Object.entries(report)) console.log(`${name.padEnd(16)} ${value}`);
  } finally {
    child.disconnect();
    await rm(folder, { recursive: true });
  }
}

async function save(url, size, dir) {
  const mcp = new Client({ name: 'bench', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  const client = new FilesClient(mcp, { serverUrl: url });
  await mcp.connect(new StreamableHTTPClientTransport(new URL(url)));
  const make = async bytes =>
    (await client.callToolWithFiles({ name: 'make_report', arguments: { size: bytes } })).files[0];
  // Everything that is loaded on first use is there before the measure begins.
  const [small, large] = [await make(MIB), await make(size)];
  await client.download(small, { to: join(dir, 'small') });
  const before = process.memoryUsage().rss;
  let peak = before;
  const started = performance.now();
  const onProgress = () => {
    peak = Math.max(peak, process.memoryUsage().rss);
  };
  const { path } = await client.download(large, { dir, onProgress });
  const milliseconds = performance.now() - started;
  await client.close();
  await mcp.close();
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(createReadStream(path), async chunks => {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      hash.update(chunk);
    }
  });
  return {
    bytes,
    sha256: hash.digest('hex'),
    milliseconds: Math.round(milliseconds),
    mibPerSecond: Math.round(size / MIB / (milliseconds / 1000)),
    rssBeforeMiB: Math.round(before / MIB),
    rssPeakMiB: Math.round(peak / MIB),
    grownMiB: Math.round((peak - before) / MIB),
  };
}
