import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { fromBytes } from '../../src/index.js';
import { answer, type Storage, storage, type TestServer, tcpServer } from '../transfer/support/server.js';
import { engine as builtIn, send } from '../transfer/support/upload.js';
import { within } from './support/open.js';
import { call, ENGINES, fails, MODES, type Mode, type Setup, succeeds, transferFails } from './support/world.js';

const modes = Object.keys(MODES) as Mode[];
const KIB = 1024;
let server: TestServer;
let others: TestServer[] = [];

afterEach(async () => {
  for (const other of [server, ...others]) await other.close();
  others = [];
});

const small = fromBytes('content', { name: 'a.txt' });
/** More than any socket's buffers hold. */
const large = fromBytes(randomBytes(24 * KIB * KIB), { name: 'large.bin' });

/** A storage that gives this answer to whatever was sent whole. */
const answering = async (text: string | ((socket: Socket) => void), setup: Partial<Setup> = {}): Promise<Setup> => {
  server = await storage((_, socket) => {
    if (typeof text === 'string') return text;
    text(socket);
    return undefined;
  });
  return { files: [small], storage: server, ...setup };
};

const failed = (more: object) => ({ code: 'transfer_failed', ...more });

describe.each(ENGINES)('a status, by the %s engine', engine => {
  it.each([200, 201, 202, 203, 204].flatMap(status => modes.map(mode => [status, mode] as const)))(
    '%i to a %s is success',
    async (status, mode) => {
      const setup = await answering(answer(status), { engine, target: () => MODES[mode] });
      const { transfers } = await succeeds(setup);
      expect(transfers).toMatchObject([{ status, bytes: 7, mode: mode.toLowerCase() }]);
      expect(server.connections).toBe(1);
    },
  );

  it('202 to a part of an upload session is none: the storage waits for more', async () => {
    const target = () => ({ headers: { 'Content-Range': 'bytes 0-6/7' } });
    const setup = await answering(answer(202, '{"nextExpectedRanges":["7-"]}'), { engine, target });
    expect(await transferFails(setup)).toEqual(failed({ status: 202, reason: 'incomplete' }));
  });

  it('that is no success leaves no connection behind: what is not read of it is let go of', async () => {
    const setup = await answering(answer(202, '{}', { 'Content-Length': '500' }));
    const headers = [['Content-Range', 'bytes 0-6/7']] as const;
    const direct = builtIn();
    await expect(send(direct, setup.storage!.origin, { target: { headers } })).rejects.toThrow('202');
    await within(5_000, 'the connection is still open', server.idle());
    await direct.close();
  });

  it.each([
    [301, 'without Location', undefined],
    [302, 'with Location', 'same'],
    [303, 'with Location', 'same'],
    [303, 'with Location', 'other'],
    [307, 'with Location', 'other'],
    [308, 'with Location', 'other'],
    [304, 'without Location', undefined],
  ] as const)('%i %s (%s origin) is a failure, and nothing is sent anywhere else', async (status, _, where) => {
    const other = await tcpServer(() => {});
    others.push(other);
    const headers = where && { Location: where === 'same' ? '/elsewhere' : `${other.origin}/elsewhere` };
    const setup = await answering(answer(status, '', headers), { engine });
    expect(await transferFails(setup)).toEqual(failed({ status, reason: 'redirected' }));
    expect((server as Storage).requests).toHaveLength(1);
    expect(server.connections).toBe(1);
    expect(other.connections).toBe(0);
  });
});

