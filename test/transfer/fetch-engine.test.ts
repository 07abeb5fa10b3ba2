import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { fromBlob } from '../../src/source/from-blob.js';
import { fromStream } from '../../src/source/from-stream.js';
import { createFetchEngine } from '../../src/transfer/fetch-engine.js';
import { answer, type Storage, storage } from './support/server.js';
import { failure, send, transferFailure } from './support/upload.js';

let server: Storage | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** The real fetch, and what it was called with. */
function recording() {
  const calls: Array<[url: unknown, init: RequestInit]> = [];
  const engine = createFetchEngine(async (url, init) => {
    calls.push([url, init!]);
    return fetch(url, init);
  });
  return { calls, engine };
}

describe('the fetch engine', () => {
  it('sends the file with its length and no type of its own', async () => {
    server = await storage(() => answer(201, 'stored'));
    const { engine, calls } = recording();
    const file = fromBlob(new Blob(['content'], { type: 'text/plain' }));
    const target = { requestPath: '/a?b=c%2F', headers: [['x-ms-blob-type', 'BlockBlob']] as const };
    expect(await send(engine, server.origin, { file, target })).toMatchObject({ status: 201, bytes: 7 });
    const [request] = server.requests;
    expect(request!.line).toBe('PUT /a?b=c%2F HTTP/1.1');
    expect(request!.header('content-length')).toBe('7');
    expect(request!.header('content-type')).toBeUndefined();
    expect(request!.header('transfer-encoding')).toBeUndefined();
    expect(request!.header('x-ms-blob-type')).toBe('BlockBlob');
    expect(request!.body.toString()).toBe('content');
    expect(calls[0]![1]).toMatchObject({
      redirect: 'manual',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    });
  });

  it('sends forms with their boundary, and empty files', async () => {
    server = await storage();
    const { engine } = recording();
    await send(engine, server.origin, { target: { form: { fields: [['key', 'a']], fileField: 'file' } } });
    const [request] = server.requests;
    const boundary = /boundary=(.+)$/.exec(request!.header('content-type')!)![1];
    expect(request!.body.toString()).toContain(`\r\n\r\ncontent\r\n--${boundary}--\r\n`);
    await send(engine, server.origin, { file: '' });
    expect(server.requests[1]!.header('content-length')).toBe('0');
  });

  it('collects a stream, up to its limit', async () => {
    server = await storage();
    const engine = createFetchEngine(fetch, { maxStreamBytes: 10 });
    const stream = (size: number) => fromStream(() => new Blob(['x'.repeat(size)]).stream(), { name: 'a', size });
    await send(engine, server.origin, { file: stream(10) });
    expect(server.requests[0]!.header('content-length')).toBe('10');
    expect(await transferFailure(send(engine, server.origin, { file: stream(11) }))).toEqual({
      code: 'transfer_failed',
      pointer: '/document',
      reason: 'stream_needs_built_in_engine',
    });
    expect(server.requests).toHaveLength(1);
  });

  it.each([301, 303, 307])('does not follow a %i', async status => {
    server = await storage(() => answer(status, '', { Location: '/elsewhere' }));
    expect(await transferFailure(send(recording().engine, server.origin))).toMatchObject({
      status,
      reason: 'redirected',
    });
    expect(server.requests).toHaveLength(1);
  });

  it('takes the opaque redirect of a browser for a failure', async () => {
    const opaque = Object.defineProperties(new Response(null), {
      type: { value: 'opaqueredirect' },
      status: { value: 0 },
    });
    const engine = createFetchEngine(async () => opaque);
    expect(await transferFailure(send(engine, 'https://storage.test'))).toEqual({
      code: 'transfer_failed',
      pointer: '/document',
      reason: 'redirected',
    });
  });

  it('keeps the code of a refusal', async () => {
    server = await storage(() => answer(403, '<Error><Code>AccessDenied</Code></Error>'));
    expect(await transferFailure(send(recording().engine, server.origin))).toMatchObject({
      status: 403,
      serviceCode: 'AccessDenied',
    });
  });

  it('says fetch_failed where fetch says nothing more, and does not try again', async () => {
    let calls = 0;
    const engine = createFetchEngine(async () => {
      calls += 1;
      throw new TypeError('Failed to fetch https://secret');
    });
    const error = await failure(send(engine, 'https://storage.test'));
    expect(error).toMatchObject({ code: 'transfer_failed', failures: [{ reason: 'fetch_failed' }] });
    expect(`${error.message}${error.cause}`).not.toContain('secret');
    expect(calls).toBe(1);
  });

  it('tries again where Node says that the connection was refused', async () => {
    const probe = await storage();
    await probe.close();
    const { engine, calls } = recording();
    expect(await transferFailure(send(engine, probe.origin))).toMatchObject({ reason: 'connection_refused' });
    expect(calls).toHaveLength(3);
  });

  it('is ended by the caller, by the response limit and by closing, and leaves no listener', async () => {
    server = await storage(() => undefined);
    const { engine } = recording();
    const caller = new AbortController();
    const aborted = failure(send(engine, server.origin, { signal: caller.signal }));
    setTimeout(() => caller.abort('r'), 50);
    expect(await aborted).toMatchObject({ code: 'aborted', cause: 'r' });
    expect(getEventListeners(caller.signal, 'abort')).toEqual([]);

    const timeouts = { stall: 100, response: 100 };
    expect(await transferFailure(send(engine, server.origin, { timeouts }))).toMatchObject({
      code: 'transfer_timeout',
      reason: 'response_timeout',
    });
    const closed = transferFailure(send(engine, server.origin));
    setTimeout(() => void engine.close(), 50);
    expect(await closed).toMatchObject({ reason: 'fetch_failed' });
    await server.idle();
  });

  it('does not limit the time of a body that it cannot watch, when stalling is allowed', async () => {
    server = await storage((_, socket) => {
      setTimeout(() => socket.write(answer(200)), 300);
      return undefined;
    });
    const timeouts = { stall: 0, response: 50 };
    await expect(send(recording().engine, server.origin, { timeouts })).resolves.toMatchObject({ status: 200 });
  });
});
