import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { type FilesClientOptions, isFilesError, type LogEvent } from '../../src/index.js';
import { placesOf } from '../../src/protocol/index.js';
import { connect, FLAVOURS, type Flavour } from '../support/clients.js';
import { cleanUps, digestOf } from '../support/returned.js';
import {
  done,
  inputRequired,
  type Script,
  type ScriptedServer,
  startScriptedServer,
  uploadEntry,
} from '../support/scripted-server.js';
import { publish } from '../support/tools.js';

type Json = Record<string, any>;
const EXTENSION = 'io.modelcontextprotocol/files';
const cleanUp = cleanUps();
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
const base64 = (bytes: string | Uint8Array): string => Buffer.from(bytes).toString('base64');

let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'returned-files-'));
  return () => rm(scratch, { recursive: true });
});
const folder = (): Promise<string> => mkdtemp(join(scratch, 'dir-'));

async function failure(promise: Promise<unknown>) {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isFilesError(error)) throw error ?? new Error('it did not fail');
  return error;
}

interface Setting {
  readonly flavour?: Flavour;
  /** The tool's result, given the origin of the storage. */
  readonly result: (origin: string) => Json;
  readonly onRequest?: NonNullable<Script['onRequest']>;
  readonly script?: Partial<Script>;
  readonly options?: FilesClientOptions;
}

/** A host to which a tool has returned files in some spelling. */
async function start({ flavour = 'v2 legacy', result, onRequest, script, options }: Setting) {
  const asked: { method: string; params: Json }[] = [];
  const server: ScriptedServer = await startScriptedServer({
    tools: [publish],
    onCall: ({ params }) => {
      const { deck } = params.arguments;
      if (deck === undefined) return done('made', result(server.origin));
      const waits = deck.data === undefined && params.requestState === undefined;
      return waits ? inputRequired({ up: uploadEntry({ '/deck': { path: 'put' } }) }, 's') : done('published');
    },
    onRequest: (method, params) => {
      asked.push({ method, params });
      return onRequest?.(method, params);
    },
    onStore: ({ method }, response) => void response.end(method === 'GET' ? 'content' : ''),
    ...script,
  });
  cleanUp.push(() => server[Symbol.asyncDispose]());
  const events: LogEvent[] = [];
  const host = await connect(flavour, server.url, { logger: event => void events.push(event), ...options });
  cleanUp.push(() => host[Symbol.asyncDispose]());
  asked.splice(0);
  const called = await host.files.callToolWithFiles({ name: 'publish', arguments: { site: 's' } });
  return { server, client: host.files, called, files: called.files, asked, events };
}

const PICTURE = randomBytes(3000);
const authorizing =
  (spelling: 'new' | 'old', more: (uri: string) => Json = () => ({})): NonNullable<Script['onRequest']> =>
  (method, { uri }) => {
    if (method !== (spelling === 'new' ? 'files/authorizeDownload' : 'files/getDownload')) return undefined;
    const descriptor = {
      transport: 'https',
      method: 'GET',
      url: `${origin}/get?sig=secret`,
      headers: { 'x-key': 'k' },
    };
    return { result: { file: { uri }, [spelling === 'new' ? 'download' : 'transfer']: descriptor, ...more(uri) } };
  };
/** Of the server that is running, for the scripts above. */
let origin = '';
const remember =
  (result: Json) =>
  (own: string): Json => {
    origin = own;
    return result;
  };

