import { createHash } from 'node:crypto';
import { connect, createServer, type Socket } from 'node:net';
import { expect } from 'vitest';
import { FilesError } from '../../../src/errors/index.js';
import { readDownloads } from '../../../src/protocol/index.js';
import { normalSha256 } from '../../../src/transfer/digest.js';
import { download } from '../../../src/transfer/download.js';
import { checkTarget, type TargetContext } from '../../../src/transfer/target-policy.js';
import { DEFAULT_TIMEOUTS } from '../../../src/transfer/upload.js';
import { type EngineKind, makeEngine, POLICY } from './send.js';

/** A returned file as an MCP server writes it into its result. */
export interface WireFile {
  url: string;
  headers?: Record<string, string>;
  size?: number;
  digest?: { algorithm: string; value: string };
}

/** From the server's result to the verified bytes, by the same steps as `client.download` takes. */
export async function fetchFile(wire: WireFile, kind: EngineKind = 'built-in'): Promise<Uint8Array> {
  const notes: string[] = [];
  const result = { _meta: { 'io.modelcontextprotocol/files': { downloads: [wire] } } };
  const [file] = readDownloads(result, note => notes.push(note)).downloads;
  expect(notes).toEqual([]);
  const context: TargetContext = {
    policy: POLICY,
    engineKind: kind,
    proxied: false,
    hasCredentials: false,
    now: Date.now,
    direction: 'download',
  };
  const engine = makeEngine(kind);
  const pieces: Uint8Array[] = [];
  try {
    const { size, digest } = file!;
    const request = {
      name: 'file',
      target: checkTarget({ ...file!, method: 'GET' }, context),
      credentialHeaders: [],
      ...(size !== undefined && { size }),
      ...(digest && { sha256: { expected: normalSha256(digest.value), start: startSha256 } }),
      signal: new AbortController().signal,
      timeouts: DEFAULT_TIMEOUTS,
      checkRedirect: (url: string) => checkTarget({ url, method: 'GET', headers: [], credentials: 'omit' }, context),
      onSize() {},
      onReceived() {},
    };
    for await (const piece of download(engine, request)) pieces.push(piece);
  } finally {
    await engine.close();
  }
  return Buffer.concat(pieces);
}

function startSha256() {
  const hash = createHash('sha256');
  return { update: (bytes: Uint8Array) => void hash.update(bytes), digest: () => hash.digest('base64url') };
}

/** Code and details of the error, without the origin. */
export async function fetchRefusal(wire: WireFile, kind?: EngineKind) {
  const error = await fetchFile(wire, kind).then(
    bytes => expect.fail(`the storage gave ${bytes.byteLength} bytes`),
    thrown => thrown,
  );
  expect(error).toBeInstanceOf(FilesError);
  const query = wire.url.split('?')[1] ?? '';
  expect(`${JSON.stringify(error)} ${error.stack}`).not.toContain(query);
  const { origin: _, ...details } = error.details;
  return { code: error.code, ...details };
}

/** A way to a server that breaks each of the first connections after so many bytes of the answer. */
export async function breakingRelay(
  to: string,
  afterBytes: number,
): Promise<{ origin: string; connections(): number; close(): Promise<void> }> {
  const { hostname, port } = new URL(to);
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer(near => {
    const breaks = connections++ < 2;
    let left = afterBytes;
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    }
    near.on('data', bytes => far.write(bytes)).on('close', () => far.destroy());
    far.on('close', () => near.end());
    far.on('data', bytes => {
      near.write(breaks ? bytes.subarray(0, Math.max(0, left)) : bytes);
      left -= bytes.length;
      if (breaks && left <= 0) far.destroy();
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    connections: () => connections,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
