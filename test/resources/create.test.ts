import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fromBlob, fromBytes, fromStream, type NewResource } from '../../src/index.js';
import { FLAVOURS } from '../support/clients.js';
import { type Json, rpcError, scripted, thrown } from './scripted.js';

const CREATED = { uri: 'x:1', name: 'n', mimeType: 'text/plain', createdAt: '2026-01-01T00:00:00Z' };
const LATIN_1 = Uint8Array.of(0x63, 0x61, 0x66, 0xe9);
const hosts: AsyncDisposable[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host[Symbol.asyncDispose]();
});

async function host(...parameters: Parameters<typeof scripted>) {
  const made = await scripted(...parameters);
  hosts.push(made);
  return made;
}

async function sent(resource: NewResource): Promise<Json> {
  const { files, requests } = await host('v2 modern', () => CREATED);
  await files.resources.create(resource);
  return requests[0]!.params;
}

describe('what goes over the wire', () => {
  it.each<[string, NewResource, Json]>([
    ['text', { name: 'a', content: 'ü' }, { mimeType: 'text/plain', content: 'ü' }],
    ['text named like JSON', { name: 'a.json', content: '{}' }, { mimeType: 'application/json', content: '{}' }],
    ['text named like an image', { name: 'a.png', content: 'x' }, { mimeType: 'text/plain', content: 'x' }],
    ['text under another type', { name: 'a', content: 'ü', mimeType: 'application/x-own' }, { content: 'w7w=' }],
    ['text asked for', { name: 'a', content: 'ü', mimeType: 'application/x-own', encoding: 'text' }, { content: 'ü' }],
    ['empty text', { name: 'a', content: '' }, { content: '' }],
    ['bytes', { name: 'a', content: LATIN_1 }, { mimeType: 'application/octet-stream', content: 'Y2Fm6Q==' }],
    [
      'bytes named like text',
      { name: 'a.txt', content: Uint8Array.of(104, 105) },
      { mimeType: 'text/plain', content: 'hi' },
    ],
    ['bytes with a mark', { name: 'a.txt', content: Uint8Array.of(0xef, 0xbb, 0xbf, 104) }, { content: '\uFEFFh' }],
    [
      'a file',
      { content: fromBytes('[]', { name: 'b.json' }) },
      { name: 'b.json', mimeType: 'application/json', content: '[]' },
    ],
    ['a Blob', { name: 'a', content: new Blob(['x'], { type: 'text/csv' }) }, { mimeType: 'text/csv', content: 'x' }],
    ['bytes asked for', { name: 'a', content: 'hi', mimeType: 'image/png', encoding: 'base64' }, { content: 'aGk=' }],
    [
      'metadata',
      { name: 'a', content: '', metadata: { ttl: 1.5, tags: [], x: [null] } },
      { metadata: { ttl: 1.5, tags: [], x: [null] } },
    ],
  ])('%s', async (_, resource, params) => {
    expect(await sent(resource)).toMatchObject(params);
  });

  it('base64 of pieces of any length is the base64 of the whole', async () => {
    const bytes = Uint8Array.from({ length: 1000 }, (_, i) => (i * 7) % 256);
    for (const step of [1, 2, 3, 4, 5, 7, 999, 1000]) {
      const open = async function* () {
        for (let at = 0; at < bytes.length; at += step) yield bytes.slice(at, at + step);
      };
      const content = fromStream(open, { name: 's', size: 1000, type: 'application/x-own' });
      expect((await sent({ content })).content).toBe(Buffer.from(bytes).toString('base64'));
    }
  });

  it('text cut inside a character is the same text', async () => {
    // ASCII alone, then characters of two, three and four bytes with ASCII behind.
    const text = `${'plain text, '.repeat(20)}${'naïve 😀 ü “'.repeat(50)}plain`;
    const bytes = Buffer.from(text);
    let step = 1;
    const open = async function* () {
      for (let at = 0; at < bytes.length; at += step) yield Uint8Array.from(bytes.subarray(at, at + step));
    };
    for (step of [1, 2, 3, 5, 64, 1000]) {
      const content = fromStream(open, { name: 's.txt', size: bytes.length });
      expect((await sent({ content })).content).toBe(text);
    }
  });

  it('does not count what the caller changes later', async () => {
    const { files, requests } = await host('v2 modern', () => CREATED);
    const content = Uint8Array.of(1, 2, 3);
    const metadata = { tags: ['a'] };
    const creating = files.resources.create({ name: 'a', content, metadata });
    content.fill(9);
    metadata.tags.push('b');
    await creating;
    expect(requests[0]?.params).toMatchObject({ content: 'AQID', metadata: { tags: ['a'] } });
  });
});