describe.each(FLAVOURS)('every spelling is one RemoteFile, on %s', flavour => {
  it('bytes that came along: image, audio, embedded text and blob', async () => {
    const { client, files, server } = await start({
      flavour,
      result: () => ({
        content: [
          { type: 'text', text: 'see' },
          { type: 'image', data: base64(PICTURE), mimeType: 'image/png' },
          { type: 'audio', data: base64('sound'), mimeType: 'audio/mpeg' },
          { type: 'resource', resource: { uri: 'demo://notes/read me.md', mimeType: 'text/markdown', text: 'naïve' } },
          { type: 'resource', resource: { uri: 'demo://resource/4', blob: base64('blob') } },
        ],
      }),
    });
    expect(JSON.parse(JSON.stringify(files))).toEqual([
      { name: 'image.png', mimeType: 'image/png', size: 3000 },
      { name: 'audio.mp3', mimeType: 'audio/mpeg', size: 5 },
      { name: 'read me.md', mimeType: 'text/markdown', size: 6 },
      { name: 'file', size: 4 },
    ]);
    const dir = await folder();
    const saved = await Promise.all(files.map(file => client.download(file, { dir })));
    expect((await readFile(saved[0]!.path!)).equals(PICTURE)).toBe(true);
    const read = await Promise.all(files.slice(1).map(async file => text(await (await client.download(file)).bytes())));
    expect(read).toEqual(['sound', 'naïve', 'blob']);
    const streamed = (await client.download(files[0]!)).stream();
    expect(Buffer.from(await new Response(streamed).arrayBuffer()).equals(PICTURE)).toBe(true);
    expect(server.stored).toEqual([]);
  });

  it('a link is read from the server, whatever the look of its URI', async () => {
    const { client, files, asked, server } = await start({
      flavour,
      result: () => ({ content: [{ type: 'resource_link', uri: '1password://a b?x=%20', name: 'a.txt', size: 7 }] }),
      onRequest: (method, { uri }) =>
        method === 'resources/read' ? { result: { contents: [{ uri, text: 'content' }] } } : undefined,
    });
    expect(asked).toEqual([]);
    expect(text(await (await client.download(files[0]!)).bytes())).toBe('content');
    expect(asked.map(({ method, params }) => [method, params.uri])).toEqual([
      ['resources/read', '1password://a b?x=%20'],
    ]);
    expect(server.stored).toEqual([]);
  });

  it.each(['new', 'old'] as const)(
    'a FileValue is authorised each time that it is read: %s spelling',
    async spelling => {
      const file = {
        uri: 'mcp-file://s/1',
        name: 'out/r.txt',
        mimeType: 'text/plain',
        size: 7,
        digest: digestOf('content'),
      };
      const { client, files, asked, server } = await start({
        flavour,
        result: remember({ structuredContent: { report: file } }),
        onRequest: authorizing(spelling),
      });
      expect(JSON.parse(JSON.stringify(files))).toEqual([{ name: 'out/r.txt', mimeType: 'text/plain', size: 7 }]);
      const opened = await client.download(files[0]!);
      expect(asked).toEqual([]);
      for (let times = 0; times < 2; times++) expect(text(await opened.bytes())).toBe('content');
      const method = spelling === 'new' ? 'files/authorizeDownload' : 'files/getDownload';
      expect(asked.filter(each => each.method === method).map(({ params }) => params.uri)).toEqual(
        Array(2).fill('mcp-file://s/1'),
      );
      expect(server.stored.map(({ url, headers }) => [url, headers['x-key']])).toEqual(
        Array(2).fill(['/get?sig=secret', 'k']),
      );
    },
  );

  it("the extension's list comes first, then content, then structuredContent", async () => {
    const { files } = await start({
      flavour,
      result: own => ({
        structuredContent: { a: { uri: 'mcp-file://s/3', name: 'three' } },
        content: [{ type: 'resource_link', uri: 'd:2', name: 'two' }],
        _meta: { [EXTENSION]: { downloads: [{ name: 'one', url: `${own}/1` }] } },
      }),
    });
    expect(files.map(({ name }) => name)).toEqual(['one', 'two', 'three']);
    expect(files.map(file => placesOf(file).map(({ pointer }) => pointer))).toEqual([
      [`/_meta/${EXTENSION.replace('/', '~1')}/downloads/0`],
      ['/content/0'],
      ['/structuredContent/a'],
    ]);
  });
});

