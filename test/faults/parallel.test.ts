import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { fromPath, type LogEvent, type ProgressEvent } from '../../src/index.js';
import { connect } from '../support/clients.js';
import { done, inputRequired, startScriptedServer, uploadEntry } from '../support/scripted-server.js';
import { publish } from '../support/tools.js';
import { type TemporaryFolder, temporaryFolder } from '../transfer/support/open-files.js';
import type { TestServer } from '../transfer/support/server.js';
import { byFile, says, small } from './support/by-file.js';
import { openFilesUnder } from './support/open.js';
import { ENGINES, type EngineName, fails, succeeds } from './support/world.js';

const MIB = 1024 * 1024;
let server: TestServer;
let folder: TemporaryFolder | undefined;

afterEach(async () => {
  await server.close();
  await folder?.remove();
  folder = undefined;
});

describe('one of five files that fails', () => {
  it('ends the four others in their middle; one error, no retry, and no file is kept open', async () => {
    folder = await temporaryFolder();
    const paths = await Promise.all([1, 2, 3, 4].map(n => folder!.write(`${n}.bin`, Buffer.alloc(16 * MIB, n))));
    const moving = new Set<string | undefined>();
    let openBefore = 0;
    let refuse = (): void => {};
    const allMove = new Promise<void>(resolve => {
      refuse = resolve;
    });
    const ended: number[] = [];
    server = await byFile(
      socket => {
        void allMove.then(() => {
          openBefore = openFilesUnder().length;
          says(507, '<Code>NoSpace</Code>')(socket);
        });
      },
      (socket, index) => {
        socket.on('close', () => ended.push(index));
        socket.pause();
      },
    );
    const { error, code, failures } = await fails({
      files: [small('0.txt'), ...paths.map(path => fromPath(path))],
      storage: server,
      onProgress: ({ phase, pointer }: ProgressEvent) => {
        if (phase === 'uploading' && pointer !== undefined && pointer !== '/assets/0' && moving.add(pointer).size === 4)
          refuse();
      },
    });
    expect(openBefore).toBe(4);
    expect(code).toBe('transfer_failed');
    expect(failures).toEqual([{ pointer: '/assets/0', status: 507, serviceCode: 'NoSpace', reason: 'http_status' }]);
    expect(error.transfers).toEqual([]);
    expect(ended.sort()).toEqual([1, 2, 3, 4]);
  });

  it('tells what had arrived by then', async () => {
    const transfers = () => events.filter(({ type }) => type === 'transfer_done').length;
    const events: LogEvent[] = [];
    server = await byFile(socket => {
      const wait = () => (transfers() === 4 ? says(403)(socket) : setTimeout(wait, 5));
      wait();
    }, says(201));
    const { error, failures } = await fails({
      files: ['0', '1', '2', '3', '4'].map(small),
      storage: server,
      options: { logger: event => void events.push(event) },
    });
    expect(failures).toEqual([{ pointer: '/assets/0', status: 403, reason: 'http_status' }]);
    expect(error.transfers?.map(({ pointer, status }) => [pointer, status]).sort()).toEqual(
      [1, 2, 3, 4].map(index => [`/assets/${index}`, 201]),
    );
  });

  it('together with another that was refused already is one error with both, and the code of the first', async () => {
    const sockets: Socket[] = [];
    const refuse = async (socket: Socket, index: number) => {
      socket.write(`HTTP/1.1 ${index === 0 ? 507 : 403} No\r\nContent-Length: 20\r\n\r\n`);
      if (sockets.push(socket) < 2) return;
      for (let turn = 0; turn < 20; turn++) await new Promise(resolve => setTimeout(resolve, 5));
      // Both statuses were read by now; this one is the first to end.
      sockets[0]!.write(' '.repeat(20));
    };
    server = await byFile((socket, index) => void refuse(socket, index));
    const { error, code, failures } = await fails({ files: [small('0'), small('1')], storage: server });
    expect(code).toBe('transfer_failed');
    const told = failures as { pointer: string; status: number }[];
    expect(Object.fromEntries(told.map(({ pointer, status }) => [pointer, status]))).toEqual({
      '/assets/0': 507,
      '/assets/1': 403,
    });
    expect(error.message).toContain('2 transfers failed');
  });

  it('keeps those that wait in the queue from ever connecting', async () => {
    server = await byFile(says(403), says(201));
    const { failures } = await fails({
      files: ['0', '1', '2', '3', '4'].map(small),
      storage: server,
      options: { concurrency: 1 },
    });
    expect(failures).toHaveLength(1);
    expect(server.connections).toBe(1);
  });
});

