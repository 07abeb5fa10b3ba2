import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReferenceServer, startReferenceServer } from '../../src/testing/index.js';
import { runCli, runCliForBytes, startCli } from './run-cli.js';

const TESTING = new URL('../../dist/testing.js', import.meta.url);
let folder: string;
let server: ReferenceServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mcp-files-test-'));
  server = await startReferenceServer();
  await writeFile(
    join(folder, 'server.mjs'),
    `import { serveReferenceStdio } from ${JSON.stringify(TESTING.href)};\nawait serveReferenceStdio();\n`,
  );
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const resources = (command: string, ...rest: string[]) => runCli(['resources', command, server.url, ...rest]);

describe('over HTTP', () => {
  it('lists resources and templates, for people and as JSON', async () => {
    const people = await resources('list');
    expect(people.code).toBe(0);
    expect(people.stdout).toMatch(/^URI +Name +Type +Size\nreference:\/\/\/welcome +Welcome +text\/plain\n/);
    const { resources: listed } = JSON.parse((await resources('list', '--json')).stdout);
    expect(listed).toHaveLength(16);
    const templates = await resources('templates');
    expect(templates.stdout).toContain('reference:///echo{/path*}{?text,list*}');
    expect(JSON.parse((await resources('templates', '--json')).stdout).templates).toHaveLength(2);
  });

  it('creates from a file, reads byte for byte to standard output and to a file, and deletes', async () => {
    const bytes = randomBytes(300_001);
    const path = join(folder, 'data.bin');
    await writeFile(path, bytes);
    const created = await resources('create', path, '--ttl', '60', '--tag', 'a', '--tag', 'b', '--metadata', '{"x":1}');
    expect({ code: created.code, stderr: created.stderr }).toMatchObject({ code: 0 });
    const uri = created.stdout.trim();
    expect(uri).toMatch(/^resource:\/\/created\/data\.bin\//);

    const piped = await runCliForBytes(['resources', 'read', server.url, uri]);
    expect({ code: piped.code, same: piped.stdout.equals(bytes) }).toEqual({ code: 0, same: true });
    const copy = join(folder, 'copy.bin');
    expect((await resources('read', uri, '--out', copy)).code).toBe(0);
    expect((await readFile(copy)).equals(bytes)).toBe(true);
    const again = await resources('read', uri, '--out', copy);
    expect([again.code, again.stderr]).toEqual([5, expect.stringContaining('--overwrite')]);
    expect((await resources('read', uri, '--out', copy, '--overwrite')).code).toBe(0);

    expect((await resources('delete', uri)).code).toBe(0);
    const gone = await resources('read', uri, '--json');
    expect(gone.code).toBe(3);
    expect(JSON.parse(gone.stdout).error).toMatchObject({ code: 'resource_not_found' });
  });

  it('creates from standard input, with a name and a type', async () => {
    const args = ['resources', 'create', server.url, '-', '--name', 'prompt', '--type', 'text/markdown', '--json'];
    const { code, stdout } = await runCli(args, { input: '# naïve\n' });
    expect(code).toBe(0);
    const { resource } = JSON.parse(stdout);
    expect(resource).toMatchObject({ name: 'prompt', mimeType: 'text/markdown' });
    const read = await resources('read', resource.uri, '--json');
    expect(JSON.parse(read.stdout).contents).toEqual([
      { uri: resource.uri, mimeType: 'text/markdown', size: 9, text: '# naïve\n' },
    ]);
  });

  it('expands a template, and saves several contents in a folder', async () => {
    const echo = await resources(
      'read',
      'reference:///echo{/path*}{?text}',
      '--var',
      'path=a b',
      '--var',
      'path=c',
      '--var',
      'text=ü',
    );
    expect(echo.stdout).toBe('reference:///echo/a%20b/c?text=%C3%BC');
    const several = await resources('read', 'reference:///folder');
    expect([several.code, several.stderr]).toEqual([5, expect.stringContaining('--out')]);
    const out = join(folder, 'several');
    expect((await resources('read', 'reference:///folder', '--out', out)).code).toBe(0);
    expect(await readFile(join(out, 'a.txt'), 'utf8')).toBe('first');
    expect([...(await readFile(join(out, 'b.bin')))]).toEqual([0, 1, 2, 255]);
  });

  it('watches a resource, and the list', async () => {
    const uri = 'reference:///welcome';
    const watching = startCli(['resources', 'watch', server.url, uri, '--count', '2', '--json']);
    const touching = setInterval(() => server.touchResource(uri), 50);
    const { code, stdout } = await watching.ended.finally(() => clearInterval(touching));
    expect(code).toBe(0);
    const lines = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(lines).toEqual([
      { time: expect.any(String), uri },
      { time: expect.any(String), uri },
    ]);
  });

  it.each([
    [['resources'], 'No command given'],
    [['resources', 'read'], 'No server'],
    [['resources', 'read', 'http://127.0.0.1:1/mcp'], 'Missing: <uri>'],
    [['resources', 'list', 'http://127.0.0.1:1/mcp', 'x'], 'Unexpected: "x"'],
    [['resources', 'create', 'http://127.0.0.1:1/mcp', 'x', '--ttl', 'soon'], '--ttl takes a number'],
    [['resources', 'create', 'http://127.0.0.1:1/mcp', 'x', '--metadata', '[]'], 'one JSON object'],
    [['resources', 'create', 'http://127.0.0.1:1/mcp', 'x', '--encoding', 'hex'], '--encoding is'],
  ])('%j is a mistake', async (args, message) => {
    const { code, stderr } = await runCli(args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('says what cannot be sent', async () => {
    const missing = await resources('create', join(folder, 'no-such-file'));
    expect([missing.code, missing.stderr]).toEqual([3, expect.stringContaining('no-such-file')]);
    const large = await resources('create', join(folder, 'server.mjs'), '--max-bytes', '3');
    expect([large.code, large.stderr]).toEqual([3, expect.stringContaining('3 is the most')]);
  });
});

it('works with a server that is a command', async () => {
  const command = ['--', process.execPath, join(folder, 'server.mjs')];
  const env = { TMPDIR: folder };
  const read = await runCli(['resources', 'read', '--stdio', 'reference:///welcome', ...command], { env });
  expect({ code: read.code, stdout: read.stdout }).toEqual({ code: 0, stdout: 'Welcome to the reference server.' });
  const created = await runCli(['resources', 'create', '--stdio', '-', ...command], { env, input: 'x' });
  expect({ code: created.code, stdout: created.stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^resource:\/\/created\/stdin\//),
  });
});