it.each(['v2 legacy', 'v1'] as const)('a content item of the type file, on %s', async flavour => {
  const file = { uri: 'mcp-file://s/1', name: 'r.txt', size: 7 };
  // A call with a file: one without goes through the SDK's own callTool, which knows no such content.
  const { client, called } = await start({ flavour, result: () => ({}) });
  expect(called.files).toEqual([]);
  const server = await startScriptedServer({
    tools: [publish],
    onCall: () => done('made', { content: [{ type: 'file', file }] }),
    onRequest: authorizing('new'),
    onStore: (_, response) => void response.end('content'),
  });
  cleanUp.push(() => server[Symbol.asyncDispose]());
  origin = server.origin;
  const host = await connect(flavour, server.url);
  cleanUp.push(() => host[Symbol.asyncDispose]());
  const { fromBytes } = await import('../../src/index.js');
  const call = { name: 'publish', arguments: { site: 's', deck: fromBytes('deck', { name: 'deck.txt' }) } };
  const { files } = await host.files.callToolWithFiles(call);
  expect(text(await (await host.files.download(files[0]!)).bytes())).toBe('content');
  await client.close();
});

describe('a file by a URI', () => {
  const link = (uri: string, more: Json = {}) => ({
    content: [{ type: 'resource_link', uri, name: 'a.txt', ...more }],
  });

  it('on the web is fetched from there under the policy, and the server is not asked', async () => {
    const { client, files, asked, server } = await start({ result: own => link(`${own}/page?sig=1`) });
    expect(text(await (await client.download(files[0]!)).bytes())).toBe('content');
    expect(server.stored).toMatchObject([{ method: 'GET', url: '/page?sig=1' }]);
    expect(server.stored[0]!.headers.authorization).toBeUndefined();
    expect(asked).toEqual([]);
    for (const uri of ['https://10.0.0.1/x', 'http://example.com/x', 'https://u:p@example.com/']) {
      const other = await start({ result: () => link(uri) });
      expect(await failure(other.client.download(other.files[0]!))).toMatchObject({
        code: 'target_refused',
        outcome: 'completed',
        tool: 'publish',
      });
    }
  });

  it('is taken where the answer names it otherwise, if there is but one content', async () => {
    const { client, files } = await start({
      result: () => link('d:1'),
      onRequest: () => ({ result: { contents: [{ uri: 'd:other', blob: base64('content') }] } }),
    });
    expect(text(await (await client.download(files[0]!)).bytes())).toBe('content');
  });

  it.each<[string, Json, Json]>([
    [
      'several contents',
      {
        contents: [
          { uri: 'd:2', text: 'a' },
          { uri: 'd:3', text: 'b' },
        ],
      },
      { reason: 'content_ambiguous' },
    ],
    [
      'the same URI twice',
      {
        contents: [
          { uri: 'd:1', text: 'a' },
          { uri: 'd:1', text: 'b' },
        ],
      },
      { reason: 'content_ambiguous' },
    ],
    ['no content', { contents: [] }, { reason: 'content_ambiguous' }],
    ['another answer', { contents: 'x' }, { reason: 'content_ambiguous' }],
    ['base64 that is none', { contents: [{ uri: 'd:1', blob: '?' }] }, { reason: 'content_malformed' }],
  ])('fails with %s', async (_, result, details) => {
    const { client, files } = await start({ result: () => link('d:1'), onRequest: () => ({ result }) });
    const error = await failure((await client.download(files[0]!)).bytes());
    expect(error).toMatchObject({ code: 'download_failed', outcome: 'completed', tool: 'publish', details });
  });

  it.each<[number, Json]>([
    [-32601, { reason: 'method_unsupported', rpcCode: -32601 }],
    [-32602, { reason: 'not_found', rpcCode: -32602 }],
    [-32002, { reason: 'not_found', rpcCode: -32002 }],
    [-32603, { reason: 'server_refused', rpcCode: -32603 }],
  ])('fails with the server’s code %d, and none of its words', async (code, details) => {
    const { client, files } = await start({
      result: () => link('d:1?key=secret'),
      onRequest: method =>
        method === 'resources/read' ? { error: { code, message: 'secret', data: { secret: 'secret' } } } : undefined,
    });
    const error = await failure((await client.download(files[0]!)).bytes());
    expect(error).toMatchObject({ code: 'download_failed', details: { ...details, method: 'resources/read' } });
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('secret');
  });

  it('fails where the answer is none, and with the HTTP status where there is one', async () => {
    const status =
      (code: number): NonNullable<Script['onRequest']> =>
      () => ({
        raw: (_, response) => void response.writeHead(code).end('secret'),
      });
    for (const [code, details] of [
      [500, { reason: 'http_status', status: 500 }],
      [403, { reason: 'http_status', status: 403 }],
    ] as const) {
      const { client, files } = await start({ result: () => link('d:1'), onRequest: status(code) });
      expect(await failure((await client.download(files[0]!)).bytes())).toMatchObject({
        code: 'download_failed',
        details,
      });
    }
    const { client, files } = await start({
      result: () => link('d:1'),
      onRequest: () => ({ raw: request => void request.socket.destroy() }),
    });
    expect(await failure((await client.download(files[0]!)).bytes())).toMatchObject({
      code: 'download_failed',
      details: { reason: 'connection_lost' },
    });
  });

  it('is tried the other way where the server knows no such method or file', async () => {
    const readable = await start({
      result: () => ({ structuredContent: { uri: 'mcp-file://s/1' } }),
      onRequest: (method, { uri }) =>
        method === 'resources/read' ? { result: { contents: [{ uri, text: 'content' }] } } : undefined,
    });
    expect(text(await (await readable.client.download(readable.files[0]!)).bytes())).toBe('content');
    expect(readable.asked.map(({ method }) => method)).toEqual([
      'files/authorizeDownload',
      'files/getDownload',
      'resources/read',
    ]);
    const authorized = await start({ result: remember(link('d:1')), onRequest: authorizing('new') });
    expect(text(await (await authorized.client.download(authorized.files[0]!)).bytes())).toBe('content');
    const web = await start({
      result: own => ({ structuredContent: { uri: `${own}/x`, mimeType: 'text/plain', size: 7 } }),
    });
    expect(text(await (await web.client.download(web.files[0]!)).bytes())).toBe('content');
  });

  it('that a resource names in place of its content is authorised', async () => {
    const authorize = authorizing('new');
    const { client, files } = await start({
      result: remember(link('d:1')),
      onRequest: (method, params) =>
        method === 'resources/read'
          ? { result: { contents: [{ uri: 'd:1', file: { uri: 'mcp-file://s/1' } }] } }
          : authorize(method, params),
    });
    expect(text(await (await client.download(files[0]!)).bytes())).toBe('content');
  });

  it('that is authorised goes to no place that the policy refuses', async () => {
    const descriptor = (more: Json) => ({ transport: 'https', method: 'GET', url: `${origin}/get`, ...more });
    for (const [more, code] of [
      [{ url: 'https://10.0.0.1/x' }, 'target_refused'],
      [{ method: 'POST' }, 'download_failed'],
      [{ transport: 'ftp' }, 'download_failed'],
      [{ url: undefined }, 'download_failed'],
      [{ expiresAt: '2001-01-01T00:00:00Z' }, 'target_refused'],
      [{ headers: { cookie: 'a' } }, 'target_refused'],
    ] as const) {
      const { client, files, server } = await start({
        result: remember({ structuredContent: { uri: 'mcp-file://s/1' } }),
        onRequest: authorizing('new', () => ({ download: descriptor(more) })),
      });
      expect(await failure((await client.download(files[0]!)).bytes())).toMatchObject({ code, outcome: 'completed' });
      expect(server.stored).toEqual([]);
    }
  });

  it('ends with an abort while the server thinks', async () => {
    const caller = new AbortController();
    const { client, files } = await start({
      result: () => link('d:1'),
      onRequest: () => ({ raw: () => void setTimeout(() => caller.abort('enough'), 20) }),
    });
    const error = await failure((await client.download(files[0]!, { signal: caller.signal })).bytes());
    expect(error).toMatchObject({ code: 'aborted', cause: 'enough', outcome: 'completed' });
  });

  it('of a client that is not connected any more', async () => {
    const { client, files, server } = await start({ result: () => link('d:1') });
    await server[Symbol.asyncDispose]();
    expect((await failure((await client.download(files[0]!)).bytes())).code).toMatch(/download_failed|not_connected/);
  });
});

