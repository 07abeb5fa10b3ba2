import { PassThrough } from 'node:stream';
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/server';
import { describe, expect, it, vi } from 'vitest';
import { FilesClient } from '../../src/index.js';
import { serveReferenceStdio, startReferenceServer } from '../../src/testing/index.js';
import { rpc } from './raw-client.js';

describe.each(['modern', 'legacy'] as const)('%s, by hand', era => {
  const create = (url: string, params: object) =>
    rpc(url, era, 'resources/create', { name: 'n', mimeType: 'text/plain', content: 'x', ...params });

  it.each([
    [{ name: '' }, 'name_missing'],
    [{ name: 7 }, 'name_missing'],
    [{ mimeType: 'text' }, 'mime_type_invalid'],
    [{ content: undefined }, 'content_missing'],
    [{ metadata: 'x' }, 'metadata_invalid'],
    [{ mimeType: 'image/png', content: 'no base64' }, 'content_invalid'],
    [{ mimeType: 'image/png', content: 'YQ' }, 'content_invalid'],
  ])('rejects %j', async (params, reason) => {
    await using server = await startReferenceServer();
    const { error } = await create(server.url, params);
    expect(error).toMatchObject({ code: -32602, data: { reason } });
  });

  it('has its own code for what is not there, and frees the quota of what is deleted', async () => {
    await using server = await startReferenceServer({ resourceQuota: 3 });
    const first = await create(server.url, { content: 'abc' });
    expect((await create(server.url, { content: 'd' })).error).toMatchObject({ code: -32000 });
    const { uri } = first.result!;
    expect((await rpc(server.url, era, 'resources/delete', { uri })).error).toBeUndefined();
    const gone = await rpc(server.url, era, 'resources/read', { uri });
    expect(gone.error?.code).toBe(-32602);
    expect((await create(server.url, { content: 'd' })).error).toBeUndefined();
    expect((await rpc(server.url, era, 'resources/list', { cursor: 'mine' })).error?.code).toBe(-32602);
  });

  it('gives no two resources the same URI', async () => {
    await using server = await startReferenceServer();
    const created = await Promise.all([1, 2, 3].map(() => create(server.url, {})));
    expect(new Set(created.map(({ result }) => result?.uri)).size).toBe(3);
  });
});

it('keeps owners apart: lists and deletes are theirs, reading is for who knows the URI, unless it is theirs too', async () => {
  for (const resourceReaders of ['anyone', 'owner'] as const) {
    await using server = await startReferenceServer({ resourceReaders });
    const clientOf = async (token: string) => {
      const mcp = new Client({ name: 'host', version: '1' }, { versionNegotiation: { mode: 'auto' } });
      const files = new FilesClient(mcp);
      const requestInit = { headers: { authorization: `Bearer ${token}` } };
      await mcp.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit }));
      const urisOf = async () => {
        const uris: string[] = [];
        for await (const { uri } of files.resources.list()) uris.push(uri);
        return uris;
      };
      return { ...files, resources: files.resources, urisOf, close: () => mcp.close() };
    };
    const alice = await clientOf('alice');
    const bob = await clientOf('bob');
    const { uri } = await alice.resources.create({ name: 'n', content: 'of alice' });
    expect([(await alice.urisOf()).includes(uri), (await bob.urisOf()).includes(uri)]).toEqual([true, false]);
    await expect(bob.resources.delete(uri)).rejects.toMatchObject({ code: 'resource_forbidden' });
    const reading = bob.resources.read(uri);
    if (resourceReaders === 'anyone') expect(await reading).toMatchObject([{ text: 'of alice' }]);
    else await expect(reading).rejects.toMatchObject({ code: -32003 });
    await alice.resources.delete(uri);
    await Promise.all([alice.close(), bob.close()]);
  }
});

/** A client's end of a pair of streams. */
function overStreams(input: PassThrough, output: PassThrough): Transport {
  const buffer = new ReadBuffer();
  const transport: Transport = {
    async start() {
      output.on('data', (chunk: Buffer) => {
        buffer.append(chunk);
        for (let message = buffer.readMessage(); message !== null; message = buffer.readMessage())
          transport.onmessage?.(message);
      });
    },
    async send(message) {
      input.write(serializeMessage(message));
    },
    async close() {
      input.end();
      transport.onclose?.();
    },
  };
  return transport;
}

it.each(['modern', 'legacy'] as const)('tells of changes over stdio, %s', async era => {
  const input = new PassThrough();
  const output = new PassThrough();
  const server = await serveReferenceStdio({}, { input, output });
  const transport = overStreams(input, output);
  const mcp = new Client(
    { name: 'host', version: '1' },
    { versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' } },
  );
  const files = new FilesClient(mcp, { transport });
  try {
    await mcp.connect(transport);
    expect(files.capabilities.era).toBe(era);
    const { uri } = await files.resources.create({ name: 'n', content: 'one' });
    const listener = vi.fn();
    const changed = vi.fn();
    files.resources.onListChanged(changed);
    const subscription = await files.resources.subscribe(uri, listener);
    server.touchResource(uri, 'two');
    server.touchResource('reference:///welcome');
    await vi.waitFor(() => expect(listener).toHaveBeenCalledTimes(1));
    expect(await files.resources.read(uri)).toMatchObject([{ text: 'two' }]);
    await subscription.unsubscribe();
    await vi.waitFor(async () => {
      await files.resources.create({ name: 'm', content: 'x' });
      expect(changed).toHaveBeenCalled();
    });
    server.touchResource(uri);
    await files.resources.read(uri);
    expect(listener).toHaveBeenCalledTimes(1);
  } finally {
    await files.close();
    await mcp.close();
    await server.close();
  }
});
