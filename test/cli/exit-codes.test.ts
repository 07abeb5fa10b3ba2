import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReferenceServer, startReferenceServer } from '../../src/testing/index.js';
import { runCli } from './run-cli.js';

let folder: string;
let server: ReferenceServer;
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mcp-files-test-'));
  await writeFile(at('small.txt'), 'small');
  await writeFile(at('large.bin'), randomBytes(1024 * 1024 + 1));
  await writeFile(at('list.json'), '[1]');
  server = await startReferenceServer();
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

describe('exit codes', () => {
  it('1: the tool says that it failed', async () => {
    await using failing = await startReferenceServer({ onResult: result => ({ ...result, isError: true }) });
    const { code, stdout } = await runCli(['call', failing.url, 'echo', '--arg', 'text=hi']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'The tool says that it failed:\nhi\n' });
  });

  it.each([
    [['call', 'URL', 'save_file', '--nonsense'], /unknown option/],
    [['call', 'URL'], /Missing: <tool>/],
    [['call', 'nowhere', 'save_file'], /A server is a URL/],
    [['call', 'URL', 'make_report', '--arg', 'size=big'], /"size" takes integer, not "big"/],
    [['call', 'URL', 'save_file', '--args-json', 'LIST'], /must hold one JSON object/],
    [['call', 'URL', 'save_file', '--args-json', 'no/such/file.json'], /"no\/such\/file.json", cannot be read/],
    [
      ['call', 'URL', 'save_files', '--file', 'documents=-', '--file', 'documents=-'],
      /Standard input can be used once/,
    ],
    [['call', 'URL', 'echo', '--bearer-env', 'MCP_FILES_UNSET'], /MCP_FILES_UNSET is not set/],
    [['nonsense'], /unknown command/],
    [[], /No command given/],
  ])('2: %j', async (args, message) => {
    const given = args.map(arg => (arg === 'URL' ? server.url : arg === 'LIST' ? at('list.json') : arg));
    const { code, stdout, stderr } = await runCli(given);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/Try: mcp-files .*--help\n$/);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it('2 with --json: still one document, of the usual shape', async () => {
    const { code, stdout } = await runCli(['call', server.url, '--json', '--nonsense']);
    expect(JSON.parse(stdout)).toMatchObject({
      files: [],
      transfers: [],
      error: { code: 'usage', outcome: 'not_run' },
    });
    expect(code).toBe(2);
  });

  it('3: a missing file, a type that is not accepted, a tool that is not there', async () => {
    const missing = await runCli([
      'call',
      server.url,
      'save_file',
      '--arg',
      'folder=a',
      '--file',
      `document=${at('none')}`,
    ]);
    expect(missing.code).toBe(3);
    expect(missing.stderr).toContain('The tool has not run.');
    const refused = await runCli(['call', server.url, 'save_image', '--file', `image=${at('small.txt')}`, '--json']);
    expect(refused.code).toBe(3);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      files: [],
      transfers: [],
      error: { code: 'file_type_not_accepted', outcome: 'not_run', pointer: '/image' },
    });
    const unknown = await runCli(['call', server.url, 'save_fil']);
    expect(unknown.code).toBe(3);
    expect(unknown.stderr).toContain('The server has no tool "save_fil". It has: save_file, ');
  });

  it('3: a server that cannot be reached, or asks for a token', async () => {
    const gate = createServer((_request, response) => response.writeHead(401).end()).listen(0, '127.0.0.1');
    await new Promise(resolve => gate.once('listening', resolve));
    const url = `http://127.0.0.1:${(gate.address() as AddressInfo).port}/mcp?key=hidden`;
    const closed = await runCli(['tools', url]);
    expect(closed.stderr).toMatch(/asks for authorization \(HTTP\s401\)\.\nPut a token in an environment variable/);
    expect(closed.stderr).not.toContain('hidden');
    gate.close();
    gate.closeAllConnections();
    const gone = await runCli(['tools', url, '--json']);
    expect(JSON.parse(gone.stdout).error).toMatchObject({ code: 'server_unreachable', outcome: 'not_run' });
    expect([closed.code, gone.code]).toEqual([3, 3]);
  });

  it('3: storage that refuses the file', async () => {
    await using failing = await startReferenceServer({
      onTransfer: (_transfer, request, response) => {
        request.resume();
        response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code><Secret>s3cr3t</Secret></Error>');
        return true;
      },
    });
    const { code, stdout, stderr } = await runCli([
      ...['call', failing.url, 'save_file', '--arg', 'folder=a', '--file', `document=${at('large.bin')}`, '--json'],
    ]);
    expect(JSON.parse(stdout).error).toMatchObject({
      code: 'transfer_failed',
      failures: [{ pointer: '/document', status: 403 }],
    });
    expect(stdout + stderr).not.toContain('s3cr3t');
    expect(code).toBe(3);
    expect(failing.runs()).toEqual([]);
  });

  it('4: an error of the server after a request that could run the tool', async () => {
    const { code, stderr } = await runCli(['call', server.url, 'echo', '--arg-json', 'text=1']);
    expect(code).toBe(4);
    expect(stderr).toContain('It is not known whether the tool ran');
  });
});
