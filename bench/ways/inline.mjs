// Calls with a file inline, many in one process: one by hand through the SDK, one through the library.
import { readFile } from 'node:fs/promises';
import { fromBytes, fromPath } from '../../dist/index.js';
import { connect } from './library.mjs';

const NAME = 'note.bin';
const TYPE = 'application/octet-stream';

async function timed({ mcpUrl, calls, warmUp = calls >> 1, size }, callOf) {
  const host = await connect(mcpUrl, { inlineLimit: size });
  await host.mcp.listTools(); // as a host has, before it calls a tool
  await host.client.listTools();
  const call = callOf(host);
  for (let index = 0; index < warmUp; index += 1) await call();
  const times = [];
  for (let index = 0; index < calls; index += 1) {
    const start = performance.now();
    await call();
    times.push(performance.now() - start);
  }
  await host.close();
  const median = times.sort((a, b) => a - b)[times.length >> 1];
  return { milliseconds: median, microseconds: median * 1000 };
}

const sdkCall = (mcp, file) => mcp.callTool({ name: 'put', arguments: { files: [file] } });

export function byHand(job) {
  const given = Buffer.alloc(job.size, 7);
  return timed(job, ({ mcp }) => async () => {
    const bytes = job.from === 'path' ? await readFile(job.path) : given;
    const data = bytes.toString('base64');
    await sdkCall(mcp, { name: NAME, mimeType: TYPE, size: bytes.length, data });
  });
}

export function library(job) {
  const given = new Uint8Array(job.size).fill(7);
  return timed(job, ({ client }) => async () => {
    const options = { name: NAME, type: TYPE };
    const file = job.from === 'path' ? fromPath(job.path, options) : fromBytes(given, options);
    await client.callToolWithFiles({ name: 'put', arguments: { files: [file] } });
  });
}

/** What the SDK itself needs for a text of that length. */
export function textOnly(job) {
  return timed(job, ({ mcp }) => async () => {
    const data = 'QUJD'.repeat(Math.ceil(job.size / 3));
    await sdkCall(mcp, { name: NAME, mimeType: TYPE, size: job.size, data });
  });
}
