// Reported: with `--out` on a file the tool ran, and only then it turned out that what it returned had no place: exit 5.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ReferenceServer, startReferenceServer } from '../../src/testing/index.js';
import { runHere } from '../cli/run-here.js';

let folder: string;
let server: ReferenceServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mcp-files-test-'));
  await writeFile(join(folder, 'small.txt'), 'small');
  await mkdir(join(folder, 'there'));
  server = await startReferenceServer();
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

test.each([
  ['call', ['make_report'], '--out', 'small.txt', /small\.txt" is no folder/],
  ['call', ['make_report'], '--out', 'small.txt/below/it', /small\.txt" is no folder/],
  ['download', ['reference:///welcome'], '--out', 'small.txt', /small\.txt" is no folder/],
  ['download', ['reference:///welcome'], '--to', 'nope/x', /there is no folder ".*nope"/],
  ['download', ['reference:///welcome'], '--to', 'there', /it is a folder/],
])('%s %j %s %s is refused first', async (command, what, flag, path, message) => {
  const { code, stdout, stderr } = await runHere([command, server.url, ...what, flag, join(folder, path)]);
  expect(stderr).toMatch(message);
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  expect(server.runs()).toEqual([]);
});

test('a folder that is not there yet is made, below one that is', async () => {
  const { code } = await runHere(['call', server.url, 'make_report', '--out', join(folder, 'there/new/dir')]);
  expect(code).toBe(0);
});