describe('what was announced is held against what comes', () => {
  const at = (content: Json, facts: Json): Setting => ({
    // The SDK takes a digest out of a link in content.
    result: () => ({ structuredContent: { it: { type: 'resource_link', uri: 'd:1', name: 'a.txt', ...facts } } }),
    onRequest: () => ({ result: { contents: [{ uri: 'd:1', ...content }] } }),
  });

  it.each<[string, Setting, Json]>([
    ['a link of another size', at({ text: 'content' }, { size: 8 }), { code: 'size_mismatch' }],
    ['a link with another digest', at({ text: 'content' }, { digest: digestOf('x') }), { code: 'digest_mismatch' }],
    [
      'a data URI of another size',
      { result: () => ({ structuredContent: { uri: 'data:,content', size: 8 } }) },
      { code: 'size_mismatch', details: { size: 8, received: 7 } },
    ],
    [
      'a data URI with another digest',
      { result: () => ({ structuredContent: { uri: 'data:,content', digest: digestOf('x') } }) },
      { code: 'digest_mismatch' },
    ],
    [
      'an authorised file of another size',
      { result: remember({ structuredContent: { uri: 'mcp-file://s/1', size: 8 } }), onRequest: authorizing('new') },
      { code: 'size_mismatch' },
    ],
    [
      'an authorised file with another digest',
      {
        result: remember({ structuredContent: { uri: 'mcp-file://s/1', digest: digestOf('x') } }),
        onRequest: authorizing('new'),
      },
      { code: 'digest_mismatch' },
    ],
    [
      'a digest that only the authorisation says',
      {
        result: remember({ structuredContent: { uri: 'mcp-file://s/1' } }),
        onRequest: authorizing('new', uri => ({ file: { uri, digest: digestOf('x') } })),
      },
      { code: 'digest_mismatch' },
    ],
    [
      'a size that only the authorisation says',
      {
        result: remember({ structuredContent: { uri: 'mcp-file://s/1' } }),
        onRequest: authorizing('new', uri => ({ file: { uri, size: 8 } })),
      },
      { code: 'size_mismatch' },
    ],
    [
      'base64 that is none',
      { result: () => ({ structuredContent: { it: { type: 'image', data: 'x', mimeType: 'image/png' } } }) },
      { code: 'download_failed', details: { reason: 'content_malformed' } },
    ],
  ])('%s', async (_, setting, expected) => {
    const { client, files } = await start(setting);
    const dir = await folder();
    expect(await failure(client.download(files[0]!, { dir }))).toMatchObject({ ...expected, outcome: 'completed' });
    expect(await readdir(dir)).toEqual([]);
  });

  it.each<[string, Setting]>([
    ['a link', at({ text: 'content' }, {})],
    [
      'an embedded resource',
      { result: () => ({ content: [{ type: 'resource', resource: { uri: 'd:1', text: 'content' } }] }) },
    ],
    ['an image', { result: () => ({ content: [{ type: 'image', data: base64('content'), mimeType: 'image/png' }] }) }],
    [
      'an authorised file',
      { result: remember({ structuredContent: { uri: 'mcp-file://s/1' } }), onRequest: authorizing('new') },
    ],
  ])('%s over maxBytes is refused, and one of that size is not', async (_, setting) => {
    const { client, files } = await start(setting);
    const read = async (maxBytes: number) => (await client.download(files[0]!, { maxBytes })).bytes();
    expect(await failure(read(6))).toMatchObject({ code: 'download_too_large', outcome: 'completed' });
    expect(text(await read(7))).toBe('content');
  });
});

