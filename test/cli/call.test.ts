import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReferenceServer, startReferenceServer } from '../../src/testing/index.js';
import { CLI, runCli } from './run-cli.js';

let folder: string;
let server: ReferenceServer;
const small = randomBytes(1000);
const large = randomBytes(2 * 1024 * 1024);
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mcp-files-test-'));
  await Promise.all([
    writeFile(at('small.txt'), small),
    writeFile(at('large.bin'), large),
    writeFile(at('arguments.json'), JSON.stringify({ folder: 'from-file' })),
  ]);
  server = await startReferenceServer();
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

describe('tools', () => {
  it('lists the tools for people', async () => {
    const { code, stdout, stderr } = await runCli(['tools', server.url]);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^MCP 2026-07-28; the server takes files \(up to 1\.0 MiB inside a call\)\.\n/);
    expect(stdout).toContain('save_file\n  Saves one file.\n  document  required file\n  folder    required string\n');
    expect(stdout).toContain('  /branding/logo  file, image/* or .svg\n');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect(code).toBe(0);
  });

  it('lists them as one JSON document', async () => {
    const { code, stdout } = await runCli(['tools', server.url, '--json']);
    const { tools } = JSON.parse(stdout);
    expect(tools.find((tool: { name: string }) => tool.name === 'save_file').fileArguments).toEqual([
      { pointer: '/document', required: true, dialect: 'extension' },
    ]);
    expect(code).toBe(0);
  });
});

