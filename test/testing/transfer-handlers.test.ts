import type { RequestHandler } from 'msw';
import { setupServer } from 'msw/node';
import { afterEach, describe, expect, it } from 'vitest';
import { type FakeTarget, type FakeTransfer, transferHandlers } from '../../src/testing/index.js';
import { bytesOf, send } from './raw-client.js';

let storage: ReturnType<typeof setupServer> | undefined;
afterEach(() => storage?.close());

/** Fake storage; anything it does not know fails the test instead of leaving this machine. */
function fake(...targets: FakeTarget[]): void {
  storage = setupServer(...transferHandlers(targets));
  storage.listen({ onUnhandledRequest: 'error' });
}

const BODY = bytesOf(1000);
const URL_OF_TARGET = 'https://bucket.example/a/(b)*:c?sig=1+2%20';

describe('transferHandlers', () => {
  // The typings name no type of msw: these lines hold as soon as they compile.
  it('fits what msw takes, without a cast', () => {
    const kept = transferHandlers([{ url: URL_OF_TARGET }]);
    storage = setupServer(...kept, ...transferHandlers([]));
    storage.use(...transferHandlers([{ url: 'https://other.example/' }]));
    const typed: RequestHandler[] = transferHandlers([]);
    storage.resetHandlers(...typed, ...kept);
    expect(storage.listHandlers()).toHaveLength(1);
  });

  it('takes a PUT with its headers', async () => {
    const sent: FakeTransfer[] = [];
    const headers = { 'content-type': 'image/png', 'x-ms-blob-type': 'BlockBlob' };
    fake({ url: URL_OF_TARGET, headers, status: 201, onTransfer: transfer => sent.push(transfer) });
    const target = { url: URL_OF_TARGET, method: 'PUT', headers };
    expect((await send(target, BODY)).status).toBe(201);
    expect(sent).toMatchObject([{ method: 'PUT', headers, bytes: BODY }]);
    expect((await send({ ...target, headers: {} }, BODY)).status).toBe(403);
    expect((await send({ ...target, method: 'POST' }, BODY)).status).toBe(405);
    expect(sent).toHaveLength(1);
  });

  it('takes a form with its fields in order and the file last', async () => {
    const sent: FakeTransfer[] = [];
    const form = {
      fields: [
        { name: 'key', value: 'k' },
        { name: 'policy', value: 'p' },
      ],
      fileField: 'upload',
    };
    fake({ url: URL_OF_TARGET, form, status: 204, onTransfer: transfer => sent.push(transfer) });
    const target = { url: URL_OF_TARGET, method: 'POST', form };
    expect((await send(target, BODY)).status).toBe(204);
    expect(sent).toMatchObject([
      {
        bytes: BODY,
        filename: 'upload.bin',
        fields: [
          ['key', 'k'],
          ['policy', 'p'],
        ],
      },
    ]);
    for (const wrong of [
      { ...form, fields: [...form.fields].reverse() },
      { ...form, fields: form.fields.slice(1) },
      { ...form, fileField: 'file' },
    ]) {
      expect((await send({ ...target, form: wrong }, BODY)).status).toBe(400);
    }
    expect((await fetch(URL_OF_TARGET, { method: 'POST', body: BODY as never })).status).toBe(400);
    expect(sent).toHaveLength(1);
  });

  it('tells targets with the same path apart by their query', async () => {
    const sent: string[] = [];
    const url = (n: number): string => `https://bucket.example/k?n=${n}`;
    fake(
      { url: url(1), onTransfer: () => sent.push('one') },
      { url: url(2), status: 500, onTransfer: () => sent.push('two') },
    );
    expect((await send({ url: url(2), method: 'PUT' }, BODY)).status).toBe(500);
    expect((await send({ url: url(1), method: 'PUT' }, BODY)).status).toBe(200);
    const tampered = await send({ url: url(3), method: 'PUT' }, BODY);
    expect([tampered.status, await tampered.text()]).toEqual([403, expect.stringContaining('SignatureDoesNotMatch')]);
    expect(sent).toEqual(['two', 'one']);
  });

  it('serves downloads', async () => {
    fake({ url: 'https://dl.example/text', content: 'hello' }, { url: 'https://dl.example/bytes', content: BODY });
    expect(await (await fetch('https://dl.example/text')).text()).toBe('hello');
    expect(new Uint8Array(await (await fetch('https://dl.example/bytes')).arrayBuffer())).toEqual(BODY);
  });
});
