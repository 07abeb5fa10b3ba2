// Reported: a command that answers nothing (`sleep`), or not what a server answers (`cat`), was waited for in silence for
// one or two minutes, and one that ended was started a second time.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runHere } from '../cli/run-here.js';

let folder: string;
let starts: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mcp-files-test-'));
  starts = join(folder, 'starts');
  await writeFile(
    join(folder, 'older.mjs'),
    `import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const [, , starts, manner] = process.argv;
appendFileSync(starts, 'x');
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const answer = given => console.log(JSON.stringify({ jsonrpc: '2.0', id, ...given }));
  const serverInfo = { name: 'older', version: '1' };
  if (method === 'initialize')
    answer({ result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } });
  else if (method === 'tools/list') answer({ result: { tools: [{ name: 'only', inputSchema: { type: 'object' } }] } });
  else if (method !== 'server/discover') continue;
  else if (manner === 'ends') process.exit(1);
  else if (manner === 'refuses') answer({ error: { code: -32601, message: 'Method not found' } });
}
`,
  );
});
beforeEach(() => writeFile(starts, ''));
afterAll(() => rm(folder, { recursive: true }));

const older = (manner: string, ...flags: string[]) =>
  runHere(['tools', '--stdio', ...flags, '--', process.execPath, join(folder, 'older.mjs'), starts, manner]);
const timesStarted = async () => (await readFile(starts, 'utf8')).length;

test('a command that says nothing: --timeout ends it, and somebody is told meanwhile', async () => {
  const { code, stderr } = await runHere(['tools', '--stdio', '--timeout', '0.4', '--', 'sleep', '300']);
  expect(stderr).toBe(
    'Waiting up to 0.4 s for the server "sleep" (--timeout) \u2026\n' +
      'Error: The server "sleep" did not answer within 0.4 s. Either it speaks no MCP, or it needs longer: --timeout SECONDS\n',
  );
  expect(code).toBe(3);
});

test('a web server that says nothing, too; with --json nothing else is written', async () => {
  const http = createServer(() => {}).listen(0, '127.0.0.1');
  await new Promise(resolve => http.once('listening', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  const { code, stdout, stderr } = await runHere(['tools', url, '--json', '--timeout', '0.4']);
  http.close();
  http.closeAllConnections();
  expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
  expect(JSON.parse(stdout).error.message).toMatch(/did not answer within 0\.4 s/);
});

test('a command that sends our own request back speaks no MCP', async () => {
  const { code, stderr } = await runHere(['tools', '--stdio', '--', 'cat']);
  expect(stderr).toBe('Error: The server "cat" speaks no MCP: it sends back what it is sent.\n');
  expect(code).toBe(3);
});

test('a command that ends is started once', async () => {
  for (const status of [0, 1]) {
    await writeFile(starts, '');
    const script = `printf x >> "${starts}"; exit ${status}`;
    const { code, stderr } = await runHere(['tools', '--stdio', '--', 'sh', '-c', script]);
    expect(stderr).toMatch(/^Error: The server "sh" did not start: it ended before it answered\. .*--legacy\n$/);
    expect({ code, starts: await timesStarted() }).toEqual({ code: 3, starts: 1 });
  }
});

test('an older server is started once, whether it refuses the newer handshake or leaves it unanswered', async () => {
  for (const flags of [['refuses'], ['is silent', '--timeout', '3']] as const) {
    await writeFile(starts, '');
    const [manner, ...more] = flags;
    const { code, stdout } = await older(manner, ...more);
    expect(stdout).toContain('only');
    expect({ code, starts: await timesStarted() }).toEqual({ code: 0, starts: 1 });
  }
});

test('one that ends at the newer handshake is reached with --legacy', async () => {
  expect(await older('ends')).toMatchObject({ code: 3, stderr: expect.stringContaining('--legacy') });
  expect(await older('ends', '--legacy')).toMatchObject({ code: 0, stdout: expect.stringContaining('only') });
  expect(await timesStarted()).toBe(2);
});

test('Ctrl-C ends the waiting at once', async () => {
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 200);
  const { code, stderr } = await runHere(['tools', '--stdio', '--', 'sleep', '300'], stop.signal);
  expect({ code, stderr }).toEqual({ code: 130, stderr: 'Stopped.\n' });
});

test.each(['0', '-1', 'x', ''])('--timeout "%s" is no time', async timeout => {
  const { code, stderr } = await runHere(['tools', 'http://127.0.0.1:1/mcp', '--timeout', timeout]);
  expect({ code, said: stderr.includes('--timeout takes') }).toEqual({ code: 2, said: true });
});
