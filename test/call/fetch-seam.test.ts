import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type FilesClientOptions, fromBytes, fromStream, isFilesError } from '../../src/index.js';
import { type Connected, connect, FLAVOURS } from '../support/clients.js';
import {
  done,
  inputRequired,
  type ScriptedServer,
  startScriptedServer,
  uploadEntry,
} from '../support/scripted-server.js';
import { publish } from '../support/tools.js';

interface Seen {
  method: string;
  url: string;
  headers: Headers;
  body: string;
  credentials: string;
  redirect: string;
}

const storage = setupServer();
beforeAll(() => storage.listen({ onUnhandledRequest: 'bypass' }));
afterEach(() => storage.resetHandlers());
afterAll(() => storage.close());

describe.each(FLAVOURS)('transfers through the fetch option, mocked by msw, on %s', flavour => {
  let server: ScriptedServer;
  let host: Connected;
  const seen: Seen[] = [];

  const start = async (targets: Record<string, unknown>, options: FilesClientOptions = {}): Promise<Connected> => {
    seen.length = 0;
    server = await startScriptedServer({
      tools: [publish],
      onCall: (_, index) => (index === 0 ? inputRequired({ up: uploadEntry(targets) }, 's') : done()),
    });
    host = await connect(flavour, server.url, { fetch: globalThis.fetch, inlineLimit: 0, ...options });
    return host;
  };
  const answerWith = (make: () => Response): void => {
    storage.use(
      http.all('https://storage.example/*', async ({ request }) => {
        const { method, url, headers, credentials, redirect } = request;
        seen.push({ method, url, headers, body: await request.clone().text(), credentials, redirect });
        return make() as HttpResponse<string>;
      }),
    );
  };
  afterEach(async () => {
    await host[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  it('sends PUT, POST and form without a header of its own', async () => {
    answerWith(() => new HttpResponse(null, { status: 201 }));
    const { files } = await start({
      '/deck': { url: 'https://storage.example/put?sig=a%20b', headers: { 'x-ms-blob-type': 'BlockBlob' } },
      '/assets/0': { url: 'https://storage.example/post', method: 'POST' },
      '/assets/1': { url: 'https://storage.example/form', form: { fields: [['key', 'v']], fileField: 'f' } },
    });
    const result = await files.callToolWithFiles({
      name: 'publish',
      arguments: {
        site: 's',
        deck: fromBytes('put', { name: 'a.pdf' }),
        assets: [fromBytes('post', { name: 'b.txt' }), fromBytes('form', { name: 'c.txt' })],
      },
    });
    const byUrl = new Map(seen.map(one => [new URL(one.url).pathname, one]));
    expect(byUrl.get('/put')).toMatchObject({
      method: 'PUT',
      body: 'put',
      url: 'https://storage.example/put?sig=a%20b',
    });
    expect(byUrl.get('/put')!.headers.get('content-type')).toBeNull();
    expect(byUrl.get('/put')!.headers.get('x-ms-blob-type')).toBe('BlockBlob');
    expect(byUrl.get('/post')).toMatchObject({ method: 'POST', body: 'post' });
    expect(byUrl.get('/post')!.headers.get('content-type')).toBeNull();
    expect(byUrl.get('/form')!.headers.get('content-type')).toMatch(/^multipart\/form-data; boundary=/);
    expect(byUrl.get('/form')!.body).toMatch(/name="key"[\s\S]*name="f"; filename="c.txt"[\s\S]*form/);
    for (const { credentials, redirect } of seen) {
      expect(credentials).toBe('omit');
      expect(redirect).toBe('manual');
    }
    expect(result.transfers.map(({ mode, status }) => [mode, status])).toEqual([
      ['put', 201],
      ['post', 201],
      ['form', 201],
    ]);
  });

  it.each([
    [
      'a refusal',
      () => HttpResponse.xml('<Error><Code>AccessDenied</Code><X>SECRET</X></Error>', { status: 403 }),
      403,
    ],
    ['a redirect', () => new HttpResponse(null, { status: 307, headers: { location: 'https://evil.example/' } }), 307],
    ['a network error', () => HttpResponse.error(), undefined],
  ] as const)('ends the call on %s without a retry', async (_, make, status) => {
    answerWith(make as () => Response);
    const { files } = await start({ '/deck': { url: 'https://storage.example/put?sig=SECRET' } });
    const error = await files
      .callToolWithFiles({ name: 'publish', arguments: { site: 's', deck: fromBytes('x', { name: 'x' }) } })
      .catch((thrown: unknown) => thrown);
    expect(isFilesError(error) && error.code).toBe('transfer_failed');
    expect(error).toMatchObject({ outcome: 'not_run' });
    const [failure] = (error as { failures: { status?: number }[] }).failures;
    expect([status, 0, undefined]).toContain(failure!.status);
    expect(JSON.stringify(error) + String((error as Error).stack)).not.toContain('SECRET');
    expect(server.calls).toHaveLength(1);
  });

  it.each(['https://storage.example/a/../k', "https://storage.example/it's?x='"])(
    'refuses %s, which fetch would rewrite',
    async url => {
      answerWith(() => new HttpResponse(null));
      const { files } = await start({ '/deck': { url } });
      const error = await files
        .callToolWithFiles({ name: 'publish', arguments: { site: 's', deck: fromBytes('x', { name: 'x' }) } })
        .catch((thrown: unknown) => thrown);
      // An apostrophe in a path survives WHATWG parsing; in a query it does not.
      expect(error).toMatchObject({ code: 'target_refused', details: { reason: 'url_not_verbatim' } });
      expect(seen).toHaveLength(0);
    },
  );

  it.each(['http://storage.example/put', 'https://10.0.0.8/put', 'https://intranet/put', 'https://db.internal/put'])(
    'refuses %s by name, since fetch resolves elsewhere',
    async url => {
      const { files } = await start({ '/deck': { url } });
      const error = await files
        .callToolWithFiles({ name: 'publish', arguments: { site: 's', deck: fromBytes('x', { name: 'x' }) } })
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'target_refused', outcome: 'not_run', pointer: '/deck' });
    },
  );

  it('collects a stream of known size first, and refuses one that lied', async () => {
    answerWith(() => new HttpResponse(null));
    const stream = (size: number) =>
      fromStream(
        async function* () {
          yield new TextEncoder().encode('one ');
          yield new TextEncoder().encode('two');
        },
        { name: 's.txt', size },
      );
    const { files } = await start({ '/deck': { url: 'https://storage.example/put' } });
    await files.callToolWithFiles({ name: 'publish', arguments: { site: 's', deck: stream(7) } });
    expect(seen[0]!.body).toBe('one two');
    await host[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
    const second = await start({ '/deck': { url: 'https://storage.example/put' } });
    const error = await second.files
      .callToolWithFiles({ name: 'publish', arguments: { site: 's', deck: stream(9) } })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'file_changed', outcome: 'not_run' });
  });
});
