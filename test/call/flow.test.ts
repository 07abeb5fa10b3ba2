import { createHash, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FilesClientOptions, fromBytes, fromStream, isFilesError, type ProgressEvent } from '../../src/index.js';
import { type Connected, connect, FLAVOURS } from '../support/clients.js';
import {
  done,
  inputRequired,
  type Script,
  type ScriptedServer,
  startScriptedServer,
  uploadEntry,
} from '../support/scripted-server.js';
import { publish, saveImage } from '../support/tools.js';

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');
const big = randomBytes(3 * 1024 * 1024);

/** Rejects to the FilesError's data, or fails. */
async function failure(task: Promise<unknown>): Promise<any> {
  try {
    await task;
  } catch (error) {
    return error;
  }
  return expect.unreachable('it should have failed');
}

describe.each(FLAVOURS)('the call on %s', flavour => {
  let server: ScriptedServer | undefined;
  let host: Connected | undefined;

  const start = async (script: Partial<Script>, options: FilesClientOptions = {}): Promise<Connected> => {
    server = await startScriptedServer({ tools: [publish, saveImage], onCall: () => done(), ...script });
    host = await connect(flavour, server.url, options);
    return host;
  };
  beforeEach(() => {
    server = host = undefined;
  });
  afterEach(async () => {
    await host?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  /** Answers the first leg with targets on the server's own storage, later ones with a result. */
  const uploadThenDone =
    (targets: (origin: string) => Record<string, unknown>, state = 'opaque-state'): Script['onCall'] =>
    (_, index) =>
      index === 0 ? inputRequired({ up: uploadEntry(targets(server!.origin)) }, state) : done('stored');

  it('sees the capability and lists every page of tools with their file arguments', async () => {
    const { files } = await start({
      capability: { maxInlineBytes: 4096 },
      onListTools: cursor => (cursor === undefined ? { tools: [publish], nextCursor: 'p2' } : { tools: [saveImage] }),
    });
    expect(files.capabilities).toEqual({
      extension: true,
      maxInlineBytes: 4096,
      era: flavour === 'v2 modern' ? 'modern' : 'legacy',
      sdk: flavour === 'v1' ? 'v1' : 'v2',
    });
    const tools = await files.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['publish', 'save_image']);
    expect(tools[0]!.fileArguments.map(({ pointer }) => pointer)).toEqual(['/deck', '/assets/*', '/meta/cover']);
    expect(tools[1]!.fileArguments[0]).toMatchObject({ required: true, accept: ['image/*', '.pdf'], maxSize: 1000 });
  });

  it('refuses a tool list whose cursor comes back', async () => {
    const { files } = await start({ onListTools: () => ({ tools: [publish], nextCursor: 'again' }) });
    expect(await failure(files.listTools())).toMatchObject({ code: 'server_violation' });
  });

  it('sends a small file inline, in one request', async () => {
    const { files } = await start({});
    const result = await files.callToolWithFiles({
      name: 'publish',
      arguments: { site: 's1', deck: fromBytes('hello', { name: 'hi.txt' }) },
    });
    expect(server!.calls).toHaveLength(1);
    expect(server!.calls[0]!.params).toEqual({
      name: 'publish',
      arguments: { site: 's1', deck: { name: 'hi.txt', mimeType: 'text/plain', size: 5, data: 'aGVsbG8=' } },
    });
    expect(server!.stored).toHaveLength(0);
    expect(result.content).toEqual([{ type: 'text', text: 'done' }]);
    expect(result.files).toEqual([]);
    expect(result.transfers).toMatchObject([{ pointer: '/deck', name: 'hi.txt', size: 5, mode: 'inline', bytes: 5 }]);
    expect(result).not.toHaveProperty('resultType');
  });

  it('declares the extension before connect', async () => {
    let meta: any;
    const { files } = await start({
      onCall: call => {
        meta = call.meta;
        return done();
      },
    });
    await files.callToolWithFiles({ name: 'publish', arguments: { site: 's', deck: fromBytes('x', { name: 'x' }) } });
    if (flavour === 'v2 modern') {
      expect(meta['io.modelcontextprotocol/clientCapabilities'].extensions['io.modelcontextprotocol/files']).toEqual({
        upload: {},
        download: {},
      });
    }
  });

  it('moves files by PUT, POST and form in parallel, then retries once with the same arguments and state', async () => {
    const state = 'st%2B/=“opaque”';
    const { files } = await start({
      onCall: uploadThenDone(
        origin => ({
          '/deck': { url: `${origin}/put/a'b?sig=a+b%20c`, method: 'PUT', headers: { 'x-kind': 'block' } },
          '/assets/0': { url: `${origin}/post`, method: 'POST' },
          '/assets/1': {
            url: `${origin}/form`,
            method: 'POST',
            form: {
              fields: [
                { name: 'key', value: 'v/9' },
                { name: 'policy', value: 'eyJ' },
              ],
              fileField: 'upload',
            },
          },
          '/meta/cover': { path: 'uploads/t-9' },
        }),
        state,
      ),
    });
    const empty = fromBytes('', { name: 'empty.txt' });
    const result = await files.callToolWithFiles({
      name: 'publish',
      arguments: {
        site: 's1',
        deck: fromBytes(big, { name: 'deck.pdf' }),
        assets: [fromBytes('one', { name: 'one.txt' }), fromBytes('two', { name: 'two.txt' }), empty],
        meta: { cover: fromBytes('cover', { name: 'cover.png' }) },
      },
    });
    expect(server!.calls).toHaveLength(2);
    const [first, retry] = server!.calls as [any, any];
    expect(first.params.arguments).toEqual({
      site: 's1',
      deck: { name: 'deck.pdf', mimeType: 'application/pdf', size: big.length },
      assets: [
        { name: 'one.txt', mimeType: 'text/plain', size: 3 },
        { name: 'two.txt', mimeType: 'text/plain', size: 3 },
        { name: 'empty.txt', mimeType: 'text/plain', size: 0, data: '' },
      ],
      meta: { cover: { name: 'cover.png', mimeType: 'image/png', size: 5 } },
    });
    expect(JSON.stringify(retry.params.arguments)).toBe(JSON.stringify(first.params.arguments));
    expect(retry.params.requestState).toBe(state);
    expect(retry.params.inputResponses).toEqual({ up: {} });
    expect(retry.id).not.toBe(first.id);

    const byPath = new Map(server!.stored.map(stored => [stored.url, stored]));
    const put = byPath.get(`/put/a'b?sig=a+b%20c`)!;
    expect(put.method).toBe('PUT');
    expect(put.headers['content-length']).toBe(String(big.length));
    expect(put.headers['x-kind']).toBe('block');
    expect(put.headers['content-type']).toBeUndefined();
    expect(sha256(put.body)).toBe(sha256(big));
    expect(byPath.get('/post')).toMatchObject({ method: 'POST' });
    expect(byPath.get('/post')!.body.toString()).toBe('one');
    expect(byPath.get('/mcp/uploads/t-9')!.body.toString()).toBe('cover');
    const form = byPath.get('/form')!;
    expect(form.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    const text = form.body.toString();
    expect(text.indexOf('name="key"')).toBeLessThan(text.indexOf('name="policy"'));
    expect(text.indexOf('name="policy"')).toBeLessThan(text.indexOf('name="upload"; filename="two.txt"'));
    expect(result.transfers.map(({ pointer, mode, status }) => [pointer, mode, status])).toEqual([
      ['/deck', 'put', 200],
      ['/assets/0', 'post', 200],
      ['/assets/1', 'form', 200],
      ['/assets/2', 'inline', undefined],
      ['/meta/cover', 'put', 200],
    ]);
    expect(result.transfers[0]).toMatchObject({ origin: server!.origin, bytes: big.length, dialect: 'extension' });
  });

  it('sends nothing inline where maxInlineBytes is 0, empty files included', async () => {
    const { files } = await start({
      capability: { maxInlineBytes: 0 },
      onCall: uploadThenDone(origin => ({ '/deck': { url: `${origin}/d` } })),
    });
    await files.callToolWithFiles({
      name: 'publish',
      arguments: { site: 's', deck: fromBytes('x', { name: 'x' }), assets: [fromBytes('', { name: 'e' })] },
    });
    const { deck, assets } = server!.calls[0]!.params.arguments;
    expect(deck).not.toHaveProperty('data');
    expect(assets[0]).not.toHaveProperty('data');
  });

  it('resends out of band, once, what the server finds too large inline', async () => {
    const { files } = await start({
      onCall: (call, index) => {
        if (index === 0) return { error: { code: -32602, message: 'no', data: { reason: 'inline_too_large' } } };
        if (index === 1) return inputRequired({ up: uploadEntry({ '/deck': { url: `${server!.origin}/d` } }) }, 's');
        return done(String(call.params.requestState));
      },
    });
    const result = await files.callToolWithFiles({
      name: 'publish',
      arguments: { site: 's', deck: fromBytes('x', { name: 'x' }) },
    });
    expect(server!.calls.map(({ params }) => 'data' in params.arguments.deck)).toEqual([true, false, false]);
    expect(result.transfers).toMatchObject([{ mode: 'put' }]);
    expect(result.content[0]).toMatchObject({ text: 's' });
  });

  it('takes HTTP 413 to an inline leg for the same', async () => {
    const { files } = await start({
      onCall: (_, index) => {
        if (index === 0) return { raw: (_request, response) => response.writeHead(413).end('<html>too large</html>') };
        if (index === 1) return inputRequired({ up: uploadEntry({ '/deck': { url: `${server!.origin}/d` } }) }, 's');
        return done();
      },
    });
    const result = await files.callToolWithFiles({
      name: 'publish',
      arguments: { site: 's', deck: fromBytes('x', { name: 'x' }) },
    });
    expect(server!.calls).toHaveLength(3);
    expect(result.transfers).toMatchObject([{ mode: 'put' }]);
  });

  it('gives up with file_too_large where a second 413 leaves no other way', async () => {
    const { files } = await start({
      onCall: () => ({ raw: (_request, response) => response.writeHead(413).end('x') }),
    });
    const error = await failure(
      files.callToolWithFiles({ name: 'publish', arguments: { site: 's', deck: fromBytes('x', { name: 'x' }) } }),
    );
    expect(error).toMatchObject({ code: 'file_too_large', outcome: 'not_run', details: { limit: 'transport' } });
    expect(server!.calls).toHaveLength(2);
  });

  it('rethrows a second inline_too_large and any other server error as the SDK made it', async () => {
    const { files } = await start({
      onCall: () => ({ error: { code: -32602, message: 'bad site', data: { field: 'site' } } }),
    });
    const error = await failure(
      files.callToolWithFiles({ name: 'publish', arguments: { site: 's', deck: fromBytes('x', { name: 'x' }) } }),
    );
    expect(isFilesError(error)).toBe(false);
    expect(error).toMatchObject({ code: -32602, data: { field: 'site' } });
  });

  it('answers elicitation beside an upload, and a state-only round', async () => {
    const asked: unknown[] = [];
    const { files } = await start(
      {
        onCall: (_, index) => {
          if (index === 0) {
            return inputRequired(
              {
                ask: {
                  method: 'elicitation/create',
                  params: { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } },
                },
                up: uploadEntry({ '/deck': { url: `${server!.origin}/d` } }),
              },
              'one',
            );
          }
          if (index === 1) return inputRequired(undefined, 'two');
          return done();
        },
      },
      {
        onInputRequest: (request, { tool }) => {
          asked.push([request.key, request.method, tool]);
          return { action: 'accept', content: {} };
        },
        inlineLimit: 0,
      },
    );
    await files.callToolWithFiles({ name: 'publish', arguments: { site: 's', deck: fromBytes('x', { name: 'x' }) } });
    expect(asked).toEqual([['ask', 'elicitation/create', 'publish']]);
    expect(server!.calls[1]!.params.inputResponses).toEqual({ ask: { action: 'accept', content: {} }, up: {} });
    expect(server!.calls[1]!.params.requestState).toBe('one');
    expect(server!.calls[2]!.params).not.toHaveProperty('inputResponses');
    expect(server!.calls[2]!.params.requestState).toBe('two');
    expect(server!.stored).toHaveLength(1);
  });

  it('asks for input it cannot give before any upload begins', async () => {
    const { files } = await start(
      {
        onCall: () =>
          inputRequired({
            ask: {
              method: 'elicitation/create',
              params: { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } },
            },
            up: uploadEntry({ '/deck': { url: `${server!.origin}/d` } }),
          }),
      },
      { inlineLimit: 0 },
    );
    const error = await failure(
      files.callToolWithFiles({ name: 'publish', arguments: { site: 's', deck: fromBytes('x', { name: 'x' }) } }),
    );
    expect(error).toMatchObject({ code: 'input_unsupported', outcome: 'not_run', tool: 'publish' });
    expect(server!.stored).toHaveLength(0);
  });

  it('refuses a second upload round with the tool possibly run', async () => {
    const { files } = await start(
      { onCall: () => inputRequired({ up: uploadEntry({ '/deck': { url: `${server!.origin}/d` } }) }, 's') },
      { inlineLimit: 0 },
    );
    const error = await failure(
      files.callToolWithFiles({ name: 'publish', arguments: { site: 's', deck: fromBytes('x', { name: 'x' }) } }),
    );
    expect(error).toMatchObject({ code: 'server_violation', outcome: 'unknown' });
    expect(server!.stored).toHaveLength(1);
    expect(server!.calls).toHaveLength(2);
  });

  it('stops at maxRounds', async () => {
    const { files } = await start(
      { onCall: () => inputRequired(undefined, 'again') },
      { inlineLimit: 0, maxRounds: 3 },
    );
    const error = await failure(
      files.callToolWithFiles({ name: 'publish', arguments: { site: 's', deck: fromBytes('x', { name: 'x' }) } }),
    );
    expect(error).toMatchObject({ code: 'too_many_rounds', outcome: 'not_run', details: { maxRounds: 3 } });
    expect(server!.calls).toHaveLength(4);
  });

  it('ends the call without a retry when one of several transfers fails, with every failure', async () => {
    const { files } = await start(
      {
        onCall: uploadThenDone(origin => ({
          '/deck': { url: `${origin}/ok` },
          '/assets/0': { url: `${origin}/no?sig=SECRET` },
        })),
        onStore: ({ url }, response) => {
          if (url.startsWith('/no')) {
            response.writeHead(403, { 'content-type': 'application/xml' });
            response.end('<Error><Code>SignatureDoesNotMatch</Code><Message>SECRET</Message></Error>');
          } else response.writeHead(200).end();
        },
      },
      { inlineLimit: 0 },
    );
    const error = await failure(
      files.callToolWithFiles({
        name: 'publish',
        arguments: { site: 's', deck: fromBytes('x', { name: 'x' }), assets: [fromBytes('y', { name: 'y' })] },
      }),
    );
    expect(error).toMatchObject({
      name: 'TransferError',
      code: 'transfer_failed',
      outcome: 'not_run',
      tool: 'publish',
      failures: [{ pointer: '/assets/0', status: 403, serviceCode: 'SignatureDoesNotMatch' }],
    });
    expect(`${error.stack}${JSON.stringify(error)}`).not.toContain('SECRET');
    expect(server!.calls).toHaveLength(1);
  });

  it.each([
    ['plain -32602', { error: { code: -32602, message: 'used' } }, 'outcome_unknown', 'state_consumed'],
    [
      'invalid_request_state',
      { error: { code: -32602, message: 'used', data: { reason: 'invalid_request_state' } } },
      'outcome_unknown',
      'state_consumed',
    ],
    [
      'HTTP 502',
      { raw: (_: unknown, response: any) => response.writeHead(502).end('bad') },
      'outcome_unknown',
      'response_lost',
    ],
    ['a lost connection', { raw: (request: any) => request.socket.destroy() }, 'outcome_unknown', 'response_lost'],
  ] as const)('takes %s to the retry for an unknown outcome and repeats nothing', async (_, answer, code, reason) => {
    const { files } = await start(
      {
        onCall: (_call, index) =>
          index === 0
            ? inputRequired({ up: uploadEntry({ '/deck': { url: `${server!.origin}/d` } }) }, 's')
            : (answer as any),
      },
      { inlineLimit: 0 },
    );
    const error = await failure(
      files.callToolWithFiles({ name: 'publish', arguments: { site: 's', deck: fromBytes('x', { name: 'x' }) } }),
    );
    expect(error).toMatchObject({ name: 'OutcomeUnknownError', code, outcome: 'unknown', details: { reason } });
    expect(error.transfers).toMatchObject([{ pointer: '/deck', bytes: 1 }]);
    expect(server!.calls).toHaveLength(2);
  });

  it('rethrows another JSON-RPC error to the retry', async () => {
    const { files } = await start(
      {
        onCall: (_, index) =>
          index === 0
            ? inputRequired({ up: uploadEntry({ '/deck': { url: `${server!.origin}/d` } }) }, 's')
            : { error: { code: -32000, message: 'quota' } },
      },
      { inlineLimit: 0 },
    );
    const error = await failure(
      files.callToolWithFiles({ name: 'publish', arguments: { site: 's', deck: fromBytes('x', { name: 'x' }) } }),
    );
    expect(isFilesError(error)).toBe(false);
    expect(error.code).toBe(-32000);
  });

  it.each([
    ['a file without a target', () => ({})],
    ['an unknown pointer', (o: string) => ({ '/deck': { url: `${o}/d` }, '/nowhere': { url: `${o}/n` } })],
    ['both url and path', (o: string) => ({ '/deck': { url: `${o}/d`, path: 'd' } })],
    ['PUT with a form', (o: string) => ({ '/deck': { url: `${o}/d`, method: 'PUT', form: { fields: [] } } })],
  ])('refuses %s before a byte is sent', async (_, targets) => {
    const { files } = await start(
      { onCall: () => inputRequired({ up: uploadEntry(targets(server!.origin)) }, 's') },
      { inlineLimit: 0 },
    );
    const error = await failure(
      files.callToolWithFiles({ name: 'publish', arguments: { site: 's', deck: fromBytes('x', { name: 'x' }) } }),
    );
    expect(error).toMatchObject({ code: 'server_violation', outcome: 'not_run' });
    expect(server!.stored).toHaveLength(0);
  });

  it('refuses two upload entries in one round', async () => {
    const { files } = await start(
      {
        onCall: () =>
          inputRequired({
            a: uploadEntry({ '/deck': { url: `${server!.origin}/d` } }),
            b: uploadEntry({ '/deck': { url: `${server!.origin}/d` } }),
          }),
      },
      { inlineLimit: 0 },
    );
    const error = await failure(
      files.callToolWithFiles({ name: 'publish', arguments: { site: 's', deck: fromBytes('x', { name: 'x' }) } }),
    );
    expect(error).toMatchObject({ code: 'server_violation' });
  });

  it('answers an upload entry that stands for empty files only, and sends nothing', async () => {
    const notes: string[] = [];
    const { files } = await start(
      { onCall: uploadThenDone(origin => ({ '/deck': { url: `${origin}/d` } })) },
      { logger: event => void notes.push(event.type) },
    );
    await files.callToolWithFiles({ name: 'publish', arguments: { site: 's', deck: fromBytes('', { name: 'e' }) } });
    expect(server!.stored).toHaveLength(0);
    expect(server!.calls[1]!.params.inputResponses).toEqual({ up: {} });
    expect(notes).toContain('note');
  });

  it('checks accept and maxSize before anything is sent', async () => {
    const { files } = await start({});
    const tooLarge = await failure(
      files.callToolWithFiles({
        name: 'save_image',
        arguments: { image: fromBytes('x'.repeat(1001), { name: 'a.png' }) },
      }),
    );
    expect(tooLarge).toMatchObject({
      code: 'file_too_large',
      outcome: 'not_run',
      pointer: '/image',
      details: { size: 1001, maxSize: 1000 },
    });
    const wrongType = await failure(
      files.callToolWithFiles({ name: 'save_image', arguments: { image: fromBytes('x', { name: 'a.txt' }) } }),
    );
    expect(wrongType).toMatchObject({ code: 'file_type_not_accepted', pointer: '/image' });
    await files.callToolWithFiles({ name: 'save_image', arguments: { image: fromBytes('x', { name: 'a.PDF' }) } });
    // `.pdf` also takes what has its type under another name.
    const typed = fromBytes('x', { name: 'scan', type: 'application/pdf' });
    await files.callToolWithFiles({ name: 'save_image', arguments: { image: typed } });
    expect(server!.calls).toHaveLength(2);
  });

  it('refuses a file where the tool declares none, and an unknown tool', async () => {
    const { files } = await start({});
    const misplaced = await failure(
      files.callToolWithFiles({ name: 'publish', arguments: { site: fromBytes('x', { name: 'x' }) } }),
    );
    expect(misplaced).toMatchObject({ code: 'argument_invalid', pointer: '/site', outcome: 'not_run' });
    const unknown = await failure(
      files.callToolWithFiles({ name: 'nope', arguments: { site: fromBytes('x', { name: 'x' }) } }),
    );
    expect(unknown).toMatchObject({ code: 'argument_invalid', tool: 'nope' });
    expect(server!.calls).toHaveLength(0);
  });

  it('says so where the server does not advertise the extension', async () => {
    const { files } = await start({ capability: null });
    const error = await failure(
      files.callToolWithFiles({ name: 'publish', arguments: { site: 's', deck: fromBytes('x', { name: 'x' }) } }),
    );
    expect(error).toMatchObject({ code: 'extension_unsupported', outcome: 'not_run', pointer: '/deck' });
    expect(files.capabilities.extension).toBe(false);
  });

  it('passes a call without files through the SDK, downloads in _meta made files', async () => {
    const { files } = await start({
      onCall: () =>
        done('report', {
          _meta: {
            other: 1,
            'io.modelcontextprotocol/files': {
              downloads: [
                {
                  name: '../out/report.pdf',
                  mimeType: 'application/pdf',
                  size: 9,
                  url: 'https://x.example/r?sig=SECRET',
                },
              ],
            },
          },
        }),
    });
    const result = await files.callToolWithFiles({ name: 'publish', arguments: { site: 's' } });
    expect(result.files).toHaveLength(1);
    expect(result.files[0]).toMatchObject({ name: 'out/report.pdf', mimeType: 'application/pdf', size: 9 });
    expect(JSON.stringify(result)).not.toContain('SECRET');
    expect(result._meta).toMatchObject({ other: 1 });
    expect(result.transfers).toEqual([]);
  });

  it('asks approval in order and sends no byte after a no', async () => {
    const asked: unknown[] = [];
    const { files } = await start(
      {
        onCall: uploadThenDone(origin => ({
          '/assets/0': { url: `${origin}/b?s=1` },
          '/deck': { url: `${origin}/a` },
        })),
      },
      {
        inlineLimit: 0,
        approve: transfer => {
          asked.push([transfer.pointer, transfer.via, transfer.announced, transfer.path, transfer.size]);
          return transfer.pointer !== '/assets/0';
        },
      },
    );
    const error = await failure(
      files.callToolWithFiles({
        name: 'publish',
        arguments: { site: 's', deck: fromBytes('x', { name: 'x' }), assets: [fromBytes('y', { name: 'y' })] },
      }),
    );
    expect(asked).toEqual([
      ['/deck', 'target', true, '/a', 1],
      ['/assets/0', 'target', true, '/b', 1],
    ]);
    expect(error).toMatchObject({ code: 'approval_denied', pointer: '/assets/0', outcome: 'not_run' });
    expect(server!.stored).toHaveLength(0);
    expect(server!.calls).toHaveLength(1);
  });

  it('asks approval of inline files before the first request; a throw denies', async () => {
    const { files } = await start({}, { approve: () => Promise.reject(new Error('token=SECRET')) });
    const error = await failure(
      files.callToolWithFiles({ name: 'publish', arguments: { site: 's', deck: fromBytes('x', { name: 'x' }) } }),
    );
    expect(error).toMatchObject({ code: 'approval_denied', outcome: 'not_run' });
    expect(`${error.stack} ${error.cause?.stack}`).not.toContain('SECRET');
    expect(server!.calls).toHaveLength(0);
  });

  it('gives the credential to include targets only, once each', async () => {
    const asked: unknown[] = [];
    const { files } = await start(
      {
        onCall: uploadThenDone(origin => ({
          '/deck': { path: 'up/1', credentials: 'include' },
          '/assets/0': { url: `${origin}/omit` },
        })),
      },
      {
        inlineLimit: 0,
        credentials: ({ url, method, via, direction, pointer }) => {
          asked.push([url.replace(/^http:..[^/]*/, ''), method, via, direction, pointer]);
          return { authorization: 'Bearer T' };
        },
      },
    );
    await files.callToolWithFiles({
      name: 'publish',
      arguments: { site: 's', deck: fromBytes('x', { name: 'x' }), assets: [fromBytes('y', { name: 'y' })] },
    });
    expect(asked).toEqual([['/mcp/up/1', 'PUT', 'path', 'upload', '/deck']]);
    const byUrl = Object.fromEntries(server!.stored.map(({ url, headers }) => [url, headers.authorization]));
    expect(byUrl).toEqual({ '/mcp/up/1': 'Bearer T', '/omit': undefined });
  });

  it('refuses an include target of another origin, and one the host gives no credential for', async () => {
    for (const [target, credentials] of [
      [{ url: 'https://elsewhere.example/up', credentials: 'include' }, () => ({ authorization: 'T' })],
      [{ path: 'up', credentials: 'include' }, () => undefined],
      [{ path: 'up', credentials: 'include' }, undefined],
    ] as const) {
      const { files } = await start(
        { onCall: () => inputRequired({ up: uploadEntry({ '/deck': target }) }, 's') },
        { inlineLimit: 0, ...(credentials === undefined ? {} : { credentials }) },
      );
      const error = await failure(
        files.callToolWithFiles({ name: 'publish', arguments: { site: 's', deck: fromBytes('x', { name: 'x' }) } }),
      );
      expect(error).toMatchObject({
        code: 'target_refused',
        details: { reason: 'credentials_scope' },
        outcome: 'not_run',
      });
      expect(server!.stored).toHaveLength(0);
      await host![Symbol.asyncDispose]();
      await server![Symbol.asyncDispose]();
    }
  });

  it('reports progress that grows to the total only when every transfer is confirmed', async () => {
    const events: ProgressEvent[] = [];
    let eventsAtAnswer = -1;
    const { files } = await start({
      onCall: uploadThenDone(origin => ({ '/deck': { url: `${origin}/d` }, '/assets/0': { url: `${origin}/a` } })),
      onStore: async ({ url }, response) => {
        if (url === '/d') {
          await new Promise(resolve => setTimeout(resolve, 50));
          eventsAtAnswer = events.length;
        }
        response.writeHead(201).end();
      },
    });
    await files.callToolWithFiles(
      {
        name: 'publish',
        arguments: { site: 's', deck: fromBytes(big, { name: 'd' }), assets: [fromBytes('y', { name: 'y' })] },
      },
      { onProgress: event => void events.push(event) },
    );
    const total = big.length + 1;
    let last = 0;
    for (const event of events) {
      expect(event.totalBytes).toBe(total);
      expect(event.sentBytes).toBeGreaterThanOrEqual(last);
      expect(event.sentBytes).toBeLessThanOrEqual(total);
      last = event.sentBytes;
    }
    expect(last).toBe(total);
    expect(events.slice(0, eventsAtAnswer).every(({ sentBytes }) => sentBytes < total)).toBe(true);
    expect(events.at(-1)!.files).toEqual({ done: 2, total: 2 });
    expect(new Set(events.map(({ phase }) => phase))).toEqual(new Set(['calling', 'uploading']));
  });

  it('checks structured content by the host hook after the tool completed', async () => {
    const { files } = await start(
      { onCall: () => done('x', { structuredContent: { wrong: true } }) },
      {
        validateOutput: () => {
          throw new Error('SECRET');
        },
      },
    );
    const error = await failure(
      files.callToolWithFiles({ name: 'publish', arguments: { site: 's', deck: fromBytes('x', { name: 'x' }) } }),
    );
    expect(error).toMatchObject({ code: 'output_invalid', outcome: 'completed' });
    expect(error.transfers).toHaveLength(1);
  });

  it.each([
    ['no content', {}],
    ['content that is no list', { content: 'x' }],
  ])('gives a list of content where the server sends %s', async (_, result) => {
    const { files } = await start({ onCall: () => ({ result: { resultType: 'complete', ...result } }) });
    const call = { name: 'publish', arguments: { site: 's', deck: fromBytes('x', { name: 'x' }) } };
    const outcome = await files.callToolWithFiles(call).catch((error: unknown) => error);
    // SDK v2 refuses the one by itself in the modern era; what comes through can be read.
    if (isFilesError(outcome)) expect(outcome).toMatchObject({ details: { reason: 'result_refused_by_sdk' } });
    else expect(outcome).toMatchObject({ content: [] });
  });

  it('names the file that could not be read for an inline request', async () => {
    const { files } = await start({});
    const short = fromStream(() => new Blob(['x']).stream(), { name: 's', size: 2 });
    const assets = [fromBytes('y', { name: 'y' }), short];
    expect(await failure(files.callToolWithFiles({ name: 'publish', arguments: { site: 's', assets } }))).toMatchObject(
      {
        code: 'file_changed',
        pointer: '/assets/1',
        outcome: 'not_run',
      },
    );
  });

  it('ends a tool list that has no end, and leaves no listener for each page', async () => {
    let page = 0;
    const { files } = await start({ onListTools: () => ({ tools: [], nextCursor: `page-${page++}` }) });
    const warnings: string[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning.name);
    process.on('warning', onWarning);
    const { signal } = new AbortController();
    expect(await failure(files.listTools({ signal }))).toMatchObject({ code: 'server_violation' });
    process.off('warning', onWarning);
    expect(page).toBe(1000);
    expect(warnings).toEqual([]);
  });

  it('says so where the host answers a question with what cannot be sent', async () => {
    const question = {
      method: 'elicitation/create',
      params: { message: '?', requestedSchema: { type: 'object', properties: {} } },
    };
    const { files } = await start(
      { onCall: () => inputRequired({ ask: question }, 's') },
      { onInputRequest: () => ({ action: 'accept', content: { n: 1n } }) },
    );
    const call = { name: 'publish', arguments: { site: 's', deck: fromBytes('x', { name: 'x' }) } };
    expect(await failure(files.callToolWithFiles(call))).toMatchObject({ code: 'input_unsupported' });
    expect(server!.calls).toHaveLength(1);
  });

  it('returns a result with isError as a result', async () => {
    const { files } = await start({ onCall: () => done('no', { isError: true }) });
    const result = await files.callToolWithFiles({
      name: 'publish',
      arguments: { site: 's', deck: fromBytes('x', { name: 'x' }) },
    });
    expect(result.isError).toBe(true);
  });

  it.each([
    ['a first leg that carries the file inline', Number.POSITIVE_INFINITY, 0, 'unknown'],
    ['a first leg with a file pending', 0, 0, 'not_run'],
    ['the retry', 0, 1, 'unknown'],
  ])('aborts %s', async (_, inlineLimit, abortAt, outcome) => {
    const controller = new AbortController();
    const { files } = await start(
      {
        onCall: async (_call, index) => {
          if (index === abortAt) {
            controller.abort(new Error('user left'));
            return { raw: () => {} };
          }
          return inputRequired({ up: uploadEntry({ '/deck': { url: `${server!.origin}/d` } }) }, 's');
        },
      },
      { inlineLimit },
    );
    const error = await failure(
      files.callToolWithFiles(
        { name: 'publish', arguments: { site: 's', deck: fromBytes('x', { name: 'x' }) } },
        { signal: controller.signal },
      ),
    );
    expect(error).toMatchObject({ code: 'aborted', outcome, tool: 'publish' });
    expect(error.cause).toBe(controller.signal.reason);
    expect(server!.calls).toHaveLength(abortAt + 1);
  });

  it('close() ends what is in flight, waits for it, and refuses new calls', async () => {
    let reached: () => void = () => {};
    const storing = new Promise<void>(resolve => {
      reached = resolve;
    });
    const { files } = await start(
      {
        onCall: () => inputRequired({ up: uploadEntry({ '/deck': { url: `${server!.origin}/d` } }) }, 's'),
        onStoreStart: () => {
          reached();
          return true;
        },
      },
      { inlineLimit: 0 },
    );
    const call = failure(
      files.callToolWithFiles({ name: 'publish', arguments: { site: 's', deck: fromBytes(big, { name: 'x' }) } }),
    );
    await storing;
    await files.close();
    expect(await call).toMatchObject({ code: 'aborted', outcome: 'not_run' });
    await files.close();
    expect(await failure(files.callToolWithFiles({ name: 'publish', arguments: { site: 's' } }))).toMatchObject({
      code: 'aborted',
    });
    expect(server!.calls).toHaveLength(1);
  });

  it('throws not_connected before connect', async () => {
    const { files, mcp } = await start({});
    await mcp.close();
    expect(() => files.capabilities).toThrow(expect.objectContaining({ code: 'not_connected' }));
    expect(
      await failure(files.callToolWithFiles({ name: 'publish', arguments: { deck: fromBytes('x', { name: 'x' }) } })),
    ).toMatchObject({ code: 'not_connected', outcome: 'not_run' });
  });
});