describe('what is refused before anything is sent', () => {
  it.each<[string, unknown]>([
    ['no name', { content: 'x' }],
    ['an empty name', { name: ' ', content: 'x' }],
    ['a number as content', { name: 'a', content: 1 }],
    ['nothing', undefined],
    ['a type that is none', { name: 'a', content: 'x', mimeType: 'text' }],
    ['a type with a line break', { name: 'a', content: 'x', mimeType: 'text/plain\r\nx: y' }],
    ['another encoding', { name: 'a', content: 'x', encoding: 'hex' }],
    ['base64 under a text type', { name: 'a', content: 'x', encoding: 'base64' }],
    ['no UTF-8 under a text type', { name: 'a', content: LATIN_1, mimeType: 'text/plain' }],
    ['no UTF-8 in a text file', { content: fromBytes(LATIN_1, { name: 'a.txt' }) }],
    ['no UTF-8 as text', { name: 'a', content: LATIN_1, encoding: 'text' }],
    ['half a surrogate pair', { name: 'a', content: '\uD83D' }],
    ['metadata that is a list', { name: 'a', content: 'x', metadata: [] }],
    ['metadata that has no JSON', { name: 'a', content: 'x', metadata: { x: 1n } }],
    ['a ttl that is no number', { name: 'a', content: 'x', metadata: { ttl: '60' } }],
    ['a negative ttl', { name: 'a', content: 'x', metadata: { ttl: -1 } }],
    ['tags that are no list', { name: 'a', content: 'x', metadata: { tags: 'a' } }],
  ])('%s', async (_, resource) => {
    const { files, requests } = await host('v2 modern', () => CREATED);
    const error = await thrown(files.resources.create(resource as NewResource));
    expect(error).toMatchObject({ name: 'FilesError', code: 'argument_invalid', outcome: 'not_run' });
    expect(requests).toEqual([]);
  });

  it('names a type to use for bytes that are no text', async () => {
    const { files } = await host('v2 modern', () => CREATED);
    const error = await thrown(files.resources.create({ name: 'a', content: LATIN_1, mimeType: 'text/plain' }));
    expect(error.message).toContain('application/octet-stream');
  });

  it.each([
    ['maxBytes', {}, { maxBytes: 3 }, 3],
    ['inlineLimit', { inlineLimit: 2 }, {}, 2],
    ['maxBytes over inlineLimit', { inlineLimit: 2 }, { maxBytes: 3 }, 3],
    ['the default', {}, {}, 134_217_728],
  ])('content over %s, unread', async (_, clientOptions, createOptions, maxSize) => {
    const { files, requests } = await host('v2 modern', () => CREATED, clientOptions);
    const open = vi.fn(() => new ReadableStream<Uint8Array>());
    const content = fromStream(open, { name: 's', size: maxSize + 1 });
    const error = await thrown(files.resources.create({ content }, createOptions));
    expect(error).toMatchObject({
      code: 'file_too_large',
      outcome: 'not_run',
      details: { limit: 'inline', size: maxSize + 1, maxSize },
    });
    expect(open).not.toHaveBeenCalled();
    expect(requests).toEqual([]);
  });
});

