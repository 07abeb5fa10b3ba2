import { afterEach, describe, expect, it } from 'vitest';
import {
  type FileRegistry,
  type FilesClientOptions,
  fromBytes,
  isFilesError,
  memoryRegistry,
  newHandle,
} from '../../src/index.js';
import { type Connected, connect, FLAVOURS } from '../support/clients.js';
import {
  done,
  inputRequired,
  type Script,
  type ScriptedServer,
  startScriptedServer,
  uploadEntry,
} from '../support/scripted-server.js';
import { publish } from '../support/tools.js';

/** A tool that passes the arguments of another one on: no schema shows what is in them. */
const execute = {
  name: 'execute',
  inputSchema: {
    type: 'object',
    properties: { tool: { type: 'string' }, input: { type: 'object' } },
    required: ['tool', 'input'],
  },
};

async function failure(task: Promise<unknown>): Promise<any> {
  try {
    await task;
  } catch (error) {
    return error;
  }
  return expect.unreachable('it should have failed');
}

describe.each(FLAVOURS)('handles on %s', flavour => {
  const open: AsyncDisposable[] = [];
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]();
  });

  const start = async (
    options: FilesClientOptions = {},
    script: Partial<Script> = {},
  ): Promise<{ server: ScriptedServer; host: Connected; registry: FileRegistry }> => {
    const server = await startScriptedServer({ tools: [publish, execute], onCall: () => done(), ...script });
    open.push(server);
    const host = await connect(flavour, server.url, options);
    open.push(host);
    return { server, host, registry: host.files.registry };
  };
  const deck = fromBytes('hello', { name: 'deck.txt' });
  const sent = { name: 'deck.txt', mimeType: 'text/plain', size: 5, data: 'aGVsbG8=' };

  it('swaps the file in for its handle, at every place that declares one', async () => {
    const { server, host, registry } = await start();
    const handle = await registry.add(deck);
    const other = await registry.add(fromBytes('!', { name: 'other.txt' }));
    const result = await host.files.callToolWithFiles({
      name: 'publish',
      arguments: {
        site: 's',
        assets: [other, handle, fromBytes('x', { name: 'x.txt' })],
        deck: handle,
        meta: { cover: other },
      },
    });
    const { arguments: args } = server.calls[0]!.params as any;
    expect(args.deck).toEqual(sent);
    expect(args.assets.map((asset: any) => asset.name)).toEqual(['other.txt', 'deck.txt', 'x.txt']);
    expect(args.meta.cover.name).toBe('other.txt');
    expect(JSON.stringify(server.calls)).not.toContain('mcpfile_');
    expect(result.transfers.map(({ pointer }) => pointer)).toEqual([
      '/assets/0',
      '/assets/1',
      '/assets/2',
      '/deck',
      '/meta/cover',
    ]);
  });

  it('asks about files in the order of the arguments, those behind handles among the others', async () => {
    const asked: string[] = [];
    const { host, registry } = await start({
      approve: ({ pointer }) => {
        asked.push(pointer);
        return true;
      },
    });
    const handle = await registry.add(deck);
    const here = fromBytes('x', { name: 'x.txt' });
    await host.files.callToolWithFiles({
      name: 'publish',
      arguments: { site: 's', meta: { cover: here }, assets: [handle, here, here, handle], deck: here },
    });
    expect(asked).toEqual(['/meta/cover', '/assets/0', '/assets/1', '/assets/2', '/assets/3', '/deck']);
  });

  it('sends a large one to storage', async () => {
    const { server, host, registry } = await start(
      { inlineLimit: 0 },
      {
        onCall: (_, index) =>
          index === 0 ? inputRequired({ up: uploadEntry({ '/deck': { path: 'uploads/1' } }) }, 's') : done(),
      },
    );
    await host.files.callToolWithFiles({ name: 'publish', arguments: { site: 's', deck: await registry.add(deck) } });
    expect(server.stored.map(({ body }) => String(body))).toEqual(['hello']);
    expect(server.calls).toHaveLength(2);
  });

  it('resolves each handle once, at entry: what happens to it during the call does not count', async () => {
    const inner = memoryRegistry();
    const asked: unknown[] = [];
    const registry: FileRegistry = {
      ...inner,
      async resolve(handle, context) {
        asked.push(context);
        const file = await inner.resolve(handle, context);
        await inner.remove(handle);
        return file;
      },
    };
    const { server, host } = await start({ registry });
    const handle = await registry.add(deck, { scope: 'chat-1' });
    await host.files.callToolWithFiles(
      { name: 'publish', arguments: { site: 's', deck: handle, assets: [handle] } },
      { scope: 'chat-1' },
    );
    expect(asked).toEqual([{ scope: 'chat-1', server: server.url }]);
    expect((server.calls[0]!.params.arguments as any).assets).toEqual([sent]);
  });

  it('refuses what leads to no file in the same words, and sends nothing', async () => {
    let now = 0;
    const { server, host, registry } = await start({ registry: memoryRegistry({ now: () => now }) });
    const foreign = await registry.add(deck, { scope: 'chat-1' });
    const expired = await registry.add(deck, { scope: 'chat-2', expiresIn: 10 });
    const elsewhere = await registry.add(deck, { scope: 'chat-2', servers: ['https://other.example/mcp'] });
    now = 10;
    const errors: any[] = [];
    const bad = [newHandle(), foreign, expired, elsewhere, 'mcpfile_', 'mcpfile_a b', `mcpfile_${'a'.repeat(5000)}`];
    for (const handle of bad) {
      const call = { name: 'publish', arguments: { site: 's', deck: handle } };
      errors.push(await failure(host.files.callToolWithFiles(call, { scope: 'chat-2' })));
    }
    for (const error of errors) {
      expect(error).toMatchObject({ code: 'argument_invalid', outcome: 'not_run', pointer: '/deck', tool: 'publish' });
      expect(error.message).toBe(errors[0].message);
      expect(error.cause).toBeUndefined();
    }
    expect(server.calls).toHaveLength(0);
  });

  it.each([
    ['answers nothing', async () => undefined],
    ['answers null', async () => null],
    ['answers something that is no file', async () => ({ name: 'x' })],
    ['answers a path', async () => '/etc/passwd'],
  ])('takes a store that %s for one that has none', async (_, resolve) => {
    const { server, host } = await start({ registry: { ...memoryRegistry(), resolve: resolve as never } });
    const call = { name: 'publish', arguments: { site: 's', deck: newHandle() } };
    expect(await failure(host.files.callToolWithFiles(call))).toMatchObject({
      code: 'argument_invalid',
      message: expect.stringContaining('The handle at "/deck" names no file'),
    });
    expect(server.calls).toHaveLength(0);
  });

  it('says that a store failed, and nothing of its words', async () => {
    const registry: FileRegistry = {
      ...memoryRegistry(),
      resolve: async () => {
        throw Object.assign(new Error('connect to redis://user:hunter2@db failed'), { code: 'ECONNREFUSED' });
      },
    };
    const { host } = await start({ registry });
    const error = await failure(
      host.files.callToolWithFiles({ name: 'publish', arguments: { site: 's', deck: newHandle() } }),
    );
    expect(error).toMatchObject({ code: 'file_unreadable', outcome: 'not_run', pointer: '/deck' });
    expect(error.cause).toMatchObject({ code: 'ECONNREFUSED' });
    expect(JSON.stringify([error.message, error.stack, String(error.cause)])).not.toContain('hunter2');
  });

  it('does not wait for a store when the call is given up', async () => {
    const controller = new AbortController();
    const registry: FileRegistry = {
      ...memoryRegistry(),
      resolve: () => {
        controller.abort(new Error('enough'));
        return new Promise(() => {});
      },
    };
    const { server, host } = await start({ registry });
    const call = { name: 'publish', arguments: { site: 's', deck: newHandle() } };
    const error = await failure(host.files.callToolWithFiles(call, { signal: controller.signal }));
    expect(error).toMatchObject({ code: 'aborted', outcome: 'not_run' });
    expect(server.calls).toHaveLength(0);
  });

  it('leaves every other text alone: elsewhere, in a longer one, or without the prefix', async () => {
    const { server, host, registry } = await start();
    const handle = await registry.add(deck);
    const args = {
      site: handle,
      meta: { cover: `see ${handle}`, [handle]: handle },
      deck: ` ${handle}`,
      assets: ['MCPFILE_x'],
    };
    await host.files.callToolWithFiles({ name: 'publish', arguments: args });
    expect(server.calls[0]!.params.arguments).toEqual(args);
  });

  it('resolves no handle of an inner tool, unless the host wants that', async () => {
    const { server, host, registry } = await start();
    const handle = await registry.add(deck);
    const call = { name: 'execute', arguments: { tool: 'save', input: { at: [{ file: handle }] } } };
    await host.files.callToolWithFiles(call);
    expect(server.calls[0]!.params.arguments).toEqual(call.arguments);

    const open = await start({ resolveHandles: 'anywhere' });
    const known = await open.registry.add(deck, { scope: 's' });
    const result = await open.host.files.callToolWithFiles(
      { name: 'execute', arguments: { tool: 'save', input: { at: [{ file: known, note: `about ${known}` }] } } },
      { scope: 's' },
    );
    expect(open.server.calls[0]!.params.arguments).toEqual({
      tool: 'save',
      input: { at: [{ file: sent, note: `about ${known}` }] },
    });
    expect(result.transfers).toMatchObject([{ pointer: '/input/at/0/file', mode: 'inline', dialect: 'extension' }]);
    const unknown = { name: 'execute', arguments: { tool: newHandle(), input: {} } };
    expect(await failure(open.host.files.callToolWithFiles(unknown))).toMatchObject({
      code: 'argument_invalid',
      pointer: '/tool',
    });
  });

  it('passes a file that a tool returned on to the next tool, by its handle', async () => {
    const { server, host, registry } = await start(
      {},
      {
        onCall: (_, index) =>
          index > 0
            ? done()
            : done('made', {
                _meta: {
                  'io.modelcontextprotocol/files': {
                    downloads: [{ name: 'out/report.txt', size: 7, mimeType: 'text/plain', path: 'files/1?sig=abc' }],
                  },
                },
              }),
        onStore: (_, response) => void response.end('content'),
      },
    );
    const { files } = await host.files.callToolWithFiles({ name: 'publish', arguments: { site: 's' } });
    const handle = await registry.add(files[0]!, { scope: 'chat' });
    await host.files.callToolWithFiles({ name: 'publish', arguments: { site: 's', deck: handle } }, { scope: 'chat' });
    expect(server.calls[1]!.params.arguments).toMatchObject({
      deck: { name: 'report.txt', mimeType: 'text/plain', size: 7, data: Buffer.from('content').toString('base64') },
    });

    // Another client cannot fetch it: to that one the handle is foreign.
    const stranger = await start({ registry });
    const call = { name: 'publish', arguments: { site: 's', deck: handle } };
    const foreign = await failure(stranger.host.files.callToolWithFiles(call, { scope: 'chat' }));
    const unknown = await failure(stranger.host.files.callToolWithFiles(call));
    expect(foreign).toMatchObject({ code: 'argument_invalid', message: unknown.message });
  });

  it('calls a tool that nobody lists as before', async () => {
    const { server, host } = await start();
    const args = { any: newHandle() };
    await host.files.callToolWithFiles({ name: 'hidden', arguments: args });
    expect(server.calls[0]!.params.arguments).toEqual(args);
  });
});

describe('the options', () => {
  it.each([
    [{ registry: {} }],
    [{ registry: null }],
    [{ registry: { add() {}, resolve() {} } }],
    [{ resolveHandles: 'everywhere' }],
    [{ resolveHandles: true }],
  ])('are checked when a client is made: %j', async options => {
    const error = await failure(connect('v2 modern', 'http://127.0.0.1:1/mcp', options as never));
    expect(error).toBeInstanceOf(TypeError);
    expect(isFilesError(error)).toBe(false);
  });
});
