import { randomBytes } from 'node:crypto';
import { readdirSync, readlinkSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FilesClientOptions, isFilesError, type RemoteFile } from '../../src/index.js';
import { connect, FLAVOURS } from '../support/clients.js';
import { cleanUps, digestOf } from '../support/returned.js';
import {
  done,
  inputRequired,
  type ScriptedServer,
  startScriptedServer,
  uploadEntry,
} from '../support/scripted-server.js';
import { publish } from '../support/tools.js';

const cleanUp = cleanUps();
const content = randomBytes(2_500_000);

/** Where this process puts its temporary files, so that what is left there shows. */
let scratch: string;
let before: string | undefined;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'returned-'));
  before = process.env.TMPDIR;
  process.env.TMPDIR = scratch;
});
afterAll(async () => {
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
  await rm(scratch, { recursive: true });
});

async function expectNothingLeft(): Promise<void> {
  expect(await readdir(scratch)).toEqual([]);
  const open = readdirSync('/proc/self/fd').map(fd => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return '';
    }
  });
  expect(open.filter(path => path.startsWith(scratch))).toEqual([]);
}

interface Setting {
  readonly download?: Record<string, unknown>;
  readonly options?: FilesClientOptions;
  readonly flavour?: (typeof FLAVOURS)[number];
  readonly onDownload?: (response: ServerResponse) => void;
  readonly capability?: Record<string, unknown>;
}

/** A client to whom a file was returned, and a server that takes it at `/deck` and in `/assets` by PUT. */
async function start({ download = {}, options = {}, flavour = 'v2 modern', onDownload, capability }: Setting = {}) {
  const server: ScriptedServer = await startScriptedServer({
    tools: [publish],
    ...(capability && { capability }),
    onCall: ({ params }, index) => {
      const url = `${server.origin}/get?sig=secret`;
      const target = { name: 'out/deck.pdf', mimeType: 'application/pdf', url, ...download };
      if (index === 0) return done('made', { _meta: { 'io.modelcontextprotocol/files': { downloads: [target] } } });
      const { deck, assets = [] } = params.arguments;
      const places = [['/deck', deck], ...assets.map((asset: unknown, at: number) => [`/assets/${at}`, asset])];
      const waiting = places.filter(([, file]) => file !== undefined && file.data === undefined && file.size > 0);
      if (params.requestState !== undefined || waiting.length === 0) return done('published');
      return inputRequired(
        { up: uploadEntry(Object.fromEntries(waiting.map(([at]) => [at, { path: `put${at}` }]))) },
        's',
      );
    },
    onStore: ({ method }, response) => {
      if (method !== 'GET') response.end();
      else if (onDownload) onDownload(response);
      else response.end(content);
    },
  });
  cleanUp.push(() => server[Symbol.asyncDispose]());
  const host = await connect(flavour, server.url, { inlineLimit: 0, ...options });
  cleanUp.push(() => host[Symbol.asyncDispose]());
  const { files } = await host.files.callToolWithFiles({ name: 'publish', arguments: { site: 's' } });
  return { server, client: host.files, file: files[0]! };
}

const publishing = (args: Record<string, unknown>) => ({ name: 'publish', arguments: { site: 's', ...args } });
const puts = (server: ScriptedServer) => server.stored.filter(({ method }) => method === 'PUT');
const gets = (server: ScriptedServer) => server.stored.filter(({ method }) => method === 'GET');

async function failure(promise: Promise<unknown>) {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isFilesError(error)) throw error ?? new Error('it did not fail');
  return error;
}

describe.each(FLAVOURS)('a returned file as an argument, on %s', flavour => {
  it.each([
    ['of known size goes from storage to storage', { size: content.length, digest: digestOf(content) }],
    ['of unknown size is kept until it can be announced', { digest: digestOf(content) }],
  ])('%s', async (_, download) => {
    const { server, client, file } = await start({ flavour, download });
    const result = await client.callToolWithFiles(publishing({ deck: file }));
    expect(result.transfers).toMatchObject([
      { pointer: '/deck', name: 'deck.pdf', mode: 'put', bytes: content.length },
    ]);
    expect(server.calls[1]!.params.arguments.deck).toEqual({
      name: 'deck.pdf',
      mimeType: 'application/pdf',
      size: content.length,
    });
    expect(puts(server).map(({ body, headers }) => [body.equals(content), headers['content-length']])).toEqual([
      [true, String(content.length)],
    ]);
    expect(gets(server)).toHaveLength(1);
    await expectNothingLeft();
  });

  it.each([{ size: 7 }, {}])('that is small goes inline: %j', async download => {
    const { server, client, file } = await start({
      flavour,
      download,
      options: { inlineLimit: 1000 },
      onDownload: response => void response.end('content'),
    });
    await client.callToolWithFiles(publishing({ deck: file }));
    const { size, data } = server.calls[1]!.params.arguments.deck;
    expect([size, Buffer.from(data, 'base64').toString()]).toEqual([7, 'content']);
    await expectNothingLeft();
  });
});

