import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { answer, storage, type TestServer, tcpServer } from './support/server.js';
import { closeEngines, engine, failure, send, transferFailure } from './support/upload.js';

let server: TestServer;

afterEach(async () => {
  await closeEngines();
  await server.close();
});

const answering = async (text: string) => {
  server = await storage(() => text);
  return send(engine(), server.origin);
};

describe('success', () => {
  it.each([200, 201, 202, 203, 204, 299])('is a %i', async status => {
    await expect(answering(answer(status, '', status === 204 ? { 'Content-Length': '0' } : {}))).resolves.toMatchObject(
      {
        status,
        bytes: 7,
      },
    );
  });

  it('is the status, whatever the body says or however it ends', async () => {
    server = await storage((_, socket) => {
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n<Error>');
      return undefined;
    });
    await expect(send(engine(), server.origin)).resolves.toMatchObject({ status: 200 });
  });

  it('is not a 202 to one part of an upload session', async () => {
    server = await storage(() => answer(202, '{"nextExpectedRanges":["7-"]}'));
    const headers = [['Content-Range', 'bytes 0-6/7']] as const;
    expect(await transferFailure(send(engine(), server.origin, { target: { headers } }))).toEqual({
      code: 'transfer_failed',
      pointer: '/document',
      status: 202,
      reason: 'incomplete',
    });
  });

  it('may be said before the body has been read, if the body is read then', async () => {
    let received = 0;
    server = await tcpServer(socket => {
      socket.once('data', () => socket.write(answer(200)));
      socket.on('data', chunk => {
        received += chunk.length;
      });
    });
    const size = 20_000_000;
    await expect(send(engine(), server.origin, { file: Buffer.alloc(size) })).resolves.toMatchObject({ bytes: size });
    await closeEngines();
    await server.idle();
    expect(received).toBeGreaterThan(size);
  });

  it('is none for a file of which the storage took only the start', async () => {
    server = await tcpServer(socket => {
      socket.once('data', () => {
        socket.write(answer(200));
        socket.pause();
        setTimeout(() => socket.destroy(), 50);
      });
    });
    expect(await transferFailure(send(engine(), server.origin, { file: Buffer.alloc(50_000_000) }))).toMatchObject({
      status: 200,
      reason: 'answered_early',
    });
  });
});

describe('redirects', () => {
  it.each([
    [301, {}],
    [302, { Location: '/elsewhere' }],
    [303, { Location: '/done' }],
    [304, {}],
    [307, { Location: 'http://127.0.0.1:1/' }],
    [308, { Location: 'http://127.0.0.1:1/' }],
  ])('a %i is a failure, and nothing follows it', async (status, headers) => {
    expect(await transferFailure(answering(answer(status, '', headers)))).toMatchObject({
      status,
      reason: 'redirected',
    });
    expect(server.connections).toBe(1);
  });
});

