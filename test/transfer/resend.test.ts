import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { FilesError } from '../../src/errors/index.js';
import { fromStream } from '../../src/source/from-stream.js';
import { storage, type TestServer, tcpServer } from './support/server.js';
import { closeEngines, engine, failure, send, transferFailure } from './support/upload.js';

let server: TestServer | undefined;

afterEach(async () => {
  await closeEngines();
  await server?.close();
  server = undefined;
});

/** A port that was free a moment ago. */
async function closedPort(): Promise<number> {
  const probe = await tcpServer(() => {});
  await probe.close();
  return probe.port;
}

describe('sending again', () => {
  it('happens when the connection is refused, until somebody listens', async () => {
    const port = await closedPort();
    const late = createServer(socket => socket.once('data', () => socket.end('HTTP/1.1 201 Created\r\n\r\n')));
    let opened = 0;
    const file = fromStream(
      () => {
        opened += 1;
        return new Blob(['content']).stream();
      },
      { name: 'a', size: 7 },
    );
    const sending = send(engine(), `http://127.0.0.1:${port}`, { file });
    setTimeout(() => late.listen(port, '127.0.0.1'), 30);
    await expect(sending).resolves.toMatchObject({ status: 201 });
    expect(opened).toBe(1); // nothing is read before there is a connection
    late.close();
  });

  it('has an end', async () => {
    const port = await closedPort();
    expect(await transferFailure(send(engine(), `http://127.0.0.1:${port}`))).toEqual({
      code: 'transfer_failed',
      pointer: '/document',
      reason: 'connection_refused',
    });
  });

  it('happens when a name is not resolved, three tries in all', async () => {
    let asked = 0;
    const lookup = engine({
      lookup: (_host, _options, callback) => {
        asked += 1;
        callback(Object.assign(new Error('x'), { code: 'ENOTFOUND' }), '', 4);
      },
    });
    expect(await transferFailure(send(lookup, 'http://storage.example'))).toMatchObject({
      reason: 'name_not_resolved',
    });
    expect(asked).toBe(3);
  });

  it('happens when TLS fails before the request', async () => {
    server = await tcpServer(socket => socket.once('data', () => socket.end('this is no TLS')));
    expect(await transferFailure(send(engine(), server.origin.replace('http', 'https')))).toMatchObject({
      reason: 'tls_failed',
    });
    expect(server.connections).toBe(3);
  });

  it('happens when the connection is closed while the source is still silent', async () => {
    let connections = 0;
    server = await storage();
    const closing = await tcpServer(socket => {
      connections += 1;
      socket.end();
    });
    const file = fromStream(
      async function* () {
        await new Promise(resolve => setTimeout(resolve, 50));
        yield Buffer.from('content');
      },
      { name: 'a', size: 7 },
    );
    expect(await transferFailure(send(engine(), closing.origin, { file }))).toMatchObject({
      reason: 'connection_lost',
    });
    expect(connections).toBe(3);
    await closing.close();
  });

  it('does not happen once a byte was sent', async () => {
    server = await tcpServer(socket => socket.once('data', () => socket.resetAndDestroy()));
    expect(await transferFailure(send(engine(), server.origin))).toMatchObject({ reason: 'connection_lost' });
    expect(server.connections).toBe(1);
  });

  it('does not happen when the connection takes too long', async () => {
    let asked = 0;
    const silent = engine({
      connectTimeout: 50,
      lookup: () => {
        asked += 1;
      },
    });
    expect(await transferFailure(send(silent, 'http://storage.example'))).toEqual({
      code: 'transfer_timeout',
      pointer: '/document',
      reason: 'connect_timeout',
    });
    expect(asked).toBe(1);
  });

  it('does not happen when the address guard refuses, and its error arrives as it is', async () => {
    let asked = 0;
    const guarded = engine({
      lookup: (_host, _options, callback) => {
        asked += 1;
        callback(new FilesError('target_refused', 'no', { details: { reason: 'private_address' } }), '', 4);
      },
    });
    const error = await failure(send(guarded, 'http://storage.example'));
    expect(error).toMatchObject({
      code: 'target_refused',
      pointer: '/document',
      details: { reason: 'private_address' },
    });
    expect(asked).toBe(1);
  });

  it('is not waited for when the caller gives up', async () => {
    const port = await closedPort();
    const caller = new AbortController();
    const sending = send(engine(), `http://127.0.0.1:${port}`, { signal: caller.signal });
    setTimeout(() => caller.abort('enough'), 20);
    expect(await failure(sending)).toMatchObject({ code: 'aborted', cause: 'enough', pointer: '/document' });
  });
});
