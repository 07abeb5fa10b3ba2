import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type FilesClient,
  type FilesClientOptions,
  fromBytes,
  fromPath,
  type PlannedTransfer,
} from '../../src/index.js';
import { connect, FLAVOURS } from '../support/clients.js';
import {
  done,
  inputRequired,
  type Script,
  type ScriptedServer,
  startScriptedServer,
  uploadEntry,
} from '../support/scripted-server.js';
import { publish } from '../support/tools.js';

type Json = Record<string, unknown>;

async function failure(task: Promise<unknown>): Promise<any> {
  return task.then(
    () => expect.unreachable('it should have failed'),
    error => error,
  );
}

/** A dialog that stays open until the test says what the person did. */
function dialog() {
  let open: (transfer: PlannedTransfer) => void = () => {};
  let answer: (allowed: boolean) => void = () => {};
  const opened = new Promise<PlannedTransfer>(resolve => {
    open = resolve;
  });
  const signals: AbortSignal[] = [];
  return {
    opened,
    signals,
    answer: (allowed: boolean) => answer(allowed),
    approve: (transfer: PlannedTransfer, { signal }: { signal: AbortSignal }): Promise<boolean> => {
      signals.push(signal);
      open(transfer);
      return new Promise(resolve => {
        answer = resolve;
      });
    },
  };
}