describe('a returned file of another spelling as an argument of another call', () => {
  const content = randomBytes(200_000);
  it.each<[string, Setting]>([
    [
      'bytes at hand',
      { result: () => ({ content: [{ type: 'image', data: base64(content), mimeType: 'image/png' }] }) },
    ],
    [
      'a link of known size',
      {
        result: () => ({ content: [{ type: 'resource_link', uri: 'd:1', name: 'a.png', size: content.length }] }),
        onRequest: () => ({ result: { contents: [{ uri: 'd:1', blob: base64(content) }] } }),
      },
    ],
    [
      'a link of unknown size',
      {
        result: () => ({ content: [{ type: 'resource_link', uri: 'd:1', name: 'a.png' }] }),
        onRequest: () => ({ result: { contents: [{ uri: 'd:1', blob: base64(content) }] } }),
      },
    ],
  ])('%s', async (_, setting) => {
    for (const flavour of FLAVOURS) {
      for (const how of [{}, { fetch: globalThis.fetch }, { concurrency: 1 }]) {
        const { client, files, server } = await start({ ...setting, flavour, options: { inlineLimit: 1000, ...how } });
        await client.callToolWithFiles({ name: 'publish', arguments: { site: 's', deck: files[0]! } });
        expect(server.stored.map(({ method, body }) => [method, body.equals(content)])).toEqual([['PUT', true]]);
      }
    }
  });

  it('of another size ends the call before the tool runs', async () => {
    const { client, files, server } = await start({
      result: () => ({ content: [{ type: 'resource_link', uri: 'd:1', name: 'a.png', size: 5 }] }),
      onRequest: () => ({ result: { contents: [{ uri: 'd:1', text: 'content' }] } }),
    });
    const call = { name: 'publish', arguments: { site: 's', deck: files[0]! } };
    const error = await failure(client.callToolWithFiles(call));
    expect(error).toMatchObject({ code: 'size_mismatch', pointer: '/deck', outcome: 'not_run' });
    expect(server.calls).toHaveLength(1);
  });
});

