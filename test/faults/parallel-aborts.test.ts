import { afterEach, describe, expect, it } from 'vitest';
import { fromBytes, fromPath, type LogEvent } from '../../src/index.js';
import { connect } from '../support/clients.js';
import { done, inputRequired, startScriptedServer, uploadEntry } from '../support/scripted-server.js';
import { publish } from '../support/tools.js';
import { type TemporaryFolder, temporaryFolder } from '../transfer/support/open-files.js';
import { type TestServer, tcpServer } from '../transfer/support/server.js';
import { engine as builtIn, send } from '../transfer/support/upload.js';
import { byFile, says, small } from './support/by-file.js';
import { activeTimers } from './support/open.js';
import { call, ENGINES } from './support/world.js';

const MIB = 1024 * 1024;
let server: TestServer;
let folder: TemporaryFolder | undefined;

afterEach(async () => {
  await server.close();
  await folder?.remove();
  folder = undefined;
});

const turn = () => new Promise(resolve => setImmediate(resolve));

/** Aborts when the storage or the library says so; what the host then sees. */
describe.each(ENGINES)('an abort, by the %s engine', engine => {
  const reason = new Error('the person left');
  const aborted = async (setup: Parameters<typeof call>[0]) => {
    const { error, calls } = await call({ engine, ...setup });
    expect(error).toMatchObject({ code: 'aborted', outcome: 'not_run', tool: 'publish' });
    expect(error.cause).toBe(reason);
    expect(error).not.toHaveProperty('failures');
    expect(calls).toHaveLength(1);
  };

  it('while one file is queued behind another', async () => {
    const caller = new AbortController();
    server = await byFile(() => caller.abort(reason), says(201));
    const files = [small('0'), small('1')];
    await aborted({ files, storage: server, signal: caller.signal, options: { concurrency: 1 } });
    expect(server.connections).toBe(1);
  });

  it('while connecting: the TLS handshake does not come to its end', async () => {
    const caller = new AbortController();
    server = await tcpServer(socket => socket.once('data', () => caller.abort(reason)));
    const target = () => ({ url: `${server.origin.replace('http', 'https')}/put?sig=SECRET` });
    // The fetch of undici goes on connecting until its own limit, and is not waited for.
    const storage = engine === 'fetch' ? {} : { storage: server };
    await aborted({ files: [small('0')], ...storage, target, signal: caller.signal });
    expect(server.connections).toBe(1);
  });

  it('while sending, in the middle of a file', async () => {
    const caller = new AbortController();
    folder = await temporaryFolder();
    server = await tcpServer(socket => {
      let received = 0;
      socket.on('data', chunk => {
        received += chunk.length;
        if (received < 2 * MIB || caller.signal.aborted) return;
        socket.pause();
        caller.abort(reason);
      });
    });
    const file = fromPath(await folder.write('a.bin', Buffer.alloc(24 * MIB)));
    await aborted({ files: [file], storage: server, signal: caller.signal });
  });

  it('while waiting for the answer', async () => {
    const caller = new AbortController();
    server = await byFile(() => caller.abort(reason));
    await aborted({ files: [small('0')], storage: server, signal: caller.signal });
    expect(server.connections).toBe(1);
  });

  it('while five are sent ends all five', async () => {
    const caller = new AbortController();
    let sending = 0;
    server = await byFile(socket => {
      socket.pause();
      if (++sending === 5) caller.abort(reason);
    });
    const large = fromBytes(Buffer.alloc(16 * MIB), { name: 'a' });
    await aborted({ files: [large, large, large, large, large], storage: server, signal: caller.signal });
    expect(server.connections).toBe(5);
  });

  it('while the text of a refusal is read', async () => {
    const caller = new AbortController();
    server = await byFile(socket => {
      socket.write('HTTP/1.1 403 Forbidden\r\nContent-Length: 100\r\n\r\n{');
      setTimeout(() => caller.abort(reason), 300);
    });
    await aborted({ files: [small('0')], storage: server, signal: caller.signal });
  });
});

describe('an abort while it waits', () => {
  it('to try again ends it at once, and its timer', async () => {
    const caller = new AbortController();
    let asked = 0;
    const timers = activeTimers();
    const failing = builtIn({
      lookup: (_host, _options, callback) => {
        asked++;
        callback(Object.assign(new Error('x'), { code: 'ENOTFOUND' }), '', 4);
      },
    });
    server = await tcpServer(() => {});
    let ended: unknown;
    const sending = send(failing, 'http://storage.example', { signal: caller.signal }).catch(error => {
      ended = error;
    });
    while (asked === 0) await turn();
    for (let turns = 0; turns < 10; turns++) await turn();
    expect(activeTimers()).toBe(timers + 1);
    caller.abort('enough');
    for (let turns = 0; turns < 10; turns++) await turn();
    expect(ended).toMatchObject({ code: 'aborted', cause: 'enough' });
    expect(activeTimers()).toBe(timers);
    await sending;
    await failing.close();
    expect(asked).toBe(1);
  });

  it('in the queue behind another call ends it at once, and that other call goes on', async () => {
    const caller = new AbortController();
    let answerFirst = (): void => {};
    server = await byFile(socket => {
      answerFirst = () => says(200)(socket);
    });
    const mcp = await startScriptedServer({
      tools: [publish],
      onCall: ({ params }) =>
        params.requestState === undefined
          ? inputRequired({ up: uploadEntry({ '/assets/0': { url: `${server.origin}/put/0` } }) }, 'state')
          : done(),
    });
    let queued = 0;
    const logger = ({ type }: LogEvent) => {
      if (type === 'leg_answered') queued++;
    };
    const host = await connect('v2 modern', mcp.url, { inlineLimit: 0, concurrency: 1, logger });
    const request = { name: 'publish', arguments: { site: 's', assets: [small('x')] } };
    const first = host.files.callToolWithFiles(request);
    while (server.connections === 0) await turn();
    const second = host.files.callToolWithFiles(request, { signal: caller.signal });
    while (queued < 2) await turn();
    caller.abort('enough');
    await expect(second).rejects.toMatchObject({ code: 'aborted', cause: 'enough', outcome: 'not_run' });
    expect(server.connections).toBe(1);
    answerFirst();
    await expect(first).resolves.toMatchObject({ transfers: [{ status: 200 }] });
    expect(mcp.calls).toHaveLength(3);
    await host[Symbol.asyncDispose]();
    await mcp[Symbol.asyncDispose]();
  });
});