describe('refusals', () => {
  it.each([
    [
      'S3',
      403,
      '<?xml version="1.0"?><Error><Code>SignatureDoesNotMatch</Code><StringToSign>GET secret</StringToSign></Error>',
      'SignatureDoesNotMatch',
    ],
    ['Graph', 416, '{"error":{"code":"invalidRange","message":"m"}}', 'invalidRange'],
    ['Oracle', 404, '{"code":"NotAuthorizedOrNotFound","message":"m"}', 'NotAuthorizedOrNotFound'],
    ['Slack', 400, '{"ok":false,"error":"invalid_auth"}', 'invalid_auth'],
    ['others', 400, '{"errorCode":"E-17"}', 'E-17'],
    ['Cloudflare', 400, '{"errors":[{"code":10005,"message":"m"}]}', '10005'],
  ])('keeps the code of %s and none of the text', async (_, status, body, serviceCode) => {
    const error = await failure(answering(answer(status, body)));
    expect(error).toMatchObject({
      code: 'transfer_failed',
      outcome: 'not_run',
      pointer: '/document',
      failures: [{ pointer: '/document', status, serviceCode, reason: 'http_status' }],
    });
    expect(error.message).toContain(`status ${status} ${serviceCode}`);
    expect(error.message).not.toMatch(/secret|StringToSign|signature=/);
  });

  it('takes the code from the header where there is no body (Azure)', async () => {
    const text = answer(400, '', { 'x-ms-error-code': 'MissingRequiredHeader' });
    expect(await transferFailure(answering(text))).toMatchObject({ status: 400, serviceCode: 'MissingRequiredHeader' });
  });

  it.each([
    ['an empty body', ''],
    ['HTML', '<!doctype html><title>502 Bad Gateway</title>'],
    ['a code that is none', '{"error":"https://bucket/?X-Amz-Signature=abc"}'],
    ['a code that is too long', `<Code>${'a'.repeat(65)}</Code>`],
    ['JSON that ends early', '{"error":{"code":"x"'],
    ['a megabyte', 'x'.repeat(1024 * 1024)],
  ])('has a status and no code for %s', async (_, body) => {
    expect(await transferFailure(answering(answer(500, body)))).toEqual({
      code: 'transfer_failed',
      pointer: '/document',
      status: 500,
      reason: 'http_status',
    });
  });

  it('that come while the file is being sent are the result, though the rest cannot be sent', async () => {
    server = await tcpServer(socket => {
      socket.once('data', () => {
        socket.pause();
        socket.write(answer(413, '<Code>EntityTooLarge</Code>', { 'Content-Length': '500' }));
        setTimeout(() => socket.resetAndDestroy(), 1_000);
      });
    });
    expect(await transferFailure(send(engine(), server.origin, { file: Buffer.alloc(50_000_000) }))).toMatchObject({
      status: 413,
      serviceCode: 'EntityTooLarge',
      reason: 'http_status',
    });
  });

  it('that come before the end and leave the connection open do not wait for it', async () => {
    server = await tcpServer(socket => {
      socket.once('data', () => {
        socket.pause();
        socket.write(answer(403, '{"code":"denied"}'));
      });
    });
    expect(await transferFailure(send(engine(), server.origin, { file: Buffer.alloc(50_000_000) }))).toMatchObject({
      status: 403,
      serviceCode: 'denied',
    });
    await server.idle();
  });
});

describe('no answer', () => {
  it.each([
    ['closes without a word', (socket: Socket) => socket.end()],
    ['resets', (socket: Socket) => socket.resetAndDestroy()],
    ['stops within the status line', (socket: Socket) => socket.end('HTTP/1.1 2')],
    ['stops within the headers', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Le')],
  ])('is connection_lost where the storage %s, and is not tried again', async (_, act) => {
    server = await storage((_request, socket) => {
      act(socket);
      return undefined;
    });
    expect(await transferFailure(send(engine(), server.origin))).toEqual({
      code: 'transfer_failed',
      pointer: '/document',
      reason: 'connection_lost',
    });
    expect(server.connections).toBe(1);
  });

  it('is answer_malformed where the answer is not HTTP', async () => {
    expect(await transferFailure(answering('SSH-2.0-OpenSSH_9.2p1 Debian\r\n'))).toMatchObject({
      reason: 'answer_malformed',
    });
  });

  it('names a 100 Continue that nobody asked for, and does not try again', async () => {
    server = await storage(() => `HTTP/1.1 100 Continue\r\n\r\n${answer(200)}`);
    const error = await failure(send(engine(), server.origin));
    expect(error).toMatchObject({ code: 'transfer_failed', failures: [{ reason: 'unsolicited_100_continue' }] });
    expect(error.message).toContain('100 Continue');
    expect(server.connections).toBe(1);
  });

  it('takes no offence at a 103', async () => {
    server = await storage(() => `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${answer(200)}`);
    await expect(send(engine(), server.origin)).resolves.toMatchObject({ status: 200 });
  });
});
