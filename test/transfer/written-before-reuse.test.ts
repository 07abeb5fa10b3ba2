import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { FILE_SOURCE, type FileSource } from '../../src/source/file-source.js';
import { cert, key } from './support/certificate.js';
import { answer, tcpServer } from './support/server.js';
import { closeEngines, engine, send } from './support/upload.js';

const closers: Array<() => Promise<unknown>> = [];

afterEach(async () => {
  await closeEngines();
  for (const close of closers.splice(0)) await close();
});

/** More than the kernel's buffers hold on loopback. */
const SIZE = 24 * 1024 * 1024;

/** A source that has memory for one piece, and spoils it the moment it is asked for the next. */
function forgetful(pieces: readonly number[]): { file: FileSource; sha256: () => string } {
  const hash = createHash('sha256');
  async function* chunks() {
    const memory = Buffer.alloc(Math.max(...pieces));
    for (let at = 0, count = 0; at < SIZE; count += 1) {
      const size = Math.min(pieces[count % pieces.length]!, SIZE - at);
      const piece = memory.fill(count % 250).subarray(0, size);
      hash.update(piece);
      yield piece;
      memory.fill(0xff);
      at += size;
    }
  }
  const planned = {
    name: 'a.bin',
    type: 'application/octet-stream',
    typeIsFallback: true,
    size: SIZE,
    bytes: () => Promise.reject(new Error('not asked for')),
    blob: () => Promise.reject(new Error('not asked for')),
    chunks,
  };
  return { file: { name: 'a.bin', [FILE_SOURCE]: async () => planned }, sha256: () => hash.digest('hex') };
}

/** Takes the body a little at a time, so that most of it waits on the side that sends. */
function slowReader(received: (sha256: string) => void): (socket: Socket) => void {
  return socket => {
    const hash = createHash('sha256');
    let missing: number | undefined;
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      let body = chunk;
      if (missing === undefined) {
        missing = SIZE;
        body = chunk.subarray(chunk.indexOf('\r\n\r\n') + 4);
      }
      hash.update(body);
      missing -= body.length;
      if (missing === 0) {
        received(hash.digest('hex'));
        socket.write(answer(200));
      } else {
        socket.pause();
        setImmediate(() => socket.resume());
      }
    });
  };
}

async function listen(server: Server, scheme: string): Promise<string> {
  const open = new Set<Socket>();
  server.on('connection', socket => open.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function tunnel(to: string): Promise<string> {
  const proxy = await tcpServer(socket => {
    socket.once('data', () => {
      const far = connect(Number(new URL(to).port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connected\r\n\r\n');
        socket.pipe(far).pipe(socket);
      });
      far.on('error', () => socket.destroy());
      socket.on('close', () => far.destroy());
    });
  });
  closers.push(proxy.close);
  return proxy.origin;
}

describe('the memory of a piece is free only when it is written', () => {
  // Below and above the high-water marks of TLS and plain sockets, and what a file on disk is read in.
  const sizes = [[9_000], [40_000], [70_000, 10], [512 * 1024]];
  const cases = ['http', 'https', 'https through a proxy'].flatMap(way => sizes.map(pieces => [way, pieces] as const));

  it.each(cases)('to a socket: %s, pieces of %j bytes', async (way, pieces) => {
    let arrived = '';
    const read = slowReader(sha256 => {
      arrived = sha256;
    });
    const server = way === 'http' ? createServer(read) : createTlsServer({ cert, key }, read);
    const origin = await listen(server, way === 'http' ? 'http' : 'https');
    const shared = engine({ tls: { ca: cert }, ...(way.endsWith('proxy') && { proxy: await tunnel(origin) }) });
    const { file, sha256 } = forgetful(pieces);
    await send(shared, origin, { file });
    expect(arrived).toBe(sha256());
  });
});
