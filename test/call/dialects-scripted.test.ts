import { createHash, randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { type FilesClientOptions, fromBytes, type LogEvent } from '../../src/index.js';
import { type Connected, connect, FLAVOURS } from '../support/clients.js';
import {
  done,
  inputRequired,
  type Script,
  type ScriptedAnswer,
  type ScriptedServer,
  startScriptedServer,
  uploadEntry,
} from '../support/scripted-server.js';

type Json = Record<string, any>;

const MIB = 1024 * 1024;
const URI = { type: 'string', format: 'uri' };
const toolWith = (properties: Json, more: Json = {}): Json => ({
  name: 'save',
  inputSchema: { type: 'object', properties },
  ...more,
});
const fileOf = (size: number, name = 'a.txt') => fromBytes(randomBytes(size), { name });
const base64url = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64url');

describe.each(FLAVOURS)('dialects, answered by a script, on %s', flavour => {
  let server: ScriptedServer | undefined;
  let host: Connected | undefined;
  const events: LogEvent[] = [];

  const start = async (script: Partial<Script>, options: FilesClientOptions = {}) => {
    events.length = 0;
    server = await startScriptedServer({ tools: [], onCall: () => done(), capability: null, ...script });
    host = await connect(flavour, server.url, { logger: event => void events.push(event), ...options });
    return host.files;
  };
  const save = (args: Json) => host!.files.callToolWithFiles({ name: 'save', arguments: args });
  const failure = async (task: Promise<unknown>): Promise<any> => {
    try {
      await task;
    } catch (error) {
      return error;
    }
    return expect.unreachable('it should have failed');
  };
  const asked = (method: string) => server!.requests.filter(request => request.method === method);
  /** A server of SEP-2631 whose storage is the script's own. */
  const authorizing =
    (more: (params: Json, index: number) => ScriptedAnswer | Json | undefined = () => undefined) =>
    (method: string, params: Json): ScriptedAnswer | undefined => {
      if (method !== 'files/authorizeUpload') return undefined;
      const given = more(params, asked(method).length - 1);
      if (given !== undefined && ('error' in given || 'result' in given)) return given as ScriptedAnswer;
      const upload = {
        transport: 'https',
        method: 'PUT',
        url: `${server!.origin}/store/${params.name}?sig=s`,
        ...given,
      };
      return { result: { resultType: 'complete', file: { uri: `mcp-file://x/${params.name}` }, upload } };
    };
  const refused = (data: unknown, code = -32602): ScriptedAnswer => ({ error: { code, message: 'no', data } });

  afterEach(async () => {
    await host?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    server = host = undefined;
  });

  const UPLOAD_ONLY = toolWith({
    f: { ...URI, 'x-mcp-file': { transferModes: ['upload'] } },
    g: { ...URI, 'x-mcp-file': { transferModes: ['upload'] } },
  });
  const BOTH = toolWith({ f: { ...URI, 'x-mcp-file': { transferModes: ['inline', 'upload'] } } });
  const PLAIN = toolWith({ f: { ...URI, 'x-mcp-file': {} } });

  it('declares what servers of SEP-2631 and SEP-2356 look for, beside the extension and what the host declared', async () => {
    await start({ tools: [PLAIN] });
    await save({ f: fileOf(3) });
    const sent =
      flavour === 'v2 modern'
        ? server!.calls[0]!.meta['io.modelcontextprotocol/clientCapabilities']
        : asked('initialize')[0]!.params.capabilities;
    expect(sent).toEqual({
      elicitation: {},
      extensions: { 'io.modelcontextprotocol/files': { upload: {}, download: {} } },
      files: { upload: true, download: true, transports: ['https'] },
      fileInputs: {},
    });
  });

  it('declares it on the requests before a call too, where each request says what the client can do', async () => {
    await start({ tools: [UPLOAD_ONLY], onRequest: authorizing() });
    await save({ f: fileOf(3) });
    if (flavour !== 'v2 modern') return;
    for (const method of ['tools/list', 'files/authorizeUpload']) {
      const declared = asked(method)[0]!.params._meta['io.modelcontextprotocol/clientCapabilities'];
      expect(declared).toMatchObject({ files: { upload: true }, fileInputs: {} });
    }
  });

  it('announces name, type, size and a digest of what is in memory anyway', async () => {
    const bytes = Buffer.from('hello');
    await start({ tools: [UPLOAD_ONLY], onRequest: authorizing() });
    const result = await save({ f: fromBytes(bytes, { name: 'a.txt' }), g: fileOf(2 * MIB, 'b.bin') });
    const announced = asked('files/authorizeUpload').map(({ params: { _meta, ...params } }) => params);
    const [one, two] = announced.sort((a, b) => (a.name < b.name ? -1 : 1));
    expect(one).toEqual({
      name: 'a.txt',
      mimeType: 'text/plain',
      size: 5,
      digest: { algorithm: 'sha-256', value: base64url(bytes) },
    });
    expect(two).toEqual({ name: 'b.bin', mimeType: 'application/octet-stream', size: 2 * MIB });
    expect(server!.calls[0]!.params.arguments).toEqual({ f: 'mcp-file://x/a.txt', g: 'mcp-file://x/b.bin' });
    expect(result.transfers.map(({ mode, dialect }) => [mode, dialect])).toEqual([
      ['authorized', 'file-object'],
      ['authorized', 'file-object'],
    ]);
    expect(server!.stored.map(({ url }) => url).sort()).toEqual(['/store/a.txt?sig=s', '/store/b.bin?sig=s']);
  });

  it('reads a large file for its digest where the host wants that, or the server asks', async () => {
    const bytes = randomBytes(2 * MIB);
    const call = { f: fromBytes(bytes, { name: 'l' }) };
    await start({ tools: [UPLOAD_ONLY], onRequest: authorizing() }, { digest: 'always' });
    await save(call);
    expect(asked('files/authorizeUpload')).toMatchObject([{ params: { digest: { value: base64url(bytes) } } }]);
    await host![Symbol.asyncDispose]();
    await server![Symbol.asyncDispose]();
    await start({
      tools: [UPLOAD_ONLY],
      onRequest: authorizing(params => (params.digest ? undefined : refused({ reason: 'digestRequired' }))),
    });
    await save(call);
    const [first, second] = asked('files/authorizeUpload');
    expect(first!.params).not.toHaveProperty('digest');
    expect(second!.params.digest.value).toBe(base64url(bytes));
  });

  it('never sends a form under the type without a boundary that its descriptor names', async () => {
    await start({
      tools: [UPLOAD_ONLY],
      onRequest: authorizing(() => ({
        method: 'POST',
        headers: { 'Content-Type': 'multipart/form-data', 'x-token': 't' },
        multipart: { fileField: 'document', fields: { key: 'k', token: 'one' } },
      })),
    });
    await save({ f: fromBytes('hello', { name: 'a.txt' }) });
    const [form] = server!.stored;
    expect(form!.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(form!.headers['x-token']).toBe('t');
    const body = form!.body.toString();
    expect(body.indexOf('name="key"')).toBeLessThan(body.indexOf('name="token"'));
    expect(body).toContain('name="document"; filename="a.txt"');
  });

  it.each<[string, unknown, Json]>([
    [
      'maxSizeExceeded',
      { reason: 'maxSizeExceeded', maxSize: 2, actualSize: 3 },
      { code: 'file_too_large', details: { size: 3, maxSize: 2 } },
    ],
    [
      'mimeTypeNotAccepted',
      { reason: 'mimeTypeNotAccepted', accept: ['image/*'] },
      { code: 'file_type_not_accepted', details: { type: 'text/plain', accept: ['image/*'] } },
    ],
    [
      'a quota',
      { error: 'quota_exhausted' },
      {
        code: 'transfer_failed',
        failures: [{ pointer: '/f', reason: 'upload_refused', serviceCode: 'quota_exhausted' }],
      },
    ],
    [
      'an invalid digest',
      { reason: 'invalidDigest' },
      { code: 'transfer_failed', failures: [{ serviceCode: 'invalidDigest' }] },
    ],
  ])('a refusal for %s is a named error', async (_, data, expected) => {
    await start({ tools: [UPLOAD_ONLY], onRequest: authorizing(() => refused(data)) });
    const error = await failure(save({ f: fileOf(3) }));
    expect(error).toMatchObject({ outcome: 'not_run', pointer: '/f', tool: 'save', ...expected });
    expect(server!.calls).toEqual([]);
    expect(server!.stored).toEqual([]);
  });

  it('a refusal without a reason is the server’s own error', async () => {
    await start({ tools: [UPLOAD_ONLY], onRequest: authorizing(() => refused(undefined, -32603)) });
    const error = await failure(save({ f: fileOf(3) }));
    expect(error).toMatchObject({ code: -32603 });
    expect(events.at(-1)).toMatchObject({ type: 'call_failed', outcome: 'not_run' });
  });

  it('-32601: inline where the tool takes that, now within the limit of what knows no other way', async () => {
    await start({ tools: [BOTH] });
    const result = await save({ f: fileOf(200 * 1024) });
    expect(asked('files/authorizeUpload')).toHaveLength(1);
    expect(result.transfers).toMatchObject([{ mode: 'data-uri', dialect: 'data-uri' }]);
    expect(events.filter(({ type }) => type === 'note').map(({ message }) => message)).toContainEqual(
      expect.stringContaining('file-object'),
    );
    expect(await failure(save({ f: fileOf(2 * MIB) }))).toMatchObject({
      code: 'file_too_large',
      details: { limit: 'inline' },
    });
  });

  it('-32601: a tool that takes uploads only gets nothing, and the error says what was looked for', async () => {
    await start({ tools: [UPLOAD_ONLY] });
    expect(await failure(save({ f: fileOf(3) }))).toMatchObject({
      code: 'extension_unsupported',
      outcome: 'not_run',
      pointer: '/f',
      details: { dialect: 'file-object', lookedFor: ['files/authorizeUpload'], advertised: false },
    });
    expect(server!.calls).toEqual([]);
  });

  it('a string that lists no modes: SEP-2631 is tried for what does not fit inline', async () => {
    await start({ tools: [PLAIN], onRequest: authorizing() });
    expect((await save({ f: fileOf(MIB) })).transfers).toMatchObject([{ mode: 'data-uri' }]);
    expect(asked('files/authorizeUpload')).toEqual([]);
    const result = await save({ f: fileOf(MIB + 1) });
    expect(result.transfers).toMatchObject([{ mode: 'authorized', dialect: 'file-object' }]);
  });

  it('a target that the policy refuses, an expired one, and storage that fails: no byte and no call', async () => {
    const cases: [Json, Json][] = [
      [{ url: 'http://198.51.100.1/x' }, { code: 'target_refused', details: { reason: 'insecure_scheme' } }],
      [{ expiresAt: '2020-01-01T00:00:00Z' }, { code: 'target_refused', details: { reason: 'expired' } }],
      [{ transport: 's3' }, { code: 'server_violation' }],
    ];
    let given: Json = {};
    await start({
      tools: [UPLOAD_ONLY],
      onRequest: authorizing(() => given),
      onStore: (_, response) => void response.writeHead(403).end(),
    });
    for (const [members, expected] of cases) {
      given = members;
      expect(await failure(save({ f: fileOf(3) }))).toMatchObject({ outcome: 'not_run', pointer: '/f', ...expected });
      expect(server!.stored).toEqual([]);
    }
    given = {};
    expect(await failure(save({ f: fileOf(3) }))).toMatchObject({
      code: 'transfer_failed',
      failures: [{ status: 403, pointer: '/f' }],
    });
    expect(server!.calls).toEqual([]);
  });

  it('an abort while a file is on its way ends everything, and nothing is called', async () => {
    const controller = new AbortController();
    await start({
      tools: [UPLOAD_ONLY],
      onRequest: authorizing(),
      onStoreStart: () => {
        controller.abort(new Error('enough'));
        return true;
      },
    });
    const call = { name: 'save', arguments: { f: fileOf(2 * MIB), g: fileOf(2 * MIB, 'g') } };
    expect(await failure(host!.files.callToolWithFiles(call, { signal: controller.signal }))).toMatchObject({
      code: 'aborted',
      outcome: 'not_run',
      cause: { message: 'enough' },
    });
    expect(server!.calls).toEqual([]);
    expect(server!.stored).toEqual([]);
  });

  it('what was sent before the call is not sent again when the call itself goes another way', async () => {
    const tool = toolWith({
      up: { ...URI, 'x-mcp-file': { transferModes: ['upload'] } },
      either: { type: 'object', 'x-mcp-file': {} },
    });
    const asking: string[] = [];
    await start(
      {
        tools: [tool],
        capability: { maxInlineBytes: 100 },
        onRequest: authorizing(),
        onCall: (_, index) => {
          if (index === 0) return { error: { code: -32602, message: 'no', data: { reason: 'inline_too_large' } } };
          if (index > 1) return done();
          return inputRequired({ up: uploadEntry({ '/either': { url: `${server!.origin}/either` } }) }, 's');
        },
      },
      {
        approve: ({ pointer, via }) => {
          asking.push(`${pointer} ${via}`);
          return true;
        },
      },
    );
    const result = await save({ up: fileOf(9, 'up'), either: fileOf(9) });
    expect(asked('files/authorizeUpload')).toHaveLength(1);
    expect(server!.stored.map(({ url }) => url)).toEqual(['/store/up?sig=s', '/either']);
    expect(asking).toEqual(['/up target', '/either inline', '/either target']);
    expect(server!.calls.map(({ params }) => params.arguments.up)).toEqual(Array(3).fill('mcp-file://x/up'));
    expect(result.transfers.map(({ pointer, mode }) => [pointer, mode])).toEqual([
      ['/up', 'authorized'],
      ['/either', 'put'],
    ]);
  });

  it('a server that speaks the extension and an earlier dialect: each argument gets its own', async () => {
    const both = toolWith({
      o: { type: 'object', 'x-mcp-file': {} },
      s: { ...URI, 'x-mcp-file': {} },
      e: {
        anyOf: [
          { ...URI, 'x-mcp-file': {} },
          { type: 'object', 'x-mcp-file': {} },
        ],
      },
    });
    await start({
      tools: [both],
      capability: { maxInlineBytes: 4 },
      onCall: (_, index) =>
        index === 0
          ? inputRequired(
              { up: uploadEntry({ '/o': { url: `${server!.origin}/o` }, '/e': { url: `${server!.origin}/e` } }) },
              's',
            )
          : done(),
    });
    const result = await save({
      o: fromBytes('object', { name: 'o' }),
      s: fromBytes('text', { name: 's.txt' }),
      e: fromBytes('either', { name: 'e' }),
    });
    const first = server!.calls[0]!.params.arguments;
    expect(first.s).toBe(`data:text/plain;base64,${Buffer.from('text').toString('base64')}`);
    expect(first.o).toEqual({ name: 'o', mimeType: 'application/octet-stream', size: 6 });
    expect(server!.calls[1]!.params.arguments).toEqual(first);
    expect(result.transfers.map(({ pointer, mode, dialect }) => [pointer, mode, dialect])).toEqual([
      ['/o', 'put', 'extension'],
      ['/s', 'data-uri', 'data-uri'],
      ['/e', 'put', 'extension'],
    ]);
    const planned = events.find(({ type }) => type === 'planned') as Json;
    expect(planned.ways).toMatchObject([
      { pointer: '/o', dialect: 'extension', route: 'round' },
      { pointer: '/s', dialect: 'data-uri', route: 'inline' },
      { pointer: '/e', dialect: 'extension', route: 'round' },
    ]);
    for (const { reason } of planned.ways) expect(reason).not.toBe('');
  });

  it('an argument that takes either is a text where the extension is not advertised', async () => {
    const either = toolWith({
      e: {
        anyOf: [
          { ...URI, 'x-mcp-file': {} },
          { type: 'object', 'x-mcp-file': {} },
        ],
      },
    });
    await start({ tools: [either] });
    await save({ e: fromBytes('x', { name: 'e.txt' }) });
    expect(server!.calls[0]!.params.arguments).toEqual({ e: 'data:text/plain;base64,eA==' });
  });

  it('a server that advertises nothing for an object argument', async () => {
    await start({ tools: [toolWith({ o: { type: 'object', 'x-mcp-file': {} } })] });
    expect(await failure(save({ o: fileOf(3) }))).toMatchObject({
      code: 'extension_unsupported',
      details: { dialect: 'extension', lookedFor: ['extension'], advertised: false },
      message: expect.stringContaining('io.modelcontextprotocol/files'),
    });
  });

  it('an upload entry is never an answer to a call whose files are all of an earlier dialect', async () => {
    await start({
      tools: [PLAIN],
      capability: {},
      onCall: () => inputRequired({ up: uploadEntry({ '/f': { url: `${server!.origin}/x` } }) }, 's'),
    });
    expect(await failure(save({ f: fileOf(3) }))).toMatchObject({ code: 'input_unsupported' });
    expect(server!.stored).toEqual([]);
  });

  it('inputFiles of the tool, and the map in its _meta', async () => {
    const first = toolWith({ f: { type: 'string' } }, { inputFiles: { f: { accept: ['text/*'], maxSize: 9 } } });
    const second = { ...toolWith({ f: URI }, { _meta: { 'x-mcp-file': { f: { maxSize: 9 } } } }), name: 'other' };
    const files = await start({ tools: [first, second] });
    expect((await files.listTools()).map(({ fileArguments }) => fileArguments)).toMatchObject([
      [{ pointer: '/f', dialect: 'data-uri', accept: ['text/*'], maxSize: 9 }],
      [{ pointer: '/f', dialect: 'data-uri', maxSize: 9 }],
    ]);
    await save({ f: fromBytes('x', { name: 'a.txt' }) });
    expect(server!.calls[0]!.params.arguments).toEqual({ f: 'data:text/plain;base64,eA==' });
    expect(await failure(save({ f: fromBytes('x', { name: 'a.png' }) }))).toMatchObject({
      code: 'file_type_not_accepted',
    });
  });

  it('openai/fileParams: the optional members only where the schema takes them, and no publisher is an error', async () => {
    const LINK = {
      type: 'object',
      properties: { download_url: URI, file_id: { type: 'string' } },
      additionalProperties: false,
    };
    const tool = toolWith({ f: LINK, g: { type: 'object' } }, { _meta: { 'openai/fileParams': ['f', 'g'] } });
    await start({ tools: [tool] }, { publish: () => ({ url: 'https://files.example/x?sig=secret', id: 'id-1' }) });
    await save({ f: fileOf(3), g: fileOf(3, 'g.png') });
    const link = { download_url: 'https://files.example/x?sig=secret', file_id: 'id-1' };
    expect(server!.calls[0]!.params.arguments).toEqual({
      f: link,
      g: { ...link, mime_type: 'image/png', file_name: 'g.png' },
    });
    expect(JSON.stringify(events)).not.toContain('secret');
    await host![Symbol.asyncDispose]();
    host = await connect(flavour, server!.url);
    expect(await failure(save({ f: fileOf(3) }))).toMatchObject({
      code: 'extension_unsupported',
      details: { dialect: 'openai-file-params', lookedFor: ['publish'] },
    });
  });

  it.each<[string, FilesClientOptions['publish']]>([
    [
      'throws',
      () => {
        throw new Error('secret');
      },
    ],
    ['returns nothing', () => undefined as never],
    ['returns no URL', () => ({ url: 'file:///etc/passwd', id: 'x' })],
    ['returns no id', () => ({ url: 'https://a.example/' }) as never],
  ])('a publisher that %s ends the call before it is sent', async (_, publish) => {
    const tool = toolWith({ f: { type: 'object' } }, { _meta: { 'openai/fileParams': ['f'] } });
    await start({ tools: [tool] }, { publish: publish! });
    const error = await failure(save({ f: fileOf(3) }));
    expect(error).toMatchObject({
      code: 'transfer_failed',
      outcome: 'not_run',
      failures: [{ pointer: '/f', reason: 'publish_failed' }],
    });
    expect(`${error.message}${error.stack}${JSON.stringify(error)}`).not.toContain('secret');
    expect(server!.calls).toEqual([]);
  });

  it('a publisher that hangs ends with the caller’s signal', async () => {
    const tool = toolWith({ f: { type: 'object' } }, { _meta: { 'openai/fileParams': ['f'] } });
    const controller = new AbortController();
    await start(
      { tools: [tool] },
      {
        publish: () => {
          controller.abort(new Error('enough'));
          return new Promise(() => {});
        },
      },
    );
    const call = host!.files.callToolWithFiles(
      { name: 'save', arguments: { f: fileOf(3) } },
      { signal: controller.signal },
    );
    expect(await failure(call)).toMatchObject({ code: 'aborted', outcome: 'not_run' });
  });

  it('an executor tool: the host says where the inner tool takes a file, at any depth', async () => {
    const execute = toolWith({ tool: { type: 'string' }, input: { type: 'object' } });
    await start(
      { tools: [execute], capability: {} },
      {
        describeArguments: (_, args) =>
          args.tool === 'upload'
            ? [{ pointer: '/input/files/*/content', nameAt: '/input/files/*/name' }]
            : [{ pointer: '/input/image', as: 'data-uri', accept: ['image/*'] }],
      },
    );
    const one = fromBytes('x', { name: 'a.txt' });
    await save({ tool: 'upload', input: { files: [{ content: one }, { content: one, name: 'mine' }] } });
    const value = { name: 'a.txt', mimeType: 'text/plain', size: 1, data: 'eA==' };
    expect(server!.calls[0]!.params.arguments.input).toEqual({
      files: [
        { content: value, name: 'a.txt' },
        { content: value, name: 'mine' },
      ],
    });
    const image = fromBytes('x', { name: 'a.png' });
    const result = await save({ tool: 'draw', input: { image } });
    expect(server!.calls[1]!.params.arguments.input).toEqual({ image: 'data:image/png;base64,eA==' });
    expect(result.transfers[0]!.reason).toContain('the host described the argument');
    expect(await failure(save({ tool: 'draw', input: { image: one } }))).toMatchObject({
      code: 'file_type_not_accepted',
    });
    expect(await failure(save({ tool: 'draw', input: { other: image } }))).toMatchObject({ code: 'argument_invalid' });
  });

  it.each<[string, FilesClientOptions['describeArguments']]>([
    [
      'throws',
      () => {
        throw new Error('secret');
      },
    ],
    ['no list', () => ({}) as never],
    ['no pointer', () => [{ pointer: 'f' }]],
    ['another way', () => [{ pointer: '/f', as: 'hex' as never }]],
    ['a name in no object', () => [{ pointer: '/f', as: 'base64', nameAt: '/no/name' }]],
  ])('a describeArguments of %s is argument_invalid', async (_, describeArguments) => {
    await start({ tools: [toolWith({ f: {} })] }, { describeArguments: describeArguments! });
    const error = await failure(save({ f: fileOf(3) }));
    expect(error).toMatchObject({ code: 'argument_invalid', outcome: 'not_run' });
    expect(error.message).not.toContain('secret');
    expect(server!.calls).toEqual([]);
  });
});
