import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'tsdown';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { digestOf } from '../support/returned.js';
import { done, inputRequired, startScriptedServer, uploadEntry } from '../support/scripted-server.js';
import { publish } from '../support/tools.js';

const content = 'x'.repeat(2_000_000);
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chromium-'));
  await build({
    config: false,
    entry: { page: 'test/browser/page.ts' },
    outDir: folder,
    platform: 'browser',
    format: 'esm',
    dts: false,
    deps: { alwaysBundle: [/./] },
    outputOptions: { codeSplitting: false },
    logLevel: 'error',
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('sends and fetches files in a page in Chromium, and takes no redirect for success', async () => {
  if (!existsSync(CHROMIUM)) throw new Error('Chromium is not installed; see README.md.');
  let report: (result: unknown) => void = () => {};
  const reported = new Promise<unknown>(resolve => {
    report = resolve;
  });
  await using server = await startScriptedServer({
    tools: [publish],
    capability: { maxInlineBytes: 1000 },
    onCall: ({ params }) => {
      if (params.arguments.site === 'inline' || params.requestState !== undefined) return done();
      if (params.arguments.site === 'returned') {
        const file = { name: 'out/a.txt', url: `${server.origin}/returned?sig=a%2Bb` };
        const downloads = [
          { ...file, digest: digestOf(content) },
          { ...file, digest: digestOf('another') },
          { name: 'b.txt', path: 'redirected' },
        ];
        return done('made', { _meta: { 'io.modelcontextprotocol/files': { downloads } } });
      }
      const targets =
        params.arguments.site === 'moved'
          ? {
              '/deck': { url: `${server.origin}/put?sig=a%2Bb` },
              '/assets/0': { url: `${server.origin}/form`, form: { fields: [['key', 'v']], fileField: 'file' } },
              '/assets/1': { path: 'post', method: 'POST' },
            }
          : { '/deck': { path: params.arguments.site } };
      return inputRequired({ up: uploadEntry(targets) }, 'state');
    },
    onStore: async ({ url, body }, response) => {
      if (url === '/') {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<script type="module" src="/page.js"></script>');
      } else if (url === '/page.js') {
        response.writeHead(200, { 'content-type': 'text/javascript' }).end(await readFile(join(folder, 'page.js')));
      } else if (url === '/result') {
        response.writeHead(200).end();
        report(JSON.parse(body.toString()));
      } else if (url.startsWith('/returned')) response.writeHead(200).end(content);
      else if (url === '/mcp/redirected') response.writeHead(303, { location: '/put' }).end();
      else response.writeHead(201).end();
    },
  });
  const browser = spawn(
    CHROMIUM,
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--user-data-dir=${join(folder, 'profile')}`,
      `${server.origin}/`,
    ],
    { stdio: 'ignore' },
  );
  try {
    const result = await Promise.race([reported, once(browser, 'exit').then(() => 'the browser ended')]);
    expect(result).toEqual({
      inline: ['inline'],
      moved: [
        ['put', 201, 3_000_000],
        ['form', 201, 4],
        ['post', 201, 8],
      ],
      progress: [true, 3_000_012],
      redirected: { code: 'transfer_failed', outcome: 'not_run' },
      downloads: {
        bytes: content.length,
        streamed: content.length,
        wrong: 'digest_mismatch',
        redirected: 'download_failed',
        passedOn: [['put', 201, content.length]],
      },
    });
    const stored = new Map(server.stored.map(request => [request.url, request]));
    const put = stored.get('/put?sig=a%2Bb')!;
    expect(put).toMatchObject({ method: 'PUT', headers: { 'content-length': '3000000' } });
    expect(put.headers['content-type']).toBeUndefined();
    expect(put.body.every(byte => byte === 7)).toBe(true);
    expect(stored.get('/mcp/post')!.body.toString()).toBe('streamed');
    expect(stored.get('/form')!.body.toString()).toMatch(/name="key"\r\n\r\nv\r\n[\s\S]*filename="naïve %22q%22.png"/);
  } finally {
    const ended = browser.exitCode === null ? once(browser, 'exit') : undefined;
    browser.kill('SIGKILL');
    await ended;
  }
}, 120_000);
