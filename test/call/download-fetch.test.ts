import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isFilesError } from '../../src/index.js';
import { type FakeTransfer, transferHandlers } from '../../src/testing/index.js';
import { FLAVOURS } from '../support/clients.js';
import { cleanUps, digestOf, returning } from '../support/returned.js';

const cleanUp = cleanUps();
const storage = setupServer();
beforeAll(() => storage.listen({ onUnhandledRequest: 'bypass' }));
afterEach(() => storage.resetHandlers());
afterAll(() => storage.close());

describe.each(FLAVOURS)('downloads through the fetch option, mocked by msw, on %s', flavour => {
  const start = async (...downloads: Record<string, unknown>[]) => {
    const { host, files } = await returning(cleanUp, flavour, () => downloads, {}, { fetch: globalThis.fetch });
    return { client: host.files, files };
  };

  it('fetches, verifies and saves, with the headers of the target', async () => {
    const seen: FakeTransfer[] = [];
    const url = 'https://storage.example/returned?sig=a%20b';
    const headers = { 'x-signed': 'yes' };
    storage.use(...transferHandlers([{ url, headers, content: 'content', onTransfer: each => void seen.push(each) }]));
    const { client, files } = await start({ name: 'out/a.txt', url, headers, size: 7, digest: digestOf('content') });
    const dir = await mkdtemp(join(tmpdir(), 'download-'));
    cleanUp.push(() => rm(dir, { recursive: true }));
    const { path } = await client.download(files[0]!, { dir });
    expect(await readFile(path!, 'utf8')).toBe('content');
    expect(await readdir(join(dir, 'out'))).toEqual(['a.txt']);
    expect(seen).toMatchObject([{ method: 'GET', headers }]);
    expect(Buffer.from(await (await client.download(files[0]!)).bytes()).toString()).toBe('content');
  });

  it('follows a redirect that the policy allows, without the headers of the target', async () => {
    const seen: Headers[] = [];
    storage.use(
      http.get(
        'https://storage.example/*',
        () => new HttpResponse(null, { status: 302, headers: { location: 'https://cdn.example/x' } }),
      ),
      http.get('https://cdn.example/x', ({ request }) => {
        seen.push(request.headers);
        return HttpResponse.text('content');
      }),
    );
    const { client, files } = await start({
      name: 'a',
      url: 'https://storage.example/x',
      headers: { 'x-signed': 'yes' },
    });
    expect((await (await client.download(files[0]!)).bytes()).byteLength).toBe(7);
    expect(seen.map(headers => headers.get('x-signed'))).toEqual([null]);
  });

  it.each<[string, () => Response, Record<string, unknown>]>([
    [
      'a refusal',
      () => HttpResponse.xml('<Error><Code>NoSuchKey</Code><X>SECRET</X></Error>', { status: 404 }),
      { status: 404, serviceCode: 'NoSuchKey' },
    ],
    [
      'a redirect inwards',
      () => new HttpResponse(null, { status: 307, headers: { location: 'https://10.0.0.1/SECRET' } }),
      { reason: 'private_address' },
    ],
    ['a network error', () => HttpResponse.error(), { reason: 'fetch_failed' }],
  ])('fails on %s', async (_, make, details) => {
    storage.use(http.get('https://storage.example/*', () => make() as HttpResponse<string>));
    const { client, files } = await start({ name: 'a', url: 'https://storage.example/x?sig=SECRET' });
    const error = await (await client.download(files[0]!)).bytes().catch((thrown: unknown) => thrown);
    expect(isFilesError(error) && error.outcome).toBe('completed');
    expect(error).toMatchObject({ details });
    expect(JSON.stringify(error) + String((error as Error).stack)).not.toContain('SECRET');
  });

  it('refuses a URL that fetch would rewrite', async () => {
    const { client, files } = await start({ name: 'a', url: 'https://storage.example/a/../k' });
    await expect(client.download(files[0]!)).rejects.toMatchObject({
      code: 'target_refused',
      details: { reason: 'url_not_verbatim' },
    });
  });
});
