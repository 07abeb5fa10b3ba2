import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { cert, key } from './support/certificate.js';
import { answer, type Storage, storage, type TestServer, tcpServer } from './support/server.js';
import { closeEngines, engine, failure, send, transferFailure } from './support/upload.js';

const closers: Array<() => Promise<unknown>> = [];

afterEach(async () => {
  vi.unstubAllEnvs();
  await closeEngines();
  for (const close of closers.splice(0)) await close();
});

async function plain(): Promise<Storage> {
  const server = await storage();
  closers.push(server.close);
  return server;
}

/** Answers 200 to whatever comes, over TLS. */
async function secure(): Promise<{ origin: string; port: number; protocols: Array<string | false | null> }> {
  const protocols: Array<string | false | null> = [];
  const open = new Set<Socket>();
  const server = createTlsServer({ cert, key, ALPNProtocols: ['h2', 'http/1.1'] }, socket => {
    protocols.push(socket.alpnProtocol);
    socket.on('error', () => {});
    socket.on('data', () => socket.write(answer(200)));
  });
  server.on('connection', socket => open.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { origin: `https://127.0.0.1:${port}`, port, protocols };
}

/** Tunnels every CONNECT to this port, and notes what was asked for. */
async function proxy(port: number): Promise<TestServer & { asked: string[] }> {
  const asked: string[] = [];
  const server = await tcpServer(socket => {
    socket.once('data', head => {
      asked.push(head.toString('latin1').split('\r\n')[0]!);
      const far = connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connected\r\n\r\n');
        socket.pipe(far).pipe(socket);
      });
      far.on('error', () => socket.destroy());
      socket.on('close', () => far.destroy());
    });
  });
  closers.push(server.close);
  return Object.assign(server, { asked });
}

describe('TLS', () => {
  it('is refused with a certificate that nobody vouches for', async () => {
    const server = await secure();
    expect(await transferFailure(send(engine(), server.origin))).toMatchObject({ reason: 'tls_failed' });
  });

  it('goes through with the authority that is given, by HTTP/1.1 even where HTTP/2 is offered', async () => {
    const server = await secure();
    const shared = engine({ tls: { ca: cert } });
    await expect(send(shared, server.origin)).resolves.toMatchObject({ status: 200 });
    await expect(send(shared, server.origin)).resolves.toMatchObject({ status: 200 });
    expect(server.protocols).toEqual(['http/1.1']);
  });
});

describe('the lookup', () => {
  it('decides which address is connected to', async () => {
    const server = await plain();
    const names: string[] = [];
    const shared = engine({
      lookup: (name, options, callback) => {
        names.push(name);
        if (options.all) callback(null, [{ address: '127.0.0.1', family: 4 }]);
        else callback(null, '127.0.0.1', 4);
      },
    });
    const origin = `http://storage.test:${server.port}`;
    await expect(send(shared, origin)).resolves.toMatchObject({ status: 200 });
    expect(names).toEqual(['storage.test']);
    expect(server.requests[0]!.header('host')).toBe(`storage.test:${server.port}`);
  });
});

describe('a proxy', () => {
  it('given by its URL is used, TLS through it too, and the raw path still arrives', async () => {
    const [http, https] = [await plain(), await secure()];
    const way = await proxy(http.port);
    const target = { requestPath: "/a/../it's?x=+" };
    await send(engine({ proxy: way.origin }), 'http://storage.test', { target });
    expect(way.asked).toEqual(['CONNECT storage.test:80 HTTP/1.1']);
    expect(http.requests[0]!.line).toBe("PUT /a/../it's?x=+ HTTP/1.1");
    expect(http.requests[0]!.header('content-length')).toBe('7');

    const secureWay = await proxy(https.port);
    await send(engine({ proxy: secureWay.origin, tls: { ca: cert } }), 'https://storage.test');
    expect(secureWay.asked).toEqual(['CONNECT storage.test:443 HTTP/1.1']);
  });

  it('of the environment is used only when asked for, and NO_PROXY keeps its lookup', async () => {
    const server = await plain();
    const way = await proxy(server.port);
    vi.stubEnv('http_proxy', way.origin);
    vi.stubEnv('no_proxy', 'direct.test');
    await send(engine(), server.origin);
    expect(way.asked).toEqual([]);

    let looked = 0;
    const shared = engine({
      proxy: 'env',
      lookup: (_name, options, callback) => {
        looked += 1;
        if (options.all) callback(null, [{ address: '127.0.0.1', family: 4 }]);
        else callback(null, '127.0.0.1', 4);
      },
    });
    await send(shared, 'http://proxied.test');
    expect(way.asked).toEqual(['CONNECT proxied.test:80 HTTP/1.1']);
    expect(looked).toBe(0);
    await send(shared, `http://direct.test:${server.port}`);
    expect(way.asked).toHaveLength(1);
    expect(looked).toBe(1);
  });

  it('that refuses is a failure without a request', async () => {
    const server = await storage(() => answer(407));
    closers.push(server.close);
    expect(await transferFailure(send(engine({ proxy: server.origin }), 'http://storage.test'))).toMatchObject({
      code: 'transfer_failed',
      reason: 'connection_failed',
    });
  });

  it.each(['http', 'https'])('lets an abort end its connections too: %s', async scheme => {
    const caller = new AbortController();
    const silent = await tcpServer(socket => {
      socket.once('data', () => {
        if (scheme === 'https') socket.write('HTTP/1.1 200 Connected\r\n\r\n');
        setTimeout(() => caller.abort(), 20);
      });
    });
    closers.push(silent.close);
    const shared = engine({ proxy: silent.origin, connectTimeout: 0 });
    const sending = send(shared, `${scheme}://storage.test`, { signal: caller.signal });
    expect(await failure(sending)).toMatchObject({ code: 'aborted' });
    await silent.idle();
  });

  it('whose URL is none is a failure of the transfer', async () => {
    expect(await transferFailure(send(engine({ proxy: 'not a url' }), 'http://storage.test'))).toMatchObject({
      code: 'transfer_failed',
    });
  });
});
