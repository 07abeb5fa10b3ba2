import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createFetchEngine } from '../../src/transfer/fetch-engine.js';

/**
 * With `cache: 'no-store'` the fetch standard (HTTP-network-or-cache fetch) adds `Cache-Control: no-cache` and `Pragma:
 * no-cache` to the request. On an upload, Amazon S3 and Google Cloud Storage keep a Cache-Control as metadata of the
 * object: it would be served as never cacheable.
 */
test.each(['PUT', 'POST'] as const)('an upload through fetch carries no Cache-Control of its own: %s', async method => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(...Object.keys(request.headers));
    request.resume().on('end', () => response.end());
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const engine = createFetchEngine(globalThis.fetch, {});
  const bytes = new Uint8Array([1]);
  const response = await engine.send({
    method,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    path: '/object',
    headers: [],
    body: {
      length: 1,
      isStream: false,
      async *chunks() {
        yield bytes;
      },
      blob: async () => new Blob([bytes]),
    },
    signal: new AbortController().signal,
  });
  await response.discard();
  await engine.close();
  expect(seen).toContain('host');
  expect(seen).not.toContain('cache-control');
  expect(seen).not.toContain('pragma');
});

test('a download through fetch still asks for nothing of a cache', async () => {
  const modes: (RequestCache | undefined)[] = [];
  const engine = createFetchEngine(async (_url, init) => {
    modes.push(init?.cache);
    return new Response('content');
  }, {});
  const request = { method: 'GET', origin: 'http://127.0.0.1', path: '/object', headers: [] } as const;
  const response = await engine.send({ ...request, signal: new AbortController().signal });
  await response.discard();
  await engine.close();
  expect(modes).toEqual(['no-store']);
});