describe.each(FLAVOURS)('%s', flavour => {
  it.each([
    [-32602, 'resource_rejected'],
    [-32000, 'resource_storage_failed'],
    [-32601, 'resource_unsupported'],
    [-32003, 'resource_forbidden'],
    [403, 'resource_forbidden'],
  ])('create answered with %d is %s, with the words of the server', async (code, name) => {
    const { files } = await host(flavour, () => {
      throw rpcError(code, 'said the server', { why: 'because' });
    });
    expect(await thrown(files.resources.create({ name: 'a', content: 'x' }))).toMatchObject({
      code: name,
      outcome: 'not_run',
      message: expect.stringMatching(/: said the server$/),
      details: { method: 'resources/create', code, message: 'said the server', data: { why: 'because' } },
    });
  });

  it.each([
    [-32602, 'resource_not_found'],
    [-32002, 'resource_not_found'],
    [-32000, 'resource_storage_failed'],
    [-32010, 'resource_forbidden'],
  ])('delete answered with %d is %s', async (code, name) => {
    const { files } = await host(flavour, () => {
      throw rpcError(code, 'said the server');
    });
    expect(await thrown(files.resources.delete('x:1'))).toMatchObject({ code: name, details: { code } });
  });

  it.each([-32603, -32021])('an error %d is the SDK’s own', async code => {
    const { files } = await host(flavour, () => {
      throw rpcError(code, 'said the server');
    });
    const error = await thrown(files.resources.create({ name: 'a', content: 'x' }));
    expect(error.code).toBe(code);
    expect(error.name).not.toBe('FilesError');
  });

  it.each([
    [
      'HTTP 413',
      () => new Response('<html>', { status: 413 }),
      { code: 'file_too_large', outcome: 'not_run', details: { limit: 'transport', size: 1 } },
    ],
    [
      'HTTP 500',
      () => new Response('oops', { status: 500 }),
      { code: 'outcome_unknown', outcome: 'unknown', details: { reason: 'response_lost', status: 500 } },
    ],
  ])('%s', async (_, response, expected) => {
    const { files } = await host(flavour, () => {
      throw response();
    });
    expect(await thrown(files.resources.create({ name: 'a', content: 'x' }))).toMatchObject(expected);
  });

  it('an answer without a uri is the server’s fault, after the fact', async () => {
    const { files } = await host(flavour, () => ({ name: 'a' }));
    expect(await thrown(files.resources.create({ name: 'a', content: 'x' }))).toMatchObject({
      code: 'server_violation',
      outcome: 'completed',
    });
  });

  it('a date that is none is left out', async () => {
    const { files } = await host(flavour, () => ({ uri: 'x:1', createdAt: 'now' }));
    expect(await files.resources.create({ name: 'a', content: 'x' })).toEqual({
      uri: 'x:1',
      name: 'a',
      mimeType: 'text/plain',
    });
  });

  it('can be stopped before and while it waits, and leaves nothing on the signal', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const { files } = await host(flavour, () => {
      controller.abort(reason);
      return new Promise<Json>(() => {});
    });
    const { signal } = controller;
    const error = await thrown(files.resources.create({ name: 'a', content: 'x' }, { signal }));
    expect(error).toMatchObject({ code: 'aborted', outcome: 'unknown', cause: reason });
    expect(await thrown(files.resources.create({ name: 'a', content: 'x' }, { signal }))).toMatchObject({
      code: 'aborted',
      outcome: 'not_run',
    });
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('tells its progress, and is done when the server says so', async () => {
    const { files } = await host(flavour, () => CREATED);
    const seen: unknown[] = [];
    const onProgress = (p: Json) => seen.push([p.phase, p.sentBytes, p.totalBytes]);
    await files.resources.create({ name: 'a', content: 'four' }, { onProgress: onProgress as never });
    expect(seen).toEqual([
      ['reading', 0, 4],
      ['calling', 0, 4],
      ['calling', 4, 4],
    ]);
  });

  it('is not sent to a server that does not advertise it', async () => {
    const { files, requests } = await host(flavour, () => CREATED, { resources: { subscribe: true } });
    expect(await files.resources.supported()).toEqual({
      create: false,
      delete: false,
      subscribe: true,
      listChanged: false,
    });
    expect(await thrown(files.resources.create({ name: 'a', content: 'x' }))).toMatchObject({
      code: 'resource_unsupported',
    });
    expect(await thrown(files.resources.delete('x:1'))).toMatchObject({ code: 'resource_unsupported' });
    expect(requests).toEqual([]);
  });

  it('throws before connect and after close', async () => {
    const { files, mcp } = await host(flavour, () => CREATED);
    await mcp.close();
    expect(await thrown(files.resources.supported())).toMatchObject({ code: 'not_connected' });
    expect(await thrown(files.resources.create({ name: 'a', content: 'x' }))).toMatchObject({ code: 'not_connected' });
    await files.close();
    expect(await thrown(files.resources.delete('x:1'))).toMatchObject({ code: 'aborted' });
  });

  it('sees the capability of later connections', async () => {
    const { files, reconnect } = await host(flavour, () => CREATED);
    await files.resources.create({ name: 'a', content: 'x' });
    await reconnect();
    await files.resources.create({ name: 'a', content: 'x' });
  });
});

it.each(['v2 legacy', 'v1'] as const)(
  '%s: names the option without which the capability cannot be seen',
  async flavour => {
    const { files, requests } = await host(flavour, () => CREATED, { showTransport: false });
    expect(await files.resources.supported()).toMatchObject({ create: false, delete: false, subscribe: true });
    const error = await thrown(files.resources.create({ name: 'a', content: fromBlob(new Blob(['x'])) }));
    expect(error).toMatchObject({ code: 'resource_unsupported', details: { visible: false } });
    expect(error.message).toContain('"transport"');
    expect(requests).toEqual([]);
  },
);
