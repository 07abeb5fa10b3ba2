import { afterEach, describe, expect, it, vi } from 'vitest';
import { FLAVOURS } from '../support/clients.js';
import { all, type Json, rpcError, scripted, thrown } from './scripted.js';

const hosts: AsyncDisposable[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host[Symbol.asyncDispose]();
});

async function host(...parameters: Parameters<typeof scripted>) {
  const made = await scripted(...parameters);
  hosts.push(made);
  return made;
}

describe.each(FLAVOURS)('%s', flavour => {
  it.each<[string, Json, Json]>([
    ['text without a type', { uri: 'x:1', text: 'a' }, { uri: 'x:1', text: 'a' }],
    [
      'text under the type of an image',
      { uri: 'x:1', mimeType: 'image/png', text: 'a' },
      { uri: 'x:1', mimeType: 'image/png', text: 'a' },
    ],
    ['empty text', { uri: 'x:1', text: '' }, { uri: 'x:1', text: '' }],
    [
      'a blob under a text type',
      { uri: 'x:1', mimeType: 'text/plain', blob: 'YQ==' },
      { uri: 'x:1', mimeType: 'text/plain', bytes: Uint8Array.of(97) },
    ],
    ['an empty blob', { uri: 'x:1', blob: '' }, { uri: 'x:1', bytes: new Uint8Array() }],
    ['URL-safe base64', { uri: 'x:1', blob: '-_8=' }, { uri: 'x:1', bytes: Uint8Array.of(251, 255) }],
    ['base64 without padding', { uri: 'x:1', blob: 'YQ' }, { uri: 'x:1', bytes: Uint8Array.of(97) }],
    ['a type that is none', { uri: 'x:1', mimeType: 'an image', text: 'a' }, { uri: 'x:1', text: 'a' }],
    ['a type that is no text', { uri: 'x:1', mimeType: 7, text: 'a' }, { uri: 'x:1', text: 'a' }],
    ['no uri', { text: 'a' }, { uri: 'x:asked', text: 'a' }],
    ['another uri', { uri: 'y:2', text: 'a' }, { uri: 'y:2', text: 'a' }],
    [
      'bad annotations',
      { uri: 'x:1', text: 'a', annotations: { priority: 7, audience: ['user'] } },
      { uri: 'x:1', text: 'a', annotations: { audience: ['user'] } },
    ],
  ])('reads %s', async (_, content, expected) => {
    const { files } = await host(flavour, () => ({ contents: [content] }));
    expect(await files.resources.read('x:asked')).toEqual([expected]);
  });

  it.each<[string, Json]>([
    ['no contents', { contents: [] }],
    ['no list', {}],
    ['a content that is neither', { contents: [{ uri: 'x:1' }] }],
    ['a blob that is no base64', { contents: [{ uri: 'x:1', blob: '!!' }] }],
    ['nothing as a content', { contents: [null] }],
  ])('%s is the fault of the server', async (_, result) => {
    const { files } = await host(flavour, () => result);
    expect(await thrown(files.resources.read('x:1'))).toMatchObject({ code: 'server_violation', outcome: 'completed' });
  });

  it.each([-32602, -32002])('%d is a missing resource', async code => {
    const { files } = await host(flavour, () => {
      throw rpcError(code, 'not here', { uri: 'x:1' });
    });
    expect(await thrown(files.resources.read('x:1'))).toMatchObject({
      code: 'resource_not_found',
      // SDK v2 gives the older code as the newer one.
      details: { code: flavour === 'v1' ? code : -32602, message: 'not here', data: { uri: 'x:1' } },
    });
  });

  it('any other error is the SDK’s own', async () => {
    const { files } = await host(flavour, () => {
      throw rpcError(-32603, 'broken');
    });
    const error = await thrown(files.resources.read('x:1'));
    expect([error.code, error.name === 'FilesError']).toEqual([-32603, false]);
  });

  it('sends URIs as they are', async () => {
    const { files, requests } = await host(flavour, (_, { uri }) => ({ contents: [{ uri, text: '' }] }));
    const uris = ['1password://a b/ü', 'everything__demo://x', 'HTTP://Example.com/../a', 'no-scheme'];
    for (const uri of uris) await files.resources.read(uri);
    expect(requests.map(({ params }) => params.uri)).toEqual(uris);
    expect(await thrown(files.resources.read(''))).toMatchObject({ code: 'argument_invalid' });
    expect(await thrown(files.resources.read(undefined as never))).toMatchObject({ code: 'argument_invalid' });
  });

  it('refuses more than maxBytes', async () => {
    const { files } = await host(flavour, () => ({
      contents: [
        { uri: 'x:1', blob: 'AAAA' },
        { uri: 'x:2', text: 'abc' },
      ],
    }));
    expect(await files.resources.read('x:1', { maxBytes: 6 })).toHaveLength(2);
    expect(await thrown(files.resources.read('x:1', { maxBytes: 5 }))).toMatchObject({
      code: 'download_too_large',
      details: { size: 6, maxBytes: 5 },
    });
  });

  it('answers rounds with the state as it came, and gives up after maxRounds', async () => {
    let rounds = 0;
    const round = (): Json => ({
      resultType: 'input_required',
      requestState: `s${++rounds}`,
      inputRequests: {
        q: {
          method: 'elicitation/create',
          params: { mode: 'form', message: 'm', requestedSchema: { type: 'object', properties: {} } },
        },
      },
    });
    const onInputRequest = vi.fn(() => ({ action: 'accept' }));
    const answer = (_: string, { requestState }: Json): Json =>
      requestState === 's2' ? { contents: [{ uri: 'x:1', text: 'ok' }] } : round();
    const { files, requests } = await host(flavour, answer, { onInputRequest });
    expect(await files.resources.read('x:1')).toMatchObject([{ text: 'ok' }]);
    expect(requests.map(({ params }) => params)).toEqual([
      { uri: 'x:1' },
      { uri: 'x:1', requestState: 's1', inputResponses: { q: { action: 'accept' } } },
      { uri: 'x:1', requestState: 's2', inputResponses: { q: { action: 'accept' } } },
    ]);
    const endless = await host(flavour, round, { onInputRequest, maxRounds: 2 });
    expect(await thrown(endless.files.resources.read('x:1'))).toMatchObject({ code: 'too_many_rounds' });
    expect(endless.requests).toHaveLength(3);
  });

  it('lists empty pages, and items whose hints are wrong', async () => {
    const pages: Json = {
      undefined: { resources: [], nextCursor: '' },
      '': {
        resources: [{ uri: 'x:1', annotations: { priority: 9, lastModified: 'x' } }, { name: 'no uri' }, null],
        nextCursor: 'b',
      },
      b: { resources: [], nextCursor: 'c' },
      c: { resources: [{ uri: 'x:2', title: 'Two', size: 3, own: true }] },
    };
    const { files, requests } = await host(flavour, (_, { cursor }) => pages[String(cursor)]);
    expect(await all(files.resources.list())).toEqual([
      { uri: 'x:1', name: 'x:1', annotations: {} },
      { uri: 'x:2', name: 'Two', title: 'Two', size: 3, own: true },
    ]);
    expect(requests.map(({ params }) => params.cursor)).toEqual([undefined, '', 'b', 'c']);
  });

  it('ends where a cursor comes back, after what it had', async () => {
    const { files } = await host(flavour, (_, { cursor }) => ({
      resourceTemplates: [{ uriTemplate: 'x:{y}', name: String(cursor) }],
      nextCursor: cursor === 'a' ? 'b' : 'a',
    }));
    const seen: string[] = [];
    const reading = (async () => {
      for await (const { name } of files.resources.templates()) seen.push(name);
    })();
    expect(await thrown(reading)).toMatchObject({ code: 'server_violation', details: { reason: 'endless_list' } });
    expect(seen).toEqual(['undefined', 'a', 'b']);
  });

  it('gives up on a list of nothing but empty pages', async () => {
    let page = 0;
    const { files } = await host(flavour, () => ({ resources: [], nextCursor: String(++page) }));
    expect(await thrown(all(files.resources.list()))).toMatchObject({ code: 'server_violation' });
    expect(page).toBe(1000);
  });

  it('asks for a page when it is wanted, and not before', async () => {
    const { files, requests } = await host(flavour, (_, { cursor = '0' }) => ({
      resources: [{ uri: `x:${cursor}`, name: 'x' }],
      nextCursor: String(Number(cursor) + 1),
    }));
    for await (const { uri } of files.resources.list()) if (uri === 'x:1') break;
    expect(requests).toHaveLength(2);
  });

  it('a list that is none is the fault of the server', async () => {
    const { files } = await host(flavour, () => ({ resources: {} }));
    expect(await thrown(all(files.resources.list()))).toMatchObject({ code: 'server_violation' });
  });
});