describe('a place in the queue', () => {
  const shared = async (engine: EngineName, act: (socket: Socket) => void, timeouts = {}, signal?: AbortSignal) => {
    server = await byFile(act, says(201));
    const targets = (index: number) => ({ '/assets/0': { url: `${server.origin}/put/${index}` } });
    let legs = 0;
    const mcp = await startScriptedServer({
      tools: [publish],
      onCall: ({ params }) =>
        params.requestState === undefined ? inputRequired({ up: uploadEntry(targets(legs++)) }, 'state') : done(),
    });
    const host = await connect('v2 modern', mcp.url, {
      inlineLimit: 0,
      concurrency: 1,
      timeouts,
      ...(engine === 'fetch' && { fetch: globalThis.fetch }),
    });
    const send = (options = {}) =>
      host.files.callToolWithFiles({ name: 'publish', arguments: { site: 's', assets: [small('x')] } }, options).then(
        () => 'done',
        error => error.code,
      );
    try {
      // The second call asks for its turn while the first one holds it.
      const first = send(signal && { signal });
      while (server.connections === 0) await new Promise(resolve => setTimeout(resolve, 5));
      const codes = await Promise.all([first, send(), send()]);
      return codes;
    } finally {
      await host[Symbol.asyncDispose]();
      await mcp[Symbol.asyncDispose]();
    }
  };

  it.each(ENGINES)('is free again after a timeout: %s', async engine => {
    expect(await shared(engine, () => {}, { stall: 1_000, response: 1_000 })).toEqual([
      'transfer_timeout',
      'done',
      'done',
    ]);
  });

  it.each(ENGINES)('is free again after a refusal: %s', async engine => {
    expect(await shared(engine, socket => setTimeout(() => says(403)(socket), 100))).toEqual([
      'transfer_failed',
      'done',
      'done',
    ]);
  });

  it.each(ENGINES)('is free again after an abort: %s', async engine => {
    const caller = new AbortController();
    const act = () => void setTimeout(() => caller.abort(), 100);
    expect(await shared(engine, act, {}, caller.signal)).toEqual(['aborted', 'done', 'done']);
  });
});

describe.each(ENGINES)('a listener that fails, by the %s engine', engine => {
  it.each<[string, () => never | Promise<never>]>([
    [
      'throws',
      () => {
        throw new Error('listener');
      },
    ],
    ['rejects', () => Promise.reject(new Error('listener'))],
  ])('%s at every event of onProgress does not disturb the call', async (_, listener) => {
    server = await byFile(says(200));
    let events = 0;
    const onProgress = () => {
      events++;
      return listener() as never;
    };
    const files = [small('0'), small('1')];
    const { transfers } = await succeeds({ engine, files, storage: server, onProgress });
    expect(transfers).toHaveLength(2);
    expect(events).toBeGreaterThan(3);
  });

  it('throws at every event of the logger does not disturb the call', async () => {
    server = await byFile(says(200));
    let events = 0;
    const logger = () => {
      events++;
      throw new Error('logger');
    };
    await succeeds({ engine, files: [small('0')], storage: server, options: { logger } });
    expect(events).toBeGreaterThan(3);
  });

  it('throws in the middle of a failure does not hide it', async () => {
    server = await byFile(says(507));
    const onProgress = () => {
      throw new Error('listener');
    };
    expect((await fails({ engine, files: [small('0')], storage: server, onProgress })).failures).toMatchObject([
      { status: 507 },
    ]);
  });
});
