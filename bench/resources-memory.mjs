/**
 * Peak memory of a client that creates and reads one large resource, as a multiple of the resource's size. Three processes
 * beside this one: the server, and one client for each line, so that no line pays for another.
 *
 *   node bench/resources-memory.mjs [megabytes, 100 by default]
 */
import { execFileSync, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MB = 1_000_000;
/** A result schema that takes everything. */
const ANYTHING = { '~standard': { version: 1, vendor: 'bench', validate: value => ({ value }) } };
const self = fileURLToPath(import.meta.url);
const [role, ...rest] = process.argv.slice(2);

if (role === 'server') await serve(Number(rest[0]));
else if (role === 'client') await work(...rest);
else await measure(Number(role ?? 100) * MB);

async function measure(size) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-files-bench-'));
  const server = fork(self, ['server', String(size)]);
  try {
    const [{ url }] = await once(server, 'message');
    const path = join(folder, 'data.bin');
    writeFileSync(path, randomBytes(size));
    const text = join(folder, 'data.txt');
    writeFileSync(text, 'abcdefghijklmno\n'.repeat(size / 16));
    const run = (...args) =>
      JSON.parse(
        execFileSync(process.execPath, ['--max-old-space-size=8192', self, 'client', url, ...args], { maxBuffer: MB }),
      );
    const { peak: base } = run('connect');
    console.log(`${size / MB} MB; a client that only connects has ${Math.round(base / MB)} MB`);
    for (const [what, from] of [
      ['base64', path],
      ['text', text],
    ]) {
      const created = run('create', from);
      const read = run('read', created.uri, String(size));
      const byHand = run('create-by-hand', from, what);
      const readByHand = run('read-by-hand', created.uri, String(size));
      const rows = { create: created, 'create, SDK alone': byHand, read, 'read, SDK alone': readByHand };
      for (const [did, { peak, milliseconds }] of Object.entries(rows)) {
        const more = ((peak - base) / size).toFixed(1);
        console.log(
          `${did.padEnd(17)} ${what.padEnd(6)}: ${more} x the size over that, ${Math.round(peak / MB)} MB in all, ${milliseconds} ms`,
        );
      }
      for (const { uri } of [created, byHand]) run('delete', uri);
    }
    console.log(`over a limit of half of it: ${run('over', path, String(size / 2)).code}`);
  } finally {
    server.disconnect();
    rmSync(folder, { recursive: true });
  }
}

async function serve(size) {
  const { startReferenceServer } = await import('../dist/testing.js');
  const server = await startReferenceServer({ resourceQuota: 3 * size, jsonBodyLimit: 3 * size });
  process.send({ url: server.url });
  process.once('disconnect', () => void server.close());
}

async function work(url, what, ...args) {
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const { FilesClient, fromPath } = await import('../dist/index.js');
  const mcp = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const client = new FilesClient(mcp, { serverUrl: url });
  await mcp.connect(new StreamableHTTPClientTransport(new URL(url)));
  const { resources } = client;
  const started = performance.now();
  const options = { timeout: 600_000 };
  const result = {};
  if (what === 'create') result.uri = (await resources.create({ content: fromPath(args[0]) }, options)).uri;
  if (what === 'create-by-hand') {
    const isText = args[1] === 'text';
    const params = {
      name: 'data',
      mimeType: isText ? 'text/plain' : 'application/octet-stream',
      content: readFileSync(args[0], isText ? 'utf8' : 'base64'),
    };
    result.uri = (await mcp.request({ method: 'resources/create', params }, ANYTHING, options)).uri;
  }
  if (what === 'read-by-hand') {
    const [{ text, blob }] = (await mcp.readResource({ uri: args[0] }, options)).contents;
    if ((text ?? Buffer.from(blob, 'base64')).length !== Number(args[1])) throw new Error('not the size that was sent');
  }
  if (what === 'delete') await resources.delete(args[0]);
  if (what === 'over') {
    result.code = await resources
      .create({ content: fromPath(args[0]) }, { maxBytes: Number(args[1]) })
      .catch(e => `${e.code}: ${e.message}`);
  }
  if (what === 'read') {
    const [{ text, bytes }] = await resources.read(args[0], options);
    if ((text ?? bytes).length !== Number(args[1])) throw new Error('not the size that was sent');
  }
  result.milliseconds = Math.round(performance.now() - started);
  await client.close();
  await mcp.close();
  // Kilobytes, as Linux counts.
  console.log(JSON.stringify({ ...result, peak: process.resourceUsage().maxRSS * 1024 }));
}