describe('names', () => {
  const named = async (...names: (string | undefined)[]) => {
    const { files } = await start({
      result: own => ({
        _meta: {
          [EXTENSION]: names.map((name, index) => ({ ...(name !== undefined && { name }), url: `${own}/${index}` })),
        },
      }),
    });
    return files.map(({ name }) => name);
  };

  it.each<[string[], string[]]>([
    [
      ['a.txt', 'A.TXT', 'a.txt', 'a (2).txt'],
      ['a.txt', 'A (2).TXT', 'a (3).txt', 'a (2) (2).txt'],
    ],
    [
      ['out/r.pdf', 'OUT/R.pdf'],
      ['out/r.pdf', 'OUT/R (2).pdf'],
    ],
    [
      ['out', 'out/r.pdf', 'OUT'],
      ['out (2)', 'out/r.pdf', 'OUT (3)'],
    ],
    [
      ['straße', 'STRASSE', 'caf\u00e9', 'cafe\u0301'],
      ['straße', 'STRASSE (2)', 'caf\u00e9', 'cafe\u0301 (2)'],
    ],
    [
      ['.profile', '.profile', 'con', '_con'],
      ['.profile', '.profile (2)', '_con', '_con (2)'],
    ],
  ])('of one result are distinct on every file system: %j', async (given, expected) => {
    expect(await named(...given)).toEqual(expected);
  });

  it('stay short enough with a number', async () => {
    const long = `${'é'.repeat(200)}.pdf`;
    const names = await named(long, long, '\u{1f600}'.repeat(100), '\u{1f600}'.repeat(100));
    expect(new Set(names).size).toBe(4);
    for (const name of names) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
    expect(names[1]).toMatch(/ \(2\)\.pdf$/);
  });

  it('come from the URI where it ends like a file, else from the type', async () => {
    const embedded = (uri: string, mimeType?: string) => ({
      type: 'resource',
      resource: { uri, text: uri, ...(mimeType && { mimeType }) },
    });
    const { files } = await start({
      result: () => ({
        content: [
          embedded('file:///a/b/r%20s.txt?x=1#y'),
          embedded('demo://x/..%2f..%2fetc.d', 'text/plain'),
          embedded('demo://x/AbCdEf0123456789', 'application/json'),
          embedded('https://example.com', 'text/html'),
          embedded('demo://x/1'),
          embedded('demo://x/2'),
          { type: 'image', data: 'AAAA', mimeType: 'image/jpeg' },
          { type: 'image', data: 'AAAB', mimeType: 'image/jpeg' },
          { type: 'image', data: 'AAAC', mimeType: 'nonsense' },
        ],
      }),
    });
    expect(files.map(({ name }) => name)).toEqual([
      'r s.txt',
      'etc.d',
      'file.json',
      'file.html',
      'file',
      'file (2)',
      'image.jpg',
      'image (2).jpg',
      'file (3)',
    ]);
  });
});