describe.each(FLAVOURS)('while approval is asked for, on %s', flavour => {
  const open: (() => PromiseLike<unknown>)[] = [];
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'approval-'));
  });
  afterEach(async () => {
    vi.useRealTimers();
    for (const each of open.splice(0).reverse()) await each();
    await rm(folder, { recursive: true });
  });

  const start = async (
    script: Partial<Script>,
    options: FilesClientOptions,
  ): Promise<{ server: ScriptedServer; files: FilesClient }> => {
    const server = await startScriptedServer({ tools: [publish], onCall: () => done(), ...script });
    open.push(() => server[Symbol.asyncDispose]());
    const host = await connect(flavour, server.url, options);
    open.push(() => host[Symbol.asyncDispose]());
    return { server, files: host.files };
  };
  /** Asks for the deck, then runs the tool. */
  const asking = (target: () => Json = () => ({ path: 'uploads/1' })): Partial<Script> => ({
    capability: { maxInlineBytes: 0 },
    onCall: (_, index) => (index === 0 ? inputRequired({ up: uploadEntry({ '/deck': target() }) }, 's') : done()),
  });
  const inline: Partial<Script> = {};
  const WAYS: [string, Partial<Script>][] = [
    ['inside the call', inline],
    ['to storage', asking()],
  ];

  it.each(WAYS)('the caller’s changes to the arguments do not count: %s', async (_, script) => {
    const { approve, opened, answer } = dialog();
    const { server, files } = await start(script, { approve });
    const bytes = new TextEncoder().encode('as it was');
    const deck = fromBytes(bytes, { name: 'deck.txt' });
    const evil = fromBytes('evil', { name: 'evil.sh' });
    const args: Json = { site: 'good', deck, meta: { note: 'kept' } };
    const call = { name: 'publish', arguments: args };
    const task = files.callToolWithFiles(call);
    await opened;
    args.site = 'bad';
    args.deck = evil;
    args.assets = [evil];
    (args.meta as Json).note = 'changed';
    (args.meta as Json).cover = evil;
    call.name = 'delete_all';
    bytes.fill(0);
    answer(true);
    await task;
    for (const { params } of server.calls as any[]) {
      expect(params.name).toBe('publish');
      expect(params.arguments).toMatchObject({ site: 'good', deck: { name: 'deck.txt' }, meta: { note: 'kept' } });
      expect(JSON.stringify(params)).not.toMatch(/evil|changed|delete_all/);
    }
    const sent = server.stored[0]?.body.toString() ?? atob((server.calls[0]!.params.arguments as any).deck.data);
    expect(sent).toBe('as it was');
  });

  it.each(WAYS)('what is asked about cannot be changed by who is asked: %s', async (_, script) => {
    const { server, files } = await start(script, {
      approve: transfer => {
        for (const [name, value] of [
          ['name', 'x'],
          ['origin', 'https://evil.example'],
          ['path', '/evil'],
        ]) {
          expect(() => Object.assign(transfer, { [name!]: value })).toThrow(TypeError);
        }
        return true;
      },
    });
    const deck = fromBytes('hello', { name: 'deck.txt' });
    const { transfers } = await files.callToolWithFiles({ name: 'publish', arguments: { site: 's', deck } });
    expect(transfers).toMatchObject([{ name: 'deck.txt' }]);
    expect(server.calls.length).toBeGreaterThan(0);
  });

  it.each(
    WAYS.flatMap(([way, script]) => [
      [`written to, ${way}`, script, (path: string) => writeFile(path, 'evil text')] as const,
      [
        `replaced by another of its size, ${way}`,
        script,
        async (path: string) => {
          await writeFile(`${path}.new`, 'evil text');
          await rename(`${path}.new`, path);
        },
      ] as const,
      [`removed, ${way}`, script, (path: string) => rm(path)] as const,
    ]),
  )('a file that is %s is not sent', async (what, script, change) => {
    const { approve, opened, answer } = dialog();
    const { server, files } = await start(script, { approve });
    const path = join(folder, 'deck.txt');
    await writeFile(path, 'good text');
    const task = failure(files.callToolWithFiles({ name: 'publish', arguments: { site: 's', deck: fromPath(path) } }));
    expect(await opened).toMatchObject({ name: 'deck.txt', size: 9 });
    await change(path);
    answer(true);
    const error = await task;
    expect(error).toMatchObject({
      code: what.startsWith('removed') ? 'file_unreadable' : 'file_changed',
      outcome: 'not_run',
      pointer: '/deck',
    });
    expect(server.stored.map(({ body }) => String(body)).join('')).not.toContain('evil');
    expect(server.calls.length).toBe(script === inline ? 0 : 1);
  });

  it('a target that expires is not used', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { approve, opened, answer } = dialog();
    const expiresAt = Date.now() + 60_000;
    const target = { path: 'uploads/1', expiresAt: new Date(expiresAt).toISOString() };
    const { server, files } = await start(
      asking(() => target),
      { approve },
    );
    const deck = fromBytes('hello', { name: 'deck.txt' });
    const task = failure(files.callToolWithFiles({ name: 'publish', arguments: { site: 's', deck } }));
    expect(await opened).toMatchObject({ via: 'target', announced: true });
    vi.setSystemTime(expiresAt + 1000);
    answer(true);
    expect(await task).toMatchObject({
      code: 'target_refused',
      outcome: 'not_run',
      pointer: '/deck',
      details: { reason: 'expired' },
    });
    expect(server.stored).toEqual([]);
    expect(server.calls).toHaveLength(1);
  });

  it('a no about the second file keeps the bytes of the first', async () => {
    const asked: string[] = [];
    const { server, files } = await start(
      {
        capability: { maxInlineBytes: 0 },
        onCall: (_, index) =>
          index === 0
            ? inputRequired({
                up: uploadEntry({ '/deck': { path: 'uploads/1' }, '/meta/cover': { path: 'uploads/2' } }),
              })
            : done(),
      },
      {
        approve: ({ pointer }) => {
          asked.push(pointer);
          return asked.length === 1;
        },
      },
    );
    const file = fromBytes('hello', { name: 'x.txt' });
    const call = { name: 'publish', arguments: { site: 's', deck: file, meta: { cover: file } } };
    expect(await failure(files.callToolWithFiles(call))).toMatchObject({
      code: 'approval_denied',
      pointer: '/meta/cover',
      transfers: [],
    });
    expect(asked).toEqual(['/deck', '/meta/cover']);
    expect(server.stored).toEqual([]);
  });

  it.each([
    ['yes', true],
    ['no', false],
  ])('a file whose way changes is asked about again, and the second answer counts: %s', async (_, second) => {
    const asked: PlannedTransfer[] = [];
    const { server, files } = await start(
      {
        capability: { maxInlineBytes: 1000 },
        onCall: (_, index) =>
          index === 0
            ? {
                error: {
                  code: -32602,
                  message: 'too large',
                  data: { 'io.modelcontextprotocol/files': { reason: 'inline_too_large' } },
                },
              }
            : index === 1
              ? inputRequired({ up: uploadEntry({ '/deck': { path: 'uploads/1' } }) }, 's')
              : done(),
      },
      {
        approve: transfer => {
          asked.push(transfer);
          return asked.length === 1 || second;
        },
      },
    );
    const deck = fromBytes('hello', { name: 'deck.txt' });
    const task = files.callToolWithFiles({ name: 'publish', arguments: { site: 's', deck } });
    if (second) expect((await task).transfers).toMatchObject([{ mode: 'put' }]);
    else expect(await failure(task)).toMatchObject({ code: 'approval_denied', outcome: 'not_run', pointer: '/deck' });
    expect(asked).toMatchObject([
      { via: 'inline', announced: false },
      { via: 'target', origin: server.origin, path: '/mcp/uploads/1', method: 'PUT', announced: true },
    ]);
    expect(asked).toHaveLength(2);
    expect(server.stored).toHaveLength(second ? 1 : 0);
    expect((server.calls[1]!.params.arguments as any).deck).toEqual({
      name: 'deck.txt',
      mimeType: 'text/plain',
      size: 5,
    });
    expect(server.calls).toHaveLength(second ? 3 : 2);
  });

  it.each(
    WAYS.flatMap(([way, script]) => [
      [`the caller, ${way}`, script, 'signal'] as const,
      [`close(), ${way}`, script, 'close'] as const,
    ]),
  )('the call can be given up by %s, and a late yes is no yes', async (_, script, by) => {
    const { approve, opened, answer, signals } = dialog();
    const { server, files } = await start(script, { approve });
    const controller = new AbortController();
    const deck = fromBytes('hello', { name: 'deck.txt' });
    const call = { name: 'publish', arguments: { site: 's', deck } };
    const task = failure(files.callToolWithFiles(call, { signal: controller.signal }));
    await opened;
    const before = server.calls.length;
    const reason = new Error('closed the window');
    if (by === 'signal') controller.abort(reason);
    else await files.close();
    const error = await task;
    expect(error).toMatchObject({ code: 'aborted', outcome: 'not_run' });
    if (by === 'signal') expect(error.cause).toBe(reason);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    answer(true);
    await new Promise(resolve => setImmediate(resolve));
    expect(server.calls).toHaveLength(before);
    expect(server.stored).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a text', 'yes'],
    ['a number', 1],
    ['an object', {}],
  ])('only true is a yes: not %s', async (_, answered) => {
    const { server, files } = await start(inline, { approve: (() => answered) as never });
    const deck = fromBytes('hello', { name: 'deck.txt' });
    const task = files.callToolWithFiles({ name: 'publish', arguments: { site: 's', deck } });
    expect(await failure(task)).toMatchObject({ code: 'approval_denied', outcome: 'not_run' });
    expect(server.calls).toEqual([]);
  });
});