describe.each(ENGINES)('a refusal, by the %s engine', engine => {
  const s3 =
    '<?xml version="1.0"?><Error><Code>SignatureDoesNotMatch</Code><StringToSign>PUT SECRET</StringToSign></Error>';
  const html = '<!doctype html><html><head><title>500</title></head><body>at /srv/SECRET.js:1</body></html>';

  it.each([
    ['403 with XML', answer(403, s3), { status: 403, serviceCode: 'SignatureDoesNotMatch' }],
    ['400 with no body', answer(400), { status: 400 }],
    [
      '400 with no body and its code in a header',
      answer(400, '', { 'x-ms-error-code': 'MissingHeader' }),
      { status: 400, serviceCode: 'MissingHeader' },
    ],
    ['500 with HTML', answer(500, html, { 'Content-Type': 'text/html' }), { status: 500 }],
    ['413 after the body', answer(413, '<Code>EntityTooLarge</Code>'), { status: 413, serviceCode: 'EntityTooLarge' }],
    ['a body that ends early', answer(502, '{"code":', { 'Content-Length': '500' }), { status: 502 }],
  ])('of %s is the status and perhaps a code, never a text', async (what, text, told) => {
    const setup = await answering(what === 'a body that ends early' ? socket => void socket.end(text) : text, {
      engine,
    });
    const { error, code, failures } = await fails(setup);
    expect(code).toBe('transfer_failed');
    expect(failures).toEqual([{ pointer: '/assets/0', reason: 'http_status', ...told }]);
    expect(error.message).toContain(`status ${told.status}`);
    expect(server.connections).toBe(1);
  });

  it.each([
    ['within the first 64 KiB', 63 * KIB, 'Denied'],
    ['behind them', 65 * KIB, undefined],
  ])('of 1 MiB is not read to its end: a code %s', async (_, at, serviceCode) => {
    const body = Buffer.alloc(KIB * KIB, ' ');
    body.write('<Code>Denied</Code>', at);
    let closed = 0;
    const setup = await answering(
      socket => {
        socket.on('close', () => closed++);
        socket.write(answer(400, body.toString('latin1')));
      },
      { engine },
    );
    expect(await transferFails(setup)).toEqual(
      failed({ status: 400, reason: 'http_status', ...(serviceCode && { serviceCode }) }),
    );
    expect(closed).toBe(1);
  });

  it('without end is let go of', async () => {
    let written = 0;
    const setup = await answering(
      socket => {
        socket.write('HTTP/1.1 403 Forbidden\r\n\r\n');
        const more = () => {
          while (!socket.destroyed && socket.write(Buffer.alloc(16 * KIB))) written += 16 * KIB;
        };
        socket.on('drain', more);
        more();
      },
      { engine },
    );
    expect(await transferFails(setup)).toEqual(failed({ status: 403, reason: 'http_status' }));
    expect(written).toBeLessThan(32 * KIB * KIB); // what the buffers of both sides took
  });
});

describe('an answer before the request ends', () => {
  /** Reads the start of a body and then no more of it. */
  const early = (act: (socket: Socket) => void) =>
    tcpServer(socket => {
      socket.once('data', () => {
        socket.pause();
        act(socket);
      });
    });

  it.each(modes)('of 413, then a reset, is the status and not the broken pipe: %s', async mode => {
    server = await early(socket => {
      socket.write(answer(413, '<Code>EntityTooLarge</Code>', { 'Content-Length': '500' }));
      setTimeout(() => socket.resetAndDestroy(), 1_000);
    });
    const setup = { files: [large], storage: server, target: () => MODES[mode] };
    expect(await transferFails(setup)).toEqual(
      failed({ status: 413, serviceCode: 'EntityTooLarge', reason: 'http_status' }),
    );
    expect(server.connections).toBe(1);
  });

  it('of 413 that goes with the reset is one of the two, and is not sent again', async () => {
    server = await early(socket => {
      socket.write(answer(413));
      socket.resetAndDestroy();
    });
    const { code, ...failure } = await transferFails({ files: [large], storage: server });
    expect(code).toBe('transfer_failed');
    expect([{ status: 413, reason: 'http_status' }, { reason: 'connection_lost' }]).toContainEqual(failure);
    expect(server.connections).toBe(1);
  });

  it('of 403 on a connection that stays open is not kept waiting for the rest', async () => {
    server = await early(socket => socket.write(answer(403, '{"code":"denied"}')));
    expect(await transferFails({ files: [large], storage: server })).toMatchObject({
      status: 403,
      serviceCode: 'denied',
    });
  });

  it('of 307 to another origin sends the rest nowhere', async () => {
    const other = await tcpServer(() => {});
    others.push(other);
    server = await early(socket => socket.write(answer(307, '', { Location: `${other.origin}/` })));
    expect(await transferFails({ files: [large], storage: server })).toEqual(
      failed({ status: 307, reason: 'redirected' }),
    );
    expect(other.connections).toBe(0);
  });

  it('of 200 is success once the rest was taken', async () => {
    let received = 0;
    server = await tcpServer(socket => {
      socket.once('data', () => socket.write(answer(200)));
      socket.on('data', chunk => {
        received += chunk.length;
      });
    });
    const { transfers } = await succeeds({ files: [large], storage: server });
    expect(transfers).toMatchObject([{ status: 200, bytes: 24 * KIB * KIB }]);
    expect(received).toBeGreaterThan(24 * KIB * KIB);
  });

  it('of 200 is none where the rest is not taken', async () => {
    server = await early(socket => {
      socket.write(answer(200));
      setTimeout(() => socket.destroy(), 50);
    });
    expect(await transferFails({ files: [large], storage: server })).toEqual(
      failed({ status: 200, reason: 'answered_early' }),
    );
    expect(server.connections).toBe(1);
  });

  it('of 200 on a connection that stays open, but is not read, is ended by the stall limit', async () => {
    server = await early(socket => socket.write(answer(200)));
    const options = { timeouts: { stall: 300 } };
    expect(await transferFails({ files: [large], storage: server, options })).toEqual({
      code: 'transfer_stalled',
      reason: 'stalled',
    });
  });
});

