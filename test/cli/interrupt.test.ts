import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startReferenceServer } from '../../src/testing/index.js';
import { startCli } from './run-cli.js';

let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(`${tmpdir()}/mcp-files-test-`);
});
afterAll(() => rm(scratch, { recursive: true }));

it('Ctrl-C during an upload: the tool was not run, nothing is left behind, 130', async () => {
  let reached = () => {};
  const uploading = new Promise<void>(resolve => {
    reached = resolve;
  });
  await using server = await startReferenceServer({
    maxInlineBytes: 0,
    onTransfer() {
      reached();
      return true; // and never answers
    },
  });
  const args = ['call', server.url, 'save_file', '--arg', 'folder=a', '--file', 'document=-'];
  const { child, ended } = startCli(args, { input: 'from a pipe', env: { TMPDIR: scratch } });
  await uploading;
  child.kill('SIGINT');
  const { code, stdout, stderr } = await ended;
  expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
  expect(stderr).toBe('Error: Stopped.\nThe tool was not run.\n');
  expect(await readdir(scratch)).toEqual([]);
  expect(server.runs()).toEqual([]);
});

it('Ctrl-C while the tool may be running: not known, 4', async () => {
  const server = await startEndlessServer();
  const { child, ended } = startCli(['call', server.url, 'wait', '--json']);
  await server.running;
  child.kill('SIGINT');
  const { code, stdout } = await ended;
  server.http.close();
  server.http.closeAllConnections();
  expect(code).toBe(4);
  expect(JSON.parse(stdout)).toMatchObject({
    files: [],
    transfers: [],
    error: { code: 'aborted', outcome: 'unknown' },
  });
});

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly protocolVersion?: string };
}

/** A server of the era before the present one, whose tool never ends. */
async function startEndlessServer() {
  let called = () => {};
  const running = new Promise<void>(resolve => {
    called = resolve;
  });
  const resultOf = ({ method, params }: Message): object | undefined => {
    if (method === 'tools/list') return { tools: [{ name: 'wait', inputSchema: { type: 'object' } }] };
    if (method !== 'initialize') return undefined;
    return {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'endless', version: '1' },
    };
  };
  const http = createServer(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end();
    const message = (await json(request)) as Message;
    if (message.method === 'tools/call') return called();
    if (message.id === undefined) return response.writeHead(202).end();
    const result = resultOf(message);
    const answer = result === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answer }));
  }).listen(0, '127.0.0.1');
  await new Promise(resolve => http.once('listening', resolve));
  return { http, running, url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp` };
}
