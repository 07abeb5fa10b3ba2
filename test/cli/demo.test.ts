import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli, startCli } from './run-cli.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mcp-files-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

interface Report {
  server: string;
  files: { name: string; size: number; mode: string; sha256: string; verified: boolean }[];
  milliseconds: number;
  maxRssBytes: number;
}

it('sends a spread of files every way, verifies them and leaves nothing behind', async () => {
  const scratch = await mkdtemp(join(folder, 'tmp-'));
  const { code, stdout, stderr } = await runCli(['demo', '--json'], { env: { TMPDIR: scratch } });
  const report: Report = JSON.parse(stdout);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(report.files.map(({ name, size, mode, verified }) => ({ name, size, mode, verified }))).toEqual([
    { name: 'empty.txt', size: 0, mode: 'inline', verified: true },
    { name: 'note.txt', size: 2048, mode: 'inline', verified: true },
    { name: 'R\u00e9sum\u00e9 "v2".pdf', size: 300 * 1024, mode: 'put', verified: true },
    { name: 'photo.jpg', size: 3 * 1024 * 1024, mode: 'post', verified: true },
    { name: 'dataset.csv', size: 12 * 1024 * 1024, mode: 'form', verified: true },
  ]);
  expect(report.files[0]?.sha256).toBe(createHash('sha256').digest('hex'));
  expect(report.server).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  expect(report.milliseconds).toBeGreaterThan(0);
  expect(report.maxRssBytes).toBeGreaterThan(10 * 1024 * 1024);
  expect(await readdir(scratch)).toEqual([]);
});

it('sends files of the user, in little memory', async () => {
  const piece = randomBytes(1024 * 1024);
  const hash = createHash('sha256');
  const path = join(folder, 'big one.bin');
  const file = Buffer.alloc(100 * piece.length);
  for (let i = 0; i < 100; i++) piece.copy(file, i * piece.length);
  await writeFile(path, file);
  const sha256 = hash.update(file).digest('hex');
  const { code, stdout } = await runCli(['demo', path, '--json']);
  const report: Report = JSON.parse(stdout);
  expect(report.files).toEqual([{ name: 'big one.bin', size: file.length, mode: 'put', sha256, verified: true }]);
  expect(report.maxRssBytes).toBeLessThan(200 * 1024 * 1024);
  expect(code).toBe(0);
});

it('shows people a table within 80 columns and the verdict', async () => {
  const { code, stdout } = await runCli(['demo']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^file +size +way +storage +time +sha-256 +arrived$/m);
  expect(stdout).toMatch(
    /^R\u00e9sum\u00e9 "v2"\.pdf +300\.0 KiB +PUT +127\.0\.0\.1:\d+ +\d+ m?s +[0-9a-f]{8} +as sent$/m,
  );
  expect(stdout).toContain('Verified: what arrived has the same SHA-256 as what was sent, 5 of 5.');
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
});

it('says in words that a file is missing', async () => {
  const { code, stderr } = await runCli(['demo', join(folder, 'none.txt')]);
  expect(code).toBe(3);
  expect(stderr).toMatch(/^Error: .*none\.txt/);
  expect(stderr).not.toMatch(/^ +at /m);
});

it('Ctrl-C ends it in order: nothing is left behind, 130', async () => {
  const scratch = await mkdtemp(join(folder, 'tmp-'));
  const { child, ended } = startCli(['demo', join(folder, 'big one.bin')], { env: { TMPDIR: scratch } });
  child.stdout?.once('data', () => child.kill('SIGINT'));
  const { code, stderr } = await ended;
  expect(stderr).toMatch(/Stopped\.\n$/);
  expect(code).toBe(130);
  expect(await readdir(scratch)).toEqual([]);
});

it('the server ends with the command, even when that is killed', async () => {
  const fifo = await mkdtemp(join(folder, 'tmp-'));
  const { child, ended } = startCli(['demo', join(folder, 'big one.bin')], { env: { TMPDIR: fifo } });
  const address = await new Promise<string>(resolve => {
    let seen = '';
    child.stdout?.on('data', chunk => {
      seen += chunk;
      const found = /server at (127\.0\.0\.1:\d+)/.exec(seen);
      if (found?.[1] !== undefined) resolve(found[1]);
    });
  });
  child.kill('SIGKILL');
  await ended;
  const gone = async () => {
    try {
      await fetch(`http://${address}/mcp`);
      return false;
    } catch {
      return true;
    }
  };
  while (!(await gone())) await new Promise(resolve => setTimeout(resolve, 20));
});
