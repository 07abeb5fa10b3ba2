import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { createFetchEngine } from '../../../src/transfer/fetch-engine.js';
import { fetchFailure, fetchText } from '../support/download.js';
import { answer, type Storage, storage, tcpServer } from '../support/server.js';
import { closeEngines, engine, failure } from '../support/upload.js';

let server: Storage | undefined;
const start = async (respond: Parameters<typeof storage>[0]) => {
  server = await storage(respond);
  return server.origin;
};

afterEach(async () => {
  await closeEngines();
  await server?.close();
  server = undefined;
});

describe('the request', () => {
  it('is a GET of the URL as it was given, with the headers of the target and no body', async () => {
    const origin = await start(() => answer(200, 'content'));
    const headers = [['x-ms-version', '2020-10-02']] as const;
    const target = { requestPath: "/a/../b'c?sig=a+b%2f'", headers };
    expect(await fetchText(engine(), origin, { target, credentialHeaders: [['authorization', 'Bearer t']] })).toBe(
      'content',
    );
    const { line, headers: sent } = server!.requests[0]!;
    expect(line).toBe("GET /a/../b'c?sig=a+b%2f' HTTP/1.1");
    expect(Object.fromEntries(sent.map(([name, value]) => [name.toLowerCase(), value]))).toEqual({
      host: origin.replace('http://', ''),
      connection: 'keep-alive',
      'x-ms-version': '2020-10-02',
      authorization: 'Bearer t',
      'accept-encoding': 'identity',
    });
  });

  it('leaves an Accept-Encoding of the target alone', async () => {
    const origin = await start(() => answer(200, 'content'));
    await fetchText(engine(), origin, { target: { headers: [['Accept-Encoding', 'gzip']] } });
    expect(server!.requests[0]!.headers.filter(([name]) => /accept-encoding/i.test(name))).toEqual([
      ['Accept-Encoding', 'gzip'],
    ]);
  });

  it('uses a connection again', async () => {
    const origin = await start(() => answer(200, 'content'));
    const shared = engine();
    for (let i = 0; i < 5; i++) await fetchText(shared, origin);
    expect(server!.connections).toBe(1);
  });

  it('is not made after the target has expired', async () => {
    const origin = await start(() => answer(200));
    const error = await failure(fetchText(engine(), origin, { target: { expiresAt: 1000 }, now: () => 1000 }));
    expect(error).toMatchObject({ code: 'target_refused', details: { reason: 'expired' } });
    expect(server!.connections).toBe(0);
  });
});

describe('a success', () => {
  it.each([
    ['with a length', answer(200, 'content')],
    ['with a length, 203', answer(203, 'content')],
    ['in chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\ncon\r\n4\r\ntent\r\n0\r\n\r\n'],
    ['in the identity encoding', answer(200, 'content', { 'Content-Encoding': 'identity' })],
  ])('%s', async (_, reply) => {
    expect(await fetchText(engine(), await start(() => reply), { size: 7 })).toBe('content');
  });

  it('that ends with the connection', async () => {
    const origin = await start((_, socket) => {
      socket.end('HTTP/1.1 200 OK\r\n\r\ncontent');
      return undefined;
    });
    expect(await fetchText(engine(), origin)).toBe('content');
  });

  it.each([answer(200), 'HTTP/1.1 204 No Content\r\n\r\n'])('of an empty file: %j', async reply => {
    expect(await fetchText(engine(), await start(() => reply), { size: 0 })).toBe('');
  });

  it('of the part that the target itself asks for', async () => {
    const origin = await start(() => answer(206, 'tent', { 'Content-Range': 'bytes 3-6/7', ETag: '"1"' }));
    expect(await fetchText(engine(), origin, { size: 4, target: { headers: [['Range', 'bytes=3-']] } })).toBe('tent');
  });
});

describe('what is no success', () => {
  it.each([
    ['404 with XML', 404, '<Error><Code>NoSuchKey</Code><Key>secret</Key></Error>', {}, 'NoSuchKey'],
    ['403 with JSON', 403, '{"error":{"code":"accessDenied"}}', {}, 'accessDenied'],
    ['410 with a header', 410, '', { 'x-ms-error-code': 'Gone' }, 'Gone'],
    ['500 with HTML', 500, '<html>secret</html>', {}, undefined],
    ['304', 304, '', {}, undefined],
    ['416', 416, '', { 'Content-Range': 'bytes */7' }, undefined],
  ] as const)('%s', async (_, status, body, headers, serviceCode) => {
    const origin = await start(() => answer(status, body, headers));
    expect(await fetchFailure(engine(), origin)).toEqual({
      code: 'download_failed',
      reason: 'http_status',
      status,
      ...(serviceCode && { serviceCode }),
    });
    expect(server!.requests).toHaveLength(1);
    const error = await failure(fetchText(engine(), origin));
    expect(JSON.stringify(error) + error.stack).not.toContain('secret');
  });

  it('a code that is part of what was sent is not shown, also after a redirect', async () => {
    const origin = await start(({ line }) => {
      if (line.includes('/get')) return answer(302, '', { Location: '/next?token=abcdefgh-second' });
      return answer(403, '', { 'x-ms-error-code': line.includes('first') ? 'abcdefgh-first' : 'abcdefgh-second' });
    });
    const refused = { code: 'download_failed', reason: 'http_status', status: 403 };
    expect(await fetchFailure(engine(), origin)).toEqual(refused);
    const target = { requestPath: '/x?token=abcdefgh-first' };
    expect(await fetchFailure(engine(), origin, { target })).toEqual(refused);
  });

  it.each([
    ['202', answer(202, 'wait')],
    ['a part that nobody asked for', answer(206, 'con', { 'Content-Range': 'bytes 0-2/7' })],
  ])('%s', async (_, reply) => {
    expect(await fetchFailure(engine(), await start(() => reply))).toMatchObject({
      code: 'download_failed',
      reason: 'incomplete',
    });
  });

  it('something compressed, which has another size and digest than the file', async () => {
    const body = gzipSync('content').toString('latin1');
    const origin = await start((_, socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n`);
      socket.write(Buffer.from(body, 'latin1'));
      return undefined;
    });
    expect(await fetchFailure(engine(), origin)).toEqual({
      code: 'download_failed',
      reason: 'content_encoded',
      status: 200,
    });
    // fetch gives what was compressed.
    expect(await fetchText(createFetchEngine(fetch), origin, { size: 7 })).toBe('content');
  });

  it.each([
    ['with a length', 'HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\ncon'],
    ['in chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\ncon\r\n'],
  ])('a body %s that is cut short', async (_, bytes) => {
    const origin = await start((_, socket) => {
      socket.end(bytes);
      return undefined;
    });
    for (const each of [engine(), createFetchEngine(fetch)]) {
      const { code, reason } = (await fetchFailure(each, origin)) as { code: string; reason?: string };
      expect(code).toBe('download_failed');
      expect(reason).toBe(each.kind === 'fetch' ? 'fetch_failed' : 'connection_lost');
    }
  });

  it('a body of another length than its header says, where fetch does not mind', async () => {
    const short = async () => new Response('con', { headers: { 'content-length': '7' } });
    expect(await fetchFailure(createFetchEngine(short), 'https://storage.example')).toEqual({
      code: 'download_failed',
      reason: 'connection_lost',
    });
  });

  it('no answer at all', async () => {
    const closed = await tcpServer(() => {});
    await closed.close();
    expect(await fetchFailure(engine(), closed.origin)).toEqual({
      code: 'download_failed',
      reason: 'connection_refused',
    });
  });
});
