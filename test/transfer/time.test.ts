import { afterEach, describe, expect, it } from 'vitest';
import { fromStream } from '../../src/source/from-stream.js';
import { answer, storage, type TestServer, tcpServer } from './support/server.js';
import { closeEngines, engine, failure, send, transferFailure } from './support/upload.js';

let server: TestServer | undefined;

afterEach(async () => {
  await closeEngines();
  await server?.close();
  server = undefined;
});

const stalled = { code: 'transfer_stalled', pointer: '/document', reason: 'stalled' };

describe('the stall limit', () => {
  it('ends a transfer to a storage that never reads', async () => {
    server = await tcpServer(socket => socket.pause());
    const sending = send(engine(), server.origin, { file: Buffer.alloc(64_000_000), timeouts: { stall: 200 } });
    expect(await transferFailure(sending)).toEqual(stalled);
    await server.idle();
  });

  it('ends one to a storage that stops after the start', async () => {
    server = await tcpServer(socket => socket.once('data', () => socket.pause()));
    const sending = send(engine(), server.origin, { file: Buffer.alloc(64_000_000), timeouts: { stall: 200 } });
    expect(await transferFailure(sending)).toEqual(stalled);
  });

  it.each([
    ['never begins', 0],
    ['stops half-way', 1],
  ])('runs from the start, so it ends one whose source %s', async (_, parts) => {
    server = await storage();
    let closed = false;
    async function* source() {
      try {
        for (let i = 0; i < parts; i++) yield Buffer.alloc(100_000);
        await new Promise(() => {});
      } finally {
        closed = true;
      }
    }
    const file = fromStream(source, { name: 'a.bin', size: 1_000_000 });
    expect(await transferFailure(send(engine(), server.origin, { file, timeouts: { stall: 200 } }))).toEqual(stalled);
    expect(closed).toBe(false); // a generator that waits cannot be closed, and is not waited for
  });

  it('does not end one that keeps moving for longer than the limit', async () => {
    server = await storage();
    async function* source() {
      for (let i = 0; i < 8; i++) {
        await new Promise(resolve => setTimeout(resolve, 300));
        yield Buffer.alloc(10);
      }
    }
    const file = fromStream(source, { name: 'a.bin', size: 80 });
    const receipt = await send(engine(), server.origin, { file, timeouts: { stall: 2_000 } });
    expect(receipt.bytes).toBe(80);
    expect(receipt.milliseconds).toBeGreaterThan(2_000);
  });

  it('is not counted any more after the last byte', async () => {
    server = await storage((_, socket) => {
      setTimeout(() => socket.write(answer(200)), 1_500);
      return undefined;
    });
    await expect(send(engine(), server.origin, { timeouts: { stall: 1_000 } })).resolves.toMatchObject({ status: 200 });
  });

  it('off, a slow reader is waited for', async () => {
    let received = 0;
    server = await tcpServer(socket => {
      const size = 8_000_000;
      socket.on('data', chunk => {
        received += chunk.length;
        if (received > size) socket.write(answer(200));
        socket.pause();
        setTimeout(() => socket.resume(), 5);
      });
    });
    await expect(send(engine(), server.origin, { file: Buffer.alloc(8_000_000) })).resolves.toMatchObject({
      status: 200,
    });
  });
});

describe('the response limit', () => {
  it.each([0, 7])('runs from the last byte of %i', async size => {
    server = await storage(() => undefined);
    const sending = send(engine(), server.origin, { file: Buffer.alloc(size), timeouts: { response: 200 } });
    expect(await transferFailure(sending)).toEqual({
      code: 'transfer_timeout',
      pointer: '/document',
      reason: 'response_timeout',
    });
    await server.idle();
  });

  it('is over with the status line, however long the body takes', async () => {
    server = await storage((_, socket) => {
      socket.write('HTTP/1.1 403 Forbidden\r\nContent-Length: 17\r\n\r\n{"code":');
      setTimeout(() => socket.write('"denied"}'), 1_500);
      return undefined;
    });
    expect(await transferFailure(send(engine(), server.origin, { timeouts: { response: 1_000 } }))).toMatchObject({
      status: 403,
      serviceCode: 'denied',
    });
  });
});

describe('expiresAt', () => {
  it('is looked at before anything is sent', async () => {
    server = await storage();
    const error = await failure(send(engine(), server.origin, { target: { expiresAt: 1_000 }, now: () => 1_000 }));
    expect(error).toMatchObject({ code: 'target_refused', pointer: '/document', details: { reason: 'expired' } });
    expect(server.connections).toBe(0);
  });

  it('and once more when the connection stands', async () => {
    const received: Buffer[] = [];
    server = await tcpServer(socket => socket.on('data', chunk => received.push(chunk)));
    let looks = 0;
    const now = () => (looks++ === 0 ? 0 : 5_000);
    const error = await failure(send(engine(), server.origin, { target: { expiresAt: 1_000 }, now }));
    expect(error).toMatchObject({ code: 'target_refused', details: { reason: 'expired' } });
    await server.idle();
    expect(Buffer.concat(received).length).toBe(0);
  });

  it('that is not over yet lets the file go', async () => {
    server = await storage();
    await expect(
      send(engine(), server.origin, { target: { expiresAt: 1_000 }, now: () => 999 }),
    ).resolves.toBeDefined();
  });
});