describe.each(ENGINES)('no answer, by the %s engine', engine => {
  const lost = engine === 'fetch' ? 'fetch_failed' : 'connection_lost';

  it.each<[string, (socket: Socket) => void, string]>([
    ['the connection is closed', socket => socket.end(), lost],
    ['the connection is reset', socket => socket.resetAndDestroy(), lost],
    ['half a status line comes', socket => socket.end('HTTP/1.1 2'), lost],
    ['half of the headers comes', socket => socket.end('HTTP/1.1 200 OK\r\nContent-Le'), lost],
    ['only a 103 comes', socket => socket.end('HTTP/1.1 103 Early Hints\r\n\r\n'), lost],
    ['another protocol speaks', socket => void socket.write('SSH-2.0-OpenSSH_9.2p1\r\n'), 'answer_malformed'],
    ['a status that is none comes', socket => void socket.write('HTTP/1.1 9999 Odd\r\n\r\n'), 'answer_malformed'],
    [
      'the headers do not end',
      socket => void socket.write(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(64 * KIB)}`),
      'answer_malformed',
    ],
    [
      'a 100 Continue comes, which nobody asked for',
      socket => void socket.write(`HTTP/1.1 100 Continue\r\n\r\n${answer(200)}`),
      'unsolicited_100_continue',
    ],
  ])('but %s: the transfer fails and is not sent again', async (_, act, reason) => {
    const setup = await answering(act, { engine });
    const { code, failures, error } = await fails(setup);
    expect(code).toBe('transfer_failed');
    expect(failures).toEqual([{ pointer: '/assets/0', reason }]);
    if (reason === 'unsolicited_100_continue') expect(error.message).toContain('100 Continue');
    expect((server as Storage).requests).toHaveLength(1);
    expect(server.connections).toBe(1);
  });

  it.each([
    ['', ''],
    [' and more of them', 'HTTP/1.1 103 Early Hints\r\nLink: </b>\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n'],
  ])('is not what a 103 is%s: it does no harm', async (_, more) => {
    const setup = await answering(`HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${more}${answer(201)}`, { engine });
    expect((await succeeds(setup)).transfers).toMatchObject([{ status: 201 }]);
  });
});

it('a 100 Continue in the middle of a large body is named too, and not sent again', async () => {
  server = await tcpServer(socket => socket.once('data', () => socket.write('HTTP/1.1 100 Continue\r\n\r\n')));
  const { failures } = await fails({ files: [large], storage: server });
  expect(failures).toEqual([{ pointer: '/assets/0', reason: 'unsolicited_100_continue' }]);
  expect(server.connections).toBe(1);
});

it('nobody listens: the connection may be tried again, the call is not', async () => {
  server = await tcpServer(() => {});
  const gone = await tcpServer(() => {});
  await gone.close();
  const target = () => ({ url: `${gone.origin}/put?sig=SECRET` });
  const { error, calls } = await call({ files: [small], storage: server, target });
  expect(error).toMatchObject({
    code: 'transfer_failed',
    outcome: 'not_run',
    failures: [{ reason: 'connection_refused' }],
  });
  expect(calls).toHaveLength(1);
});
