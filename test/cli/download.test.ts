import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { barLine } from '../../src/cli/progress.js';
import { type ReferenceServer, startReferenceServer } from '../../src/testing/index.js';
import { CLI, runCli, startCli } from './run-cli.js';

type Json = Record<string, any>;
const EXTENSION = 'io.modelcontextprotocol/files';

let folder: string;
let server: ReferenceServer;
/** Changes the list of returned files. */
let change: (downloads: Json[]) => Json[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mcp-files-test-'));
  change = downloads => downloads;
  server = await startReferenceServer({
    onResult: result => {
      const { downloads } = (result as Json)._meta[EXTENSION];
      return { ...result, _meta: { [EXTENSION]: { downloads: change(downloads) } } };
    },
  });
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const report = (...more: string[]): string[] => ['call', server.url, 'make_report', ...more];
const out = (): string => join(folder, 'new', 'dir');
const at = (...names: string[]): string => join(out(), ...names);

describe('--out', () => {
  it('saves what the tool returned, says where, and keeps stdout to the result', async () => {
    const { code, stdout, stderr } = await runCli(report('--arg', 'size=5000', '--out', out()));
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Report: a text file of 5000 bytes.\n' });
    expect(stderr).toBe(`Saved out/report.txt (4.9 KiB) as ${at('out', 'report.txt')}.\n`);
    expect((await readFile(at('out', 'report.txt'))).byteLength).toBe(5000);
  });

  it('lists it as JSON', async () => {
    const { code, stdout, stderr } = await runCli(report('--out', out(), '--json'));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      result: { content: [{ type: 'text' }] },
      files: [{ name: 'out/report.txt', mimeType: 'text/plain', size: 2048, path: at('out', 'report.txt') }],
      transfers: [],
    });
    expect(stdout).not.toMatch(/signature|storage/);
  });

  it('says how far a large one is', async () => {
    const { stderr } = await runCli(report('--arg', 'size=3145728', '--out', out()));
    expect(stderr).toMatch(/^(Received \d+\.\d [KM]iB of 3\.0 MiB \(\d+ %\)\n)+Saved out\/report\.txt/);
  });

  it('overwrites only when told so', async () => {
    await mkdir(at('out'), { recursive: true });
    await writeFile(at('out', 'report.txt'), 'before');
    const { code, stdout, stderr } = await runCli(report('--out', out()));
    expect({ code, stdout }).toEqual({ code: 5, stdout: 'Report: a text file of 2048 bytes.\n' });
    expect(stderr).toMatch(/is taken; it was not overwritten\.\nThe tool itself has run.*\n.*--overwrite\n$/);
    expect(await readFile(at('out', 'report.txt'), 'utf8')).toBe('before');
    expect((await runCli(report('--out', out(), '--overwrite'))).code).toBe(0);
    expect(await readFile(at('out', 'report.txt'), 'utf8')).toMatch(/^Report, line 1\n/);
  });

  it('without --out leaves --overwrite without a meaning', async () => {
    const { code, stderr } = await runCli(report('--overwrite'));
    expect(code).toBe(2);
    expect(stderr).toContain('--overwrite needs --out');
    expect(server.runs()).toEqual([]);
  });
});

describe('a download that fails after the tool has run', () => {
  const twice = ([file]: Json[]): Json[] => [
    { ...file, name: 'bad.txt', digest: { algorithm: 'sha-256', value: 'A'.repeat(43) } },
    { ...file, name: 'good.txt' },
    { ...file, name: 'gone.txt', url: `${file!.url}x` },
  ];

  it('is exit code 5; the others are saved, and nothing is left of it', async () => {
    change = twice;
    const { code, stdout, stderr } = await runCli(report('--out', out()));
    expect({ code, stdout }).toEqual({ code: 5, stdout: 'Report: a text file of 2048 bytes.\n' });
    expect(stderr).toContain('Saved good.txt');
    expect(stderr).toContain('"bad.txt"');
    expect(stderr).toMatch(/"gone\.txt" .*status 403/);
    expect(stderr).toContain('The tool itself has run; what failed came after it.');
    expect(await readdir(out())).toEqual(['good.txt']);
  });

  it('is told of each file as JSON, with the result', async () => {
    change = twice;
    const { code, stdout } = await runCli(report('--out', out(), '--json'));
    expect(code).toBe(5);
    expect(JSON.parse(stdout)).toMatchObject({
      result: { content: [{ type: 'text' }] },
      files: [
        { name: 'bad.txt', error: { code: 'digest_mismatch', outcome: 'completed' } },
        { name: 'good.txt', path: at('good.txt') },
        { name: 'gone.txt', error: { code: 'download_failed', details: { status: 403 } } },
      ],
      error: { code: 'digest_mismatch', outcome: 'completed', tool: 'make_report' },
    });
  });

  it('does not leave the folder', async () => {
    await mkdir(out(), { recursive: true });
    await symlink(tmpdir(), at('out'));
    const { code, stderr } = await runCli(report('--out', out()));
    expect(code).toBe(5);
    expect(stderr).toContain('belongs into a folder that is none, or a link');
  });

  it('leaves nothing where the disk takes no more', async () => {
    // The limit on a file's size is the one fault of a disk that needs no privileges; the kernel answers EFBIG.
    const words = [process.execPath, CLI, ...report('--arg', 'size=3000000', '--out', out(), '--json')];
    const script = 'trap "" XFSZ; ulimit -f 1000; exec "$@"';
    const { code, stdout } = await new Promise<{ code: unknown; stdout: string }>(resolve =>
      execFile('bash', ['-c', script, 'bash', ...words], (error, stdout) => resolve({ code: error?.code, stdout })),
    );
    expect(code).toBe(5);
    expect(JSON.parse(stdout).error).toMatchObject({ code: 'download_failed', details: { reason: 'write_failed' } });
    expect(await readdir(folder)).toEqual([]);
  });

  it('or is stopped by Ctrl-C, is 5 too, and leaves nothing', async () => {
    const { createServer } = await import('node:http');
    let asked = (): void => {};
    const asking = new Promise<void>(resolve => {
      asked = resolve;
    });
    const slow = createServer((_, response) => {
      response.write('x');
      asked();
    });
    await new Promise<void>(resolve => slow.listen(0, '127.0.0.1', resolve));
    const { port } = slow.address() as import('node:net').AddressInfo;
    change = () => [{ name: 'a/b.txt', url: `http://127.0.0.1:${port}/x` }];
    const { child, ended } = startCli(report('--out', out(), '--json'));
    await asking;
    child.kill('SIGINT');
    const { code, stdout } = await ended;
    slow.closeAllConnections();
    slow.close();
    expect(code).toBe(5);
    expect(JSON.parse(stdout).error).toMatchObject({ code: 'aborted', outcome: 'completed' });
    expect(await readdir(folder)).toEqual([]);
  });
});

it('the bar of a file of unknown size names no whole', () => {
  const progress = {
    phase: 'downloading',
    name: 'a.bin',
    sentBytes: 2048,
    files: { done: 0, total: 1 },
    bytesPerSecond: 0,
  };
  expect(barLine({ ...progress, totalBytes: Number.POSITIVE_INFINITY }, 0, 80)).toMatch(/ 0% {2}2\.0 KiB {2}a\.bin$/);
  expect(barLine({ ...progress, totalBytes: 4096 }, 0.5, 80)).toMatch(/ 50% {2}2\.0 KiB of 4\.0 KiB {2}a\.bin$/);
});
