import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Ended, runCli } from './run-cli.js';

const TESTING = new URL('../../dist/testing.js', import.meta.url);
let folder: string;
let command: string[];

// What a server that is ended leaves behind goes with the folder.
const run = (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  runCli(args, { env: { TMPDIR: folder, ...env } });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mcp-files-test-'));
  const script = join(folder, 'server.mjs');
  await writeFile(
    script,
    `import { serveReferenceStdio } from ${JSON.stringify(TESTING.href)};\nawait serveReferenceStdio();\n`,
  );
  await writeFile(join(folder, 'small.txt'), 'hello');
  await writeFile(join(folder, 'large.bin'), randomBytes(1024 * 1024 + 1));
  command = ['--', process.execPath, script];
});
afterAll(() => rm(folder, { recursive: true }));

it('lists the tools of a command', async () => {
  const { code, stdout } = await run(['tools', '--stdio', ...command]);
  expect(stdout).toContain('save_file');
  expect(code).toBe(0);
});

it('calls a tool of a command; its words are not ours to read', async () => {
  const args = ['call', '--stdio', 'save_file', '--arg', 'folder=a', '--file', `document=${join(folder, 'small.txt')}`];
  const { code, stdout } = await run([...args, ...command, '--json', '--help']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'small.txt: 5 bytes\n' });
});

it('sends over http on this computer only where that is allowed', async () => {
  const args = ['call', '--stdio', 'save_file', '--arg', 'folder=a', '--file', `document=${join(folder, 'large.bin')}`];
  const refused = await run([...args, ...command]);
  expect(refused.code).toBe(3);
  expect(refused.stderr).toContain('--allow-loopback');
  const allowed = await run([...args, '--allow-loopback', ...command]);
  expect(allowed.code).toBe(0);
  expect(allowed.stderr).toMatch(/Sent large\.bin \(1\.0 MiB\) by PUT to http:\/\/127\.0\.0\.1:\d+/);
});

it('downloads resources of a command', async () => {
  const out = join(folder, 'saved');
  const uris = ['reference:///pixel.png', 'reference:///welcome'];
  const { code, stderr } = await run(['download', '--stdio', ...uris, '--out', out, ...command]);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: ['pixel.png', 'welcome'].map(name => `Saved ${name} as ${join(out, name)}.\n`).join(''),
  });
  expect((await readFile(join(out, 'pixel.png'))).subarray(1, 4).toString()).toBe('PNG');
});

it('saves what a tool of a command returns in every way', async () => {
  const out = join(folder, 'returned');
  const flags = ['--allow-loopback', '--out', out, '--json'];
  const { code, stdout } = await run(['call', '--stdio', 'return_files', ...flags, ...command]);
  const { files } = JSON.parse(stdout);
  expect({ code, files: files.map(({ path }: { path: string }) => path) }).toEqual({
    code: 0,
    files: files.map(({ name }: { name: string }) => join(out, name)),
  });
  expect(files).toHaveLength(8);
});

it('says in words that a command did not start', async () => {
  const { code, stderr } = await run(['tools', '--stdio', '--', 'mcp-files-no-such-command']);
  expect(code).toBe(3);
  expect(stderr).toBe('Error: The server "mcp-files-no-such-command" did not start: there is no such command.\n');
});

it('the command inherits the environment but for the credentials that are named', async () => {
  const script = fileURLToPath(new URL(`file://${join(folder, 'server.mjs')}`));
  await writeFile(
    script,
    `import { serveReferenceStdio } from ${JSON.stringify(TESTING.href)};
if (process.env.SECRET !== undefined || process.env.PLAIN !== 'p') process.exit(1);
await serveReferenceStdio();\n`,
  );
  const args = ['tools', '--stdio', '--bearer-env', 'SECRET', '--server-url', 'https://mcp.example.com', ...command];
  const { code, stderr } = await run(args, { SECRET: 'hidden', PLAIN: 'p' });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});
