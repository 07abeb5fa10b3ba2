import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../cli/run-cli.js';
import { type Script, type ScriptedServer, startScriptedServer } from '../support/scripted-server.js';
import { publish } from '../support/tools.js';
import { asks, echoing, INCLUDED, World } from './world.js';

let folder: string;
let deck: string;
let server: ScriptedServer | undefined;
let w: World;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mcp-files-test-'));
  deck = join(folder, 'deck.bin');
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(async () => {
  await server?.[Symbol.asyncDispose]();
  server = undefined;
});

async function start(script: (w: World) => Partial<Script>): Promise<string> {
  w = new World();
  await writeFile(deck, `${w.secret('file')} `.repeat(50));
  server = await startScriptedServer({
    tools: [publish],
    capability: { maxInlineBytes: 0 },
    ...asks(w, () => w.target()),
    ...script(w),
  });
  w.origin = server.origin;
  return server.url;
}

/** Runs the built command with a token in its environment, and looks for secrets in what it prints. */
async function leaksOf(args: readonly string[]): Promise<{ code: number | null; leaks: string[]; shown: string }> {
  const { code, stdout, stderr } = await runCli(args, { env: { TOKEN: w.key('credential'), NO_COLOR: '1' } });
  return { code, leaks: w.secrets.foundIn([stdout, stderr]), shown: stdout + stderr };
}

const SCRIPTS: Record<string, [script: (w: World) => Partial<Script>, code: number, shown: string]> = {
  'an upload': [w => asks(w, () => w.target()), 0, 'done'],
  'a target with a credential': [w => asks(w, () => w.target(INCLUDED)), 0, 'done'],
  'a target that is refused': [
    w => asks(w, () => w.target({ url: `http://93.184.216.34/x?sig=${w.key('query')}` })),
    3,
    'is not https',
  ],
  'a storage that echoes': [
    w => ({
      ...asks(w, () => w.target(INCLUDED)),
      onStore: echoing(w, 403, 'application/xml', told => `<Code>AccessDenied</Code>${JSON.stringify(told)}`),
    }),
    3,
    '403 AccessDenied',
  ],
  'a header that is refused': [
    w => asks(w, () => w.target({ headers: { [`sec-${w.key('header name')}`]: w.secret('target header') } })),
    3,
    'may not set',
  ],
  'a gateway that fails': [
    w => ({
      ...asks(w, () => w.target()),
      capability: { maxInlineBytes: 5000 },
      onCall: () => ({ raw: (_, to) => void to.writeHead(502).end(`<html>${w.secret('answer')}</html>`) }),
    }),
    4,
    '502',
  ],
};

describe.each([[[]], [['--json']], [['--verbose']]])('the command with %j prints no secret of', flags => {
  it.each(Object.entries(SCRIPTS))('%s', async (_, [script, code, shown]) => {
    const url = await start(script);
    const args = ['call', url, 'publish', '--arg', 'site=s', '--file', `deck=${deck}`, '--bearer-env', 'TOKEN'];
    const ended = await leaksOf([...args, ...flags]);
    expect(ended).toMatchObject({ code, leaks: [], shown: expect.stringContaining(shown) });
  });
});

describe('the command prints no secret of', () => {
  it('an address that cannot be reached', async () => {
    const url = await start(() => ({}));
    await server?.[Symbol.asyncDispose]();
    const ended = await leaksOf(['tools', `${url}?key=${w.key('server key')}`]);
    expect(ended).toMatchObject({ code: 3, leaks: [], shown: expect.stringContaining('cannot be reached') });
  });

  it('an address with a password in it, which it refuses', async () => {
    const url = await start(() => ({}));
    const ended = await leaksOf(['tools', url.replace('//', `//u:${w.key('server password')}@`)]);
    expect(ended).toMatchObject({ code: 2, leaks: [] });
  });

  it.each([
    ['--bearer-env', (key: string) => key],
    ['--bearer-env', (key: string) => `Bearer ${key}`],
    ['--header-env', (key: string) => `Authorization: Bearer ${key}`],
    ['--header-env', (key: string) => `Authorization=${key}`],
    ['--header-env', (key: string) => `${key} =TOKEN`],
  ])('a %s that was given the secret itself', async (flag, text) => {
    const url = await start(() => ({}));
    const ended = await leaksOf(['tools', url, flag, text(w.key('misplaced'))]);
    expect(ended).toMatchObject({ code: 2, leaks: [] });
  });
});
