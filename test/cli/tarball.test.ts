import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
let folder: string;
let project: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mcp-files-test-'));
  project = join(folder, 'empty');
  await mkdir(project);
  // What `npm test` has just built is what is packed.
  await run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { cwd: root });
  const tarball = (await readdir(folder)).find(name => name.endsWith('.tgz'));
  await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  await run('npm', ['install', '--no-audit', '--no-fund', '--silent', join(folder, tarball ?? '')], { cwd: project });
}, 300_000);
afterAll(() => rm(folder, { recursive: true }));

it('the demo runs from an installed package, with no MCP SDK beside it', async () => {
  expect(await readdir(join(project, 'node_modules'))).not.toContain('@modelcontextprotocol');
  const { stdout } = await run('npx', ['mcp-files', 'demo', '--json'], { cwd: project });
  const { files } = JSON.parse(stdout);
  expect(files).toHaveLength(5);
  expect(files.every((file: { verified: boolean }) => file.verified)).toBe(true);
});

it('carries the licences of what is bundled', async () => {
  const text = await readFile(join(project, 'node_modules/mcp-files-client/THIRD-PARTY-LICENSES.txt'), 'utf8');
  for (const name of [
    '@modelcontextprotocol/client',
    '@modelcontextprotocol/server',
    'commander',
    'cli-progress',
    'ajv',
    'zod',
  ]) {
    expect(text).toMatch(new RegExp(`^${name} \\(`, 'm'));
  }
});

it('loads by import and by require, without an MCP SDK', async () => {
  const names = `const names = m => console.log(typeof m.FilesClient, typeof m.fromPath);`;
  await writeFile(join(project, 'a.mjs'), `import * as m from 'mcp-files-client'; ${names} names(m);`);
  await writeFile(join(project, 'b.cjs'), `${names} names(require('mcp-files-client'));`);
  await writeFile(
    join(project, 'c.mjs'),
    `import { startReferenceServer } from 'mcp-files-client/testing';
    const server = await startReferenceServer(); console.log(new URL(server.url).hostname); await server.close();`,
  );
  const outputs = await Promise.all(
    ['a.mjs', 'b.cjs', 'c.mjs'].map(file => run(process.execPath, [file], { cwd: project })),
  );
  expect(outputs.map(({ stdout }) => stdout)).toEqual(['function function\n', 'function function\n', '127.0.0.1\n']);
});

it('its declarations need no package that is not installed with it', async () => {
  const { dependencies, peerDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const dist = join(project, 'node_modules/mcp-files-client/dist');
  const declarations = (await readdir(dist, { recursive: true })).filter(name => name.endsWith('.d.ts'));
  expect(declarations).toEqual(expect.arrayContaining(['index.d.ts', 'browser.d.ts', 'testing.d.ts']));
  const imported = new Set<string>();
  for (const name of declarations) {
    const text = await readFile(join(dist, name), 'utf8');
    for (const [, from] of text.matchAll(/(?:from|import)\s*\(?["']([^"'.][^"']*)["']/g)) imported.add(from!);
  }
  const known = { ...dependencies, ...peerDependencies };
  expect([...imported].filter(name => !name.startsWith('node:') && !(name in known))).toEqual([]);
});