it('bytes at hand wait for no other transfer', async () => {
  let release = (): void => {};
  const released = new Promise<void>(resolve => {
    release = resolve;
  });
  const { client, files } = await start({
    options: { concurrency: 1 },
    result: own => ({
      content: [{ type: 'image', data: base64('content'), mimeType: 'image/png' }],
      _meta: { [EXTENSION]: [{ name: 'a', url: `${own}/a` }] },
    }),
    script: { onStore: (_, response) => released.then(() => void response.end('content')) },
  });
  const slow = (await client.download(files[0]!)).bytes();
  expect(text(await (await client.download(files[1]!)).bytes())).toBe('content');
  release();
  await slow;
});

it('a large inline file is decoded piece by piece, and its progress counts', async () => {
  const content = randomBytes(5_000_000);
  const { client, files } = await start({
    result: () => ({ content: [{ type: 'resource', resource: { uri: 'd:1', blob: base64(content) } }] }),
  });
  const sent: number[] = [];
  const hash = createHash('sha256');
  let pieces = 0;
  const onProgress = ({ sentBytes, totalBytes }: { sentBytes: number; totalBytes: number }) => {
    expect(totalBytes).toBe(content.length);
    sent.push(sentBytes);
  };
  for await (const piece of (await client.download(files[0]!, { onProgress })).stream()) {
    expect(piece.byteLength).toBeLessThanOrEqual(1024 * 1024);
    hash.update(piece);
    pieces++;
  }
  expect(hash.digest('hex')).toBe(createHash('sha256').update(content).digest('hex'));
  expect(pieces).toBeGreaterThan(4);
  expect(sent).toEqual([...sent].sort((a, b) => a - b));
  expect(sent.at(-1)).toBe(content.length);
});

it('the steps are logged without a URI or a byte', async () => {
  const { client, files, events } = await start({
    result: remember({
      content: [{ type: 'resource', resource: { uri: 'd:secret', text: 'secret' } }],
      structuredContent: { uri: 'mcp-file://secret/secret', name: 'a' },
    }),
    onRequest: authorizing('new'),
  });
  for (const file of files) await (await client.download(file)).bytes();
  const steps = events.filter(({ type }) => type.startsWith('download_'));
  expect(steps.map(({ type, via, bytes }) => [type, via, bytes])).toEqual([
    ['download_started', 'result', undefined],
    ['download_done', 'result', 6],
    ['download_started', 'target', undefined],
    ['download_done', 'target', 7],
  ]);
  expect(JSON.stringify(events)).not.toContain('secret');
});

it.each(FLAVOURS)(
  'a linked resource that asks a question first is read with the host’s answer, on %s',
  async flavour => {
    const seen: Json[] = [];
    const question = {
      method: 'elicitation/create',
      params: { mode: 'form', message: 'Really?', requestedSchema: {} },
    };
    const setting = (options: FilesClientOptions): Setting => ({
      flavour,
      options,
      result: () => ({ content: [{ type: 'resource_link', uri: 'd:1', name: 'a.txt' }] }),
      onRequest: (method, params) => {
        if (method !== 'resources/read') return undefined;
        seen.push(params);
        if (params.requestState === 's') return { result: { contents: [{ uri: 'd:1', text: 'content' }] } };
        return { result: { resultType: 'input_required', inputRequests: { q: question }, requestState: 's' } };
      },
    });
    const onInputRequest = () => ({ action: 'accept', content: {} });
    const answering = await start(setting({ onInputRequest }));
    expect(text(await (await answering.client.download(answering.files[0]!)).bytes())).toBe('content');
    expect(seen.at(-1)).toMatchObject({ uri: 'd:1', inputResponses: { q: { action: 'accept' } } });
    const silent = await start(setting({}));
    expect(await failure((await silent.client.download(silent.files[0]!)).bytes())).toMatchObject({
      code: 'input_unsupported',
      outcome: 'completed',
    });
  },
);
