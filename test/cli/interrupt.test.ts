import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startReferenceServer } from '../../src/testing/index.js';
import { startEndlessServer } from './endless-server.js';
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
  expect(stderr).toBe('Stopped.\nThe tool has not run.\n');
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