describe('https resources', () => {
  const files = { contents: [{ uri: 'https://example.com/a', text: 'from the server' }] };

  it('are asked of the server, unless the host wants them fetched', async () => {
    const fetch = vi.fn(async () => new Response('from the web'));
    const { files: client, requests } = await host('v2 modern', () => files, { fetch: fetch as never });
    expect(await client.resources.read('https://example.com/a')).toMatchObject([{ text: 'from the server' }]);
    expect(fetch).not.toHaveBeenCalled();
    const [content] = await client.resources.read('https://example.com/a?sig=1', { fetchHttps: true });
    expect([content?.uri, Buffer.from(content!.bytes!).toString()]).toEqual([
      'https://example.com/a?sig=1',
      'from the web',
    ]);
    expect(fetch).toHaveBeenCalledTimes(1);
    expect(requests).toHaveLength(1);
    expect(await client.resources.read('x:1', { fetchHttps: true })).toHaveLength(1);
  });

  it.each([
    ['https://127.0.0.1/a', 'private_address'],
    ['https://user@example.com/a', 'userinfo'],
    ['https://other.example/a', 'host_denied'],
  ])('%s is refused by policy: %s', async (uri, reason) => {
    const fetch = vi.fn();
    const { files: client } = await host('v2 modern', () => files, {
      fetch: fetch as never,
      policy: { denyHosts: ['other.example'] },
    });
    expect(await thrown(client.resources.read(uri, { fetchHttps: true }))).toMatchObject({
      code: 'target_refused',
      details: { reason },
    });
    expect(fetch).not.toHaveBeenCalled();
  });

  it('are bounded', async () => {
    const { files: client } = await host('v2 modern', () => files, {
      fetch: (async () => new Response('12345')) as never,
    });
    expect(
      await thrown(client.resources.read('https://example.com/a', { fetchHttps: true, maxBytes: 4 })),
    ).toMatchObject({
      code: 'download_too_large',
    });
  });
});