describe('call', () => {
  it('sends a small file inside the call and prints the result on stdout', async () => {
    const { code, stdout, stderr } = await runCli([
      ...['call', server.url, 'save_file', '--arg', 'folder=inbox'],
      ...['--file', `document=${at('small.txt')}`],
    ]);
    expect(stdout).toBe('small.txt: 1000 bytes\n');
    expect(stderr).toBe('Sent small.txt (1000 B) inside the call.\n');
    expect(code).toBe(0);
    expect(server.received().at(-1)).toMatchObject({ name: 'small.txt', mode: 'inline', sha256: sha256(small) });
    expect(server.runs().at(-1)?.arguments).toMatchObject({ folder: 'inbox' });
  });

  it('sends a list of files to storage and reports each, as one JSON document', async () => {
    const file = ['--file', `documents=${at('large.bin')}`, '--file', `documents=${at('small.txt')}`];
    const { code, stdout, stderr } = await runCli(['call', server.url, 'save_files', ...file, '--json']);
    const report = JSON.parse(stdout);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(report.files).toEqual([]);
    expect(report.error).toBeUndefined();
    expect(report.result.structuredContent.files).toHaveLength(2);
    expect(report.transfers).toMatchObject([
      { pointer: '/documents/0', name: 'large.bin', mode: 'put', origin: server.storageUrl, status: 200 },
      { pointer: '/documents/1', name: 'small.txt', mode: 'post', bytes: 1000 },
    ]);
    expect(
      server
        .received()
        .slice(-2)
        .map(file => file.sha256),
    ).toEqual([sha256(large), sha256(small)]);
  });

  it('says how far a large file is, in lines, where there is no terminal', async () => {
    const { stderr } = await runCli([
      'call',
      server.url,
      'save_file',
      '--arg',
      'folder=a',
      '--file',
      `document=${at('large.bin')}`,
    ]);
    expect(stderr).toMatch(
      /^(Sent \d+\.\d [KM]iB of 2\.0 MiB \(\d+ %\)\n)*Sent 2\.0 MiB of 2\.0 MiB \(100 %\)\nSent large\.bin/,
    );
  });

  it('reads a file from standard input, under a name of its own, and leaves nothing behind', async () => {
    const scratch = await mkdtemp(join(folder, 'tmp-'));
    const { code } = await runCli(
      ['call', server.url, 'save_file', '--arg', 'folder=a', '--file', 'document=-', '--stdin-name', 'notes.txt'],
      { input: 'from a pipe', env: { TMPDIR: scratch } },
    );
    expect(code).toBe(0);
    expect(server.received().at(-1)).toMatchObject({ name: 'notes.txt', mimeType: 'text/plain', size: 11 });
    expect(await readdir(scratch)).toEqual([]);
  });

  it('takes arguments from a file, from JSON and by pointer', async () => {
    const { code } = await runCli([
      ...[
        'call',
        server.url,
        'publish',
        '--args-json',
        at('arguments.json'),
        '--arg',
        'site=s',
        '--arg-json',
        'x={"y":1}',
      ],
      ...[
        '--file',
        `deck=${at('small.txt')}`,
        '--file',
        `/branding/logo=${at('logo.svg')}`,
        '--arg',
        '/branding/theme=7',
      ],
    ]);
    expect(code).toBe(3); // logo.svg is missing
    await writeFile(at('logo.svg'), '<svg/>');
    const second = await runCli([
      ...[
        'call',
        server.url,
        'publish',
        '--args-json',
        at('arguments.json'),
        '--arg',
        'site=s',
        '--arg-json',
        'x={"y":1}',
      ],
      ...[
        '--file',
        `deck=${at('small.txt')}`,
        '--file',
        `/branding/logo=${at('logo.svg')}`,
        '--arg',
        '/branding/theme=7',
      ],
    ]);
    expect(second.code).toBe(0);
    const run = server.runs().at(-1);
    expect(run?.arguments).toMatchObject({ folder: 'from-file', site: 's', x: { y: 1 }, branding: { theme: '7' } });
    expect(
      server
        .received()
        .slice(-2)
        .map(file => file.pointer),
    ).toEqual(['/deck', '/branding/logo']);
  });

  it('names the files that a tool returns and keeps their addresses to itself', async () => {
    const { code, stdout, stderr } = await runCli(['call', server.url, 'make_report', '--arg', 'size=5000']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Report: a text file of 5000 bytes.\n' });
    expect(stderr).toBe('The tool returned a file: out/report.txt, text/plain, 4.9 KiB.\n');
    const json = await runCli(['call', server.url, 'make_report', '--json']);
    expect(JSON.parse(json.stdout).files).toEqual([{ name: 'out/report.txt', mimeType: 'text/plain', size: 2048 }]);
    expect(json.stdout).not.toContain(server.storageUrl);
  });

  it('shows each step with --verbose, without a signature', async () => {
    const { stderr } = await runCli([
      'call',
      server.url,
      'save_file',
      '--arg',
      'folder=a',
      '--file',
      `document=${at('large.bin')}`,
      '--verbose',
    ]);
    expect(stderr).toMatch(/ call_started .* transfer_done .* call_finished /s);
    expect(stderr).not.toMatch(/\?|signature=|sig=/i);
  });
});

it('keeps a token out of what it prints, also when the server sends it back', async () => {
  const { code, stdout, stderr } = await runCli(
    ['call', server.url, 'echo', '--arg', 'text=you sent t0ken-abc', '--bearer-env', 'MCP_FILES_TOKEN', '--verbose'],
    { env: { MCP_FILES_TOKEN: 't0ken-abc' } },
  );
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'you sent ***\n' });
  expect(stderr).not.toContain('t0ken-abc');
});

it('gives the token to a path target of the server', async () => {
  await using guarded = await startReferenceServer({ targets: 'path', bearer: 't0ken-abc' });
  const args = ['call', guarded.url, 'save_file', '--arg', 'folder=a', '--file', `document=${at('large.bin')}`];
  const { code } = await runCli([...args, '--bearer-env', 'MCP_FILES_TOKEN'], {
    env: { MCP_FILES_TOKEN: 't0ken-abc' },
  });
  expect(code).toBe(0);
  expect(guarded.received()).toMatchObject([{ sha256: sha256(large) }]);
});

it('ends quietly when its reader has seen enough', async () => {
  const { stderr } = await promisify(execFile)('sh', [
    '-c',
    `"${process.execPath}" "${CLI}" tools ${server.url} | true`,
  ]);
  expect(stderr).toBe('');
});

it('prints help and version with exit code 0', async () => {
  const help = await runCli(['call', '--help']);
  expect(help.code).toBe(0);
  expect(help.stdout).toContain('Usage: mcp-files call [options] <server> <tool>');
  expect(help.stdout).toContain('Exit codes:');
  const { code, stdout } = await runCli(['--version']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});
