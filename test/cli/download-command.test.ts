import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ScriptedServer, startScriptedServer } from '../support/scripted-server.js';
import { publish } from '../support/tools.js';
import { runCli } from './run-cli.js';

let folder: string;
let server: ScriptedServer;
const asked: string[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mcp-files-test-'));
  asked.splice(0);
  server = await startScriptedServer({
    tools: [publish],
    onCall: () => {
      throw new Error('no tool is called');
    },
    onRequest: (method, { uri }) => {
      asked.push(`${method} ${uri}`);
      if (method === 'resources/read' && uri.startsWith('demo:')) {
        return { result: { contents: [{ uri, text: `content of ${uri}` }] } };
      }
      if (method === 'files/authorizeDownload' && uri === 'mcp-file://s/report.pdf') {
        const download = { transport: 'https', method: 'GET', url: `${server.origin}/get?sig=secret` };
        return { result: { file: { uri }, download } };
      }
      return undefined;
    },
    onStore: (_, response) => void response.end('stored'),
  });
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const download = (...more: string[]) => runCli(['download', server.url, ...more]);
const at = (...names: string[]): string => join(folder, ...names);
const text = (path: string): Promise<string> => readFile(path, 'utf8');

describe('mcp-files download', () => {
  it('saves resources, SEP-2631 files and addresses on the web, and says where', async () => {
    const uris = ['demo://a/notes.md?x=1', 'mcp-file://s/report.pdf', `${server.origin}/page.html?sig=secret`];
    const { code, stdout, stderr } = await download(...uris, '--out', at('new'));
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toBe(
      ['notes.md', 'report.pdf', 'page.html'].map(name => `Saved ${name} as ${at('new', name)}.\n`).join(''),
    );
    expect(await text(at('new', 'notes.md'))).toBe('content of demo://a/notes.md?x=1');
    expect(await text(at('new', 'report.pdf'))).toBe('stored');
    expect(await text(at('new', 'page.html'))).toBe('stored');
    expect((await stat(at('new', 'page.html'))).mode & 0o777).toBe(0o600);
    expect(asked.filter(each => !each.startsWith('server/'))).toEqual([
      'resources/read demo://a/notes.md?x=1',
      'files/authorizeDownload mcp-file://s/report.pdf',
    ]);
  });

  it('saves one under a name of its own, lists it as JSON', async () => {
    const { code, stdout, stderr } = await download('demo:1', '--to', at('one.txt'), '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({ files: [{ name: '1', path: at('one.txt') }] });
    expect(await text(at('one.txt'))).toBe('content of demo:1');
  });

  it('overwrites only when told so', async () => {
    await writeFile(at('1'), 'before');
    const { code, stderr } = await download('demo:1', '--out', folder);
    expect(code).toBe(3);
    expect(stderr).toMatch(/is taken; it was not overwritten\.\nTo replace what is there: --overwrite\n$/);
    expect(await text(at('1'))).toBe('before');
    expect((await download('demo:1', '--out', folder, '--overwrite')).code).toBe(0);
    expect(await text(at('1'))).toBe('content of demo:1');
  });

  it('saves the others where one fails, and no tool is said to have run', async () => {
    const { code, stdout, stderr } = await download('none:1', 'demo:2', '--out', folder, '--json');
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      files: [
        {
          name: '1',
          error: { code: 'download_failed', outcome: 'not_run', details: { reason: 'method_unsupported' } },
        },
        { name: '2', path: at('2') },
      ],
      error: { code: 'download_failed', outcome: 'not_run' },
    });
    expect(await readdir(folder)).toEqual(['2']);
    const plain = await download('none:1', '--out', folder);
    expect(plain.stderr).not.toContain('The tool');
  });

  it('takes no larger file than allowed, and none from where the policy forbids', async () => {
    const large = await download('demo:1', '--out', folder, '--max-bytes', '5', '--json');
    expect([large.code, JSON.parse(large.stdout).error.code]).toEqual([3, 'download_too_large']);
    const inside = await download('https://10.0.0.1/x', '--out', folder);
    expect(inside.code).toBe(3);
    expect(inside.stderr).toContain('--allow-private-network');
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    [[], 'Missing: the URI'],
    [['notes.md'], 'is no URI'],
    [['C:\\x'], 'is no URI'],
    [['demo:1', '--out', 'a', '--to', 'b'], 'Either --to or --out'],
    [['demo:1', 'demo:2', '--to', 'b'], '--to takes one file'],
    [['demo:1', '--max-bytes', '1k'], '--max-bytes takes'],
  ])('a wrong command line is 2, and asks for nothing: %j', async (words, message) => {
    const { code, stderr } = await download(...words);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toContain('mcp-files download --help');
    expect(asked).toEqual([]);
  });
});