describe('a returned file as an argument', () => {
  it.each([{ size: 0 }, {}])('may be empty: %j', async download => {
    const { server, client, file } = await start({ download, onDownload: response => void response.end() });
    await client.callToolWithFiles(publishing({ deck: file }));
    expect(server.calls[1]!.params.arguments.deck).toMatchObject({ size: 0 });
    await expectNothingLeft();
  });

  it('may stand there more than once', async () => {
    const { server, client, file } = await start();
    const result = await client.callToolWithFiles(publishing({ deck: file, assets: [file, file] }));
    expect(result.transfers.map(({ pointer }) => pointer)).toEqual(['/deck', '/assets/0', '/assets/1']);
    expect(puts(server).every(({ body }) => body.equals(content))).toBe(true);
    expect(gets(server)).toHaveLength(1);
    await expectNothingLeft();
  });

  it('needs no turn beside that of its upload', async () => {
    const { client, file } = await start({ download: { size: content.length }, options: { concurrency: 1 } });
    const result = await client.callToolWithFiles(publishing({ deck: file, assets: [file] }));
    expect(result.transfers).toHaveLength(2);
  });

  it.each([{ size: content.length }, {}])('goes through fetch: %j', async download => {
    const { server, client, file } = await start({ download, options: { fetch: globalThis.fetch } });
    await client.callToolWithFiles(publishing({ deck: file }));
    expect(puts(server).map(({ body }) => body.equals(content))).toEqual([true]);
    await expectNothingLeft();
  });

  it('of a type that is none gets that of its name', async () => {
    const { server, client, file } = await start({ download: { mimeType: 'nonsense\r\n' } });
    await client.callToolWithFiles(publishing({ deck: file }));
    expect(server.calls[1]!.params.arguments.deck).toMatchObject({ mimeType: 'application/pdf' });
  });

  it('is checked against what the tool takes, before anything moves', async () => {
    const { server, client, file } = await start({ download: { size: 5000 } });
    const tool = {
      name: 'publish',
      inputSchema: { type: 'object', properties: { deck: { type: 'object', 'x-mcp-file': { maxSize: 4999 } } } },
    };
    const error = await failure(client.callToolWithFiles(publishing({ deck: file }), { tool }));
    expect(error).toMatchObject({ code: 'file_too_large', pointer: '/deck', outcome: 'not_run' });
    expect(server.stored).toHaveLength(0);
    expect(server.calls).toHaveLength(1);
  });

  it('of another client, or a copy of one, is refused', async () => {
    const one = await start();
    const two = await start();
    for (const file of [two.file, Object.create(one.file) as RemoteFile]) {
      const error = await failure(one.client.callToolWithFiles(publishing({ assets: [one.file, file] })));
      expect(error).toMatchObject({ code: 'argument_invalid', pointer: '/assets/1', outcome: 'not_run' });
    }
    expect(one.server.calls).toHaveLength(1);
  });

  it('whose target may not be used is refused before the call', async () => {
    const { server, client, file } = await start({ download: { size: 7, url: 'https://10.0.0.1/x' } });
    const error = await failure(client.callToolWithFiles(publishing({ deck: file })));
    expect(error).toMatchObject({ code: 'target_refused', pointer: '/deck', outcome: 'not_run' });
    expect(server.calls).toHaveLength(1);
  });

  it('is asked the credential for, as for any download', async () => {
    const { server, client, file } = await start({
      download: { size: content.length, credentials: 'include' },
      options: { credentials: ({ direction, pointer }) => ({ 'x-asked': `${direction} ${pointer}` }) },
    });
    await client.callToolWithFiles(publishing({ deck: file }));
    expect(gets(server)[0]!.headers['x-asked']).toBe('download /deck');
    expect(puts(server)[0]!.headers['x-asked']).toBeUndefined();
  });

  const size = content.length;
  const short = (response: ServerResponse): void => void response.end(content.subarray(1));
  it.each<[string, string, Setting]>([
    ['that cannot be fetched', 'download_failed', { onDownload: response => void response.writeHead(404).end() }],
    ['of another size', 'size_mismatch', { onDownload: short }],
    ['with another digest', 'digest_mismatch', { download: { digest: digestOf('x') } }],
  ])('%s is not sent whole, and the tool does not run', async (_, code, setting) => {
    for (const announced of [{ size }, {}]) {
      if (announced.size === undefined && code === 'size_mismatch') continue;
      for (const options of [{}, { inlineLimit: 10_000_000 }, { fetch: globalThis.fetch }]) {
        const { server, client, file } = await start({
          ...setting,
          options,
          capability: { maxInlineBytes: 10_000_000 },
          download: { ...announced, ...setting.download },
        });
        const error = await failure(client.callToolWithFiles(publishing({ deck: file })));
        expect(error).toMatchObject({ code, pointer: '/deck', tool: 'publish', outcome: 'not_run' });
        expect(puts(server).filter(({ body }) => body.length >= size)).toEqual([]);
        expect(server.calls.length).toBeLessThanOrEqual(2);
        await expectNothingLeft();
      }
    }
  });

  it.each([{ size }, {}])('leaves nothing when the call is aborted while it arrives: %j', async download => {
    const caller = new AbortController();
    const { server, client, file } = await start({
      download,
      onDownload: response => {
        response.write(content.subarray(0, 100_000));
        setTimeout(() => caller.abort('enough'), 50);
      },
    });
    const before = await server.sockets();
    const error = await failure(client.callToolWithFiles(publishing({ deck: file }), { signal: caller.signal }));
    expect(error).toMatchObject({ code: 'aborted', cause: 'enough', outcome: 'not_run' });
    await expectNothingLeft();
    await expect.poll(() => server.sockets(), { timeout: 20_000 }).toBeLessThanOrEqual(before);
  });
});
