import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { fromBytes, fromStream } from '../../src/index.js';
import { answer, type Storage, storage, type TestServer, tcpServer } from '../transfer/support/server.js';
import { call, ENGINES, MODES, type Mode, succeeds, transferFails } from './support/world.js';

const modes = Object.keys(MODES) as Mode[];
const MIB = 1024 * 1024;
let server: TestServer;

afterEach(() => server.close());

const small = fromBytes('content', { name: 'a.txt' });
/** More than any socket's buffers hold. */
const large = fromBytes(Buffer.alloc(32 * MIB), { name: 'large.bin' });
const stalled = { code: 'transfer_stalled', reason: 'stalled' };
const timedOut = { code: 'transfer_timeout', reason: 'response_timeout' };
/** One limit small, the other far away, so that it is known which of them ended a transfer. */
const stallFirst = { timeouts: { stall: 300, response: 60_000 } };
const responseFirst = { timeouts: { stall: 60_000, response: 300 } };
const pause = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds));

describe('a storage that', () => {
  it.each(modes)('never reads stalls the transfer: %s', async mode => {
    server = await tcpServer(socket => socket.pause());
    const setup = { files: [large], storage: server, target: () => MODES[mode], options: stallFirst };
    expect(await transferFails(setup)).toEqual(stalled);
    expect(server.connections).toBe(1);
  });

  it('stops after half stalls the transfer', async () => {
    server = await tcpServer(socket => {
      let received = 0;
      socket.on('data', chunk => {
        received += chunk.length;
        if (received > 16 * MIB && received - chunk.length <= 16 * MIB) socket.pause();
      });
    });
    let sent = 0;
    const onProgress = ({ sentBytes }: { sentBytes: number }) => {
      sent = sentBytes;
    };
    const options = { timeouts: { stall: 1_500, response: 60_000 } };
    expect(await transferFails({ files: [large], storage: server, options, onProgress })).toEqual(stalled);
    expect(sent).toBeGreaterThan(15 * MIB);
    expect(sent).toBeLessThan(32 * MIB);
    expect(server.connections).toBe(1);
  });

  /** As slow against the limit as 1 KB/s is against 120 s: nothing of it is felt before the limit. */
  const slow = () =>
    tcpServer(socket => {
      const start = performance.now();
      let received = 0;
      socket.on('data', chunk => {
        received += chunk.length;
        if (received > 32 * MIB) socket.write(answer(200));
        if (performance.now() - start > 1_500) return;
        socket.pause();
        setTimeout(() => socket.resume(), 150);
      });
    });

  it('reads next to nothing stalls the transfer', async () => {
    server = await slow();
    expect(await transferFails({ files: [large], storage: server, options: stallFirst })).toEqual(stalled);
    expect(server.connections).toBe(1);
  });

  it('reads next to nothing is waited for with stall: 0', async () => {
    server = await slow();
    const options = { timeouts: { stall: 0, response: 60_000 } };
    const { transfers } = await succeeds({ files: [large], storage: server, options });
    expect(transfers).toMatchObject([{ status: 200, bytes: 32 * MIB }]);
    expect(transfers[0]!.milliseconds).toBeGreaterThan(5 * stallFirst.timeouts.stall - 100);
  });
});

describe.each(ENGINES)('a source that stalls, by the %s engine', engine => {
  it.each([
    ['before its first byte', 0],
    ['after half of it', 5],
  ])('%s ends the transfer by the stall limit, and nothing waits for it', async (_, given) => {
    server = await storage();
    async function* source() {
      for (let i = 0; i < given; i++) yield Buffer.alloc(100_000);
      await new Promise(() => {});
    }
    const file = fromStream(source, { name: 'a.bin', size: 1_000_000 });
    expect(await transferFails({ engine, files: [file], storage: server, options: stallFirst })).toEqual(stalled);
    expect((server as Storage).requests).toEqual([]);
  });

  it('and goes on each time does no harm, though it takes longer than the limit', async () => {
    server = await storage();
    async function* source() {
      for (let i = 0; i < 8; i++) {
        await pause(250);
        yield Buffer.alloc(100_000);
      }
    }
    const file = fromStream(source, { name: 'a.bin', size: 800_000 });
    const options = { timeouts: { stall: 1_500 } };
    const { transfers } = await succeeds({ engine, files: [file], storage: server, options });
    expect(transfers[0]!.milliseconds).toBeGreaterThan(1_500);
  });
});

describe('a storage that thinks after the last byte', () => {
  const thinking = (milliseconds: number) =>
    storage((_, socket) => {
      setTimeout(() => socket.write(answer(201)), milliseconds);
      return undefined;
    });

  it.each([0, 60_000])('may think for longer than the stall limit, with a response limit of %i', async response => {
    server = await thinking(2_000);
    const options = { timeouts: { stall: 1_500, response } };
    const { transfers } = await succeeds({ files: [small], storage: server, options });
    expect(transfers).toMatchObject([{ status: 201 }]);
    expect(transfers[0]!.milliseconds).toBeGreaterThan(1_500);
  });

  it.each([0, 60_000])('may think through fetch too, with a response limit of %i', async response => {
    server = await thinking(500);
    const options = { timeouts: { stall: response === 0 ? 60_000 : 0, response } };
    await succeeds({ engine: 'fetch', files: [small], storage: server, options });
  });

  it.each([
    ['built-in', 'PUT', responseFirst],
    ['built-in', 'POST', responseFirst],
    ['built-in', 'form', responseFirst],
    // Fetch shows nothing of a body on its way: one stall limit is added for what its socket may still hold.
    ['fetch', 'form', { timeouts: { stall: 1_500, response: 100 } }],
  ] as const)(
    'no longer than the response limit, and gets no second request: %s, %s',
    async (engine, mode, options) => {
      server = await storage(() => undefined);
      expect(
        await transferFails({ engine, files: [small], storage: server, target: () => MODES[mode], options }),
      ).toEqual(timedOut);
      expect((server as Storage).requests).toHaveLength(1);
      expect(server.connections).toBe(1);
    },
  );
});

describe('a connection that was kept', () => {
  it('and closed by the storage meanwhile is not used again', async () => {
    server = await storage((_, socket) => {
      socket.write(answer(200));
      socket.end();
      return undefined;
    });
    await succeeds({ files: [small], storage: server, times: 3 });
    expect(server.connections).toBe(3);
    expect((server as Storage).requests).toHaveLength(3);
  });

  it('is used again while it is open', async () => {
    server = await storage();
    await succeeds({ files: [small], storage: server, times: 3 });
    expect(server.connections).toBe(1);
  });

  it('and closed with the next request is a failure: that request may have been worked on', async () => {
    let requests = 0;
    server = await tcpServer((socket: Socket) => {
      socket.on('data', () => {
        if (++requests === 1) socket.write(answer(200));
        else socket.resetAndDestroy();
      });
    });
    const { error, calls } = await call({ files: [small], storage: server, times: 2 });
    expect(error).toMatchObject({ outcome: 'not_run', failures: [{ reason: 'connection_lost' }] });
    expect(calls).toHaveLength(3);
    expect(server.connections).toBe(1);
  });
});
