import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { FilesError, fromPath, type Resource } from '../../src/index.js';
import { startReferenceServer } from '../../src/testing/index.js';
import { connect, FLAVOURS } from '../support/clients.js';

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

async function thrown(promise: Promise<unknown>): Promise<FilesError> {
  const error = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(FilesError);
  return error as FilesError;
}

describe.each(FLAVOURS)('%s', flavour => {
  it('says what the server supports', async () => {
    await using server = await startReferenceServer();
    await using host = await connect(flavour, server.url);
    expect(await host.files.resources.supported()).toEqual({
      create: true,
      delete: true,
      subscribe: true,
      listChanged: true,
    });

    await using readOnly = await startReferenceServer({ resources: 'read_only' });
    await using second = await connect(flavour, readOnly.url);
    expect(await second.files.resources.supported()).toEqual({
      create: false,
      delete: false,
      subscribe: true,
      listChanged: true,
    });
    expect(await thrown(second.files.resources.create({ name: 'x', content: 'y' }))).toMatchObject({
      code: 'resource_unsupported',
      outcome: 'not_run',
      details: { capability: 'resources.create', visible: true },
    });

    await using none = await startReferenceServer({ resources: 'off' });
    await using third = await connect(flavour, none.url);
    expect(await third.files.resources.supported()).toEqual({
      create: false,
      delete: false,
      subscribe: false,
      listChanged: false,
    });
    expect(await thrown(all(third.files.resources.list()))).toMatchObject({ code: 'resource_unsupported' });
  });

  it('creates, reads and deletes text and bytes', async () => {
    await using server = await startReferenceServer();
    await using host = await connect(flavour, server.url);
    const { resources } = host.files;
    const prompt = '\uFEFFResearch “this” company: naïve 🚀\r\n';
    const created = await resources.create({
      name: 'prompt',
      content: prompt,
      metadata: { ttl: 60, tags: ['a'], x: { y: 1 } },
    });
    expect(created).toEqual({
      uri: expect.stringMatching(/^resource:\/\/created\/prompt\/[\w-]{22}$/),
      name: 'prompt',
      mimeType: 'text/plain',
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(await resources.read(created.uri)).toEqual([{ uri: created.uri, mimeType: 'text/plain', text: prompt }]);

    const bytes = new Uint8Array(randomBytes(100_001));
    const dataset = await resources.create({ name: 'data', content: bytes, mimeType: 'application/octet-stream' });
    const [content] = await resources.read(dataset.uri);
    expect(content).toMatchObject({ uri: dataset.uri, mimeType: 'application/octet-stream' });
    expect(Buffer.compare(content!.bytes!, bytes)).toBe(0);

    await resources.delete(dataset.uri);
    expect(await thrown(resources.read(dataset.uri))).toMatchObject({ code: 'resource_not_found' });
    expect(await thrown(resources.delete(dataset.uri))).toMatchObject({
      code: 'resource_not_found',
      outcome: 'not_run',
    });
    expect((await all(resources.list())).map(({ uri }) => uri)).toContain(created.uri);
  });

  it('creates from a file, by the type of its name', async () => {
    await using server = await startReferenceServer();
    await using host = await connect(flavour, server.url);
    const folder = await mkdtemp(join(tmpdir(), 'mcp-files-test-'));
    try {
      await writeFile(join(folder, 'a.json'), '{"ü":1}');
      await writeFile(join(folder, 'b.bin'), randomBytes(2_500_000));
      const { resources } = host.files;
      const json = await resources.create({ content: fromPath(join(folder, 'a.json')) });
      expect(json).toMatchObject({ name: 'a.json', mimeType: 'application/json' });
      expect(await resources.read(json.uri)).toMatchObject([{ text: '{"ü":1}' }]);
      const bin = await resources.create({ name: 'own name', content: fromPath(join(folder, 'b.bin')) });
      expect(bin).toMatchObject({ name: 'own name', mimeType: 'application/octet-stream' });
      const [content] = await resources.read(bin.uri);
      expect(content?.bytes?.byteLength).toBe(2_500_000);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('maps quota, permission and what the server rejects, with its words', async () => {
    await using server = await startReferenceServer({ resourceQuota: 10 });
    await using host = await connect(flavour, server.url);
    const { resources } = host.files;
    expect(await thrown(resources.create({ name: 'x', content: 'more than ten bytes' }))).toMatchObject({
      code: 'resource_storage_failed',
      outcome: 'not_run',
      message: 'The server could not store the resource: Quota exceeded',
      details: { code: -32000, message: 'Quota exceeded', data: { quota: 10, size: 19 } },
    });
    expect(await thrown(resources.delete('reference:///welcome'))).toMatchObject({
      code: 'resource_forbidden',
      details: { code: -32003, message: 'This client may not do that' },
    });
  });

  it('lists every page, and templates that it expands', async () => {
    await using server = await startReferenceServer({ resourcePageSize: 1 });
    await using host = await connect(flavour, server.url);
    const { resources } = host.files;
    const listed = await all<Resource>(resources.list());
    expect(listed).toHaveLength(16);
    expect(listed[0]).toMatchObject({
      uri: 'reference:///welcome',
      annotations: { audience: ['user', 'assistant'], priority: 1, lastModified: '2026-01-02T03:04:05Z' },
    });
    const templates = await all(resources.templates());
    expect(templates).toHaveLength(2);
    const uri = await resources.expand(templates[1]!, { path: ['a b', 'c/d'], text: 'ü&', list: ['1', '2'] });
    expect(uri).toBe('reference:///echo/a%20b/c%2Fd?text=%C3%BC%26&list=1&list=2');
    expect(await resources.read(uri)).toMatchObject([{ text: uri }]);
  });

  it('reads several contents, whatever their types', async () => {
    await using server = await startReferenceServer();
    await using host = await connect(flavour, server.url);
    expect(await host.files.resources.read('reference:///folder')).toEqual([
      { uri: 'reference:///folder/a.txt', mimeType: 'text/plain', text: 'first' },
      { uri: 'reference:///folder/b.bin', bytes: Uint8Array.of(0, 1, 2, 255) },
    ]);
  });

  it('answers a question on the way', async () => {
    await using server = await startReferenceServer();
    const onInputRequest = vi.fn(async () => ({ action: 'accept', content: {} }));
    await using host = await connect(flavour, server.url, { onInputRequest });
    expect(await host.files.resources.read('reference:///question')).toMatchObject([{ text: 'Asked and answered.' }]);
    expect(onInputRequest).toHaveBeenCalledTimes(1);
    expect(onInputRequest).toHaveBeenCalledWith(
      { key: 'question_1', method: 'elicitation/create', params: expect.objectContaining({ message: 'Read it?' }) },
      { resource: 'reference:///question', signal: expect.any(AbortSignal) },
    );
    await using silent = await connect(flavour, server.url);
    expect(await thrown(silent.files.resources.read('reference:///question'))).toMatchObject({
      code: 'input_unsupported',
    });
  });

  it('keeps to the owner and to the ttl', async () => {
    let now = Date.now();
    await using server = await startReferenceServer({ now: () => now });
    await using host = await connect(flavour, server.url);
    const { resources } = host.files;
    const { uri } = await resources.create({ name: 'short', content: 'x', metadata: { ttl: 5 } });
    now += 4_999;
    expect(await resources.read(uri)).toHaveLength(1);
    now += 1;
    expect(await thrown(resources.read(uri))).toMatchObject({ code: 'resource_not_found' });
    expect((await all(resources.list())).map(each => each.uri)).not.toContain(uri);
  });

  it('follows a resource and the list', async () => {
    await using server = await startReferenceServer();
    await using host = await connect(flavour, server.url);
    const { resources } = host.files;
    const first = vi.fn();
    const second = vi.fn(() => {
      throw new Error('a listener of the host');
    });
    const third = vi.fn();
    const changes = vi.fn();
    const stopList = resources.onListChanged(changes);
    const { uri } = await resources.create({ name: 'live', content: 'one' });
    await using one = await resources.subscribe(uri, first);
    const two = await resources.subscribe(uri, second);
    await using three = await resources.subscribe('reference:///welcome', third);
    expect([one.uri, three.uri]).toEqual([uri, 'reference:///welcome']);
    server.touchResource(uri, 'two');
    await vi.waitFor(() => expect(first).toHaveBeenCalledTimes(1));
    expect(first).toHaveBeenCalledWith({ uri });
    expect([second.mock.calls.length, third.mock.calls.length]).toEqual([1, 0]);
    expect(await resources.read(uri)).toMatchObject([{ text: 'two' }]);

    await two.unsubscribe();
    await two.unsubscribe();
    server.touchResource(uri);
    server.touchResource('reference:///welcome');
    await vi.waitFor(() => expect(third).toHaveBeenCalledTimes(1));
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([2, 1]);

    await one.unsubscribe();
    server.touchResource(uri);
    server.touchResource('reference:///welcome');
    await vi.waitFor(() => expect(third).toHaveBeenCalledTimes(2));
    expect(first).toHaveBeenCalledTimes(2);

    const before = changes.mock.calls.length;
    await resources.create({ name: 'another', content: 'x' });
    await vi.waitFor(() => expect(changes.mock.calls.length).toBeGreaterThan(before));
    stopList();
    await resources.delete(uri);
    server.touchResource('reference:///welcome');
    await vi.waitFor(() => expect(third).toHaveBeenCalledTimes(3));
    expect(changes).toHaveBeenCalledTimes(before + 1);
  });
});
