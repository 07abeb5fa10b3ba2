import { createHash, randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { isWorthAnew } from '../../../src/transfer/download.js';
import { createFetchEngine } from '../../../src/transfer/fetch-engine.js';
import { type Fetching, fetchFailure, fetching } from '../support/download.js';
import { answer, type ReceivedRequest, type Storage, storage } from '../support/server.js';
import { closeEngines, engine } from '../support/upload.js';

let server: Storage | undefined;

afterEach(async () => {
  await closeEngines();
  await server?.close();
  server = undefined;
});

const content = randomBytes(300_000);
const sha256 = createHash('sha256').update(content).digest('base64url');

interface Rest {
  readonly etag?: string;
  readonly status?: number;
  readonly range?: string;
  readonly from?: number;
}

/** Serves the file `cut` bytes at a time and then breaks the connection; `rest` is what it gets wrong after the first. */
async function breaking(cut: number, etag: string | undefined, rest: Rest = {}, redirect = false): Promise<string> {
  server = await storage(({ line, header }, socket) => {
    if (redirect && line.includes('/get')) return answer(302, '', { Location: '/elsewhere' });
    const start = Number(/^bytes=(\d+)-$/.exec(header('range') ?? '')?.[1] ?? 0);
    const first = start === 0;
    const from = first ? 0 : (rest.from ?? start);
    const status = first ? 200 : (rest.status ?? 206);
    const tag = first ? etag : (rest.etag ?? etag);
    const headers = [
      `HTTP/1.1 ${status} Any`,
      `Content-Length: ${content.length - from}`,
      ...(tag === undefined ? [] : [`ETag: ${tag}`]),
      ...(first ? [] : [`Content-Range: ${rest.range ?? `bytes ${from}-${content.length - 1}/${content.length}`}`]),
    ];
    socket.write(`${headers.join('\r\n')}\r\n\r\n`);
    const piece = content.subarray(from, from + cut);
    if (from + cut < content.length) socket.end(piece);
    else socket.write(piece);
    return undefined;
  });
  return server.origin;
}

async function fetchBytes(origin: string, how: Fetching = {}, by = engine()): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of fetching(by, origin, { size: content.length, sha256, ...how })) pieces.push(piece);
  return Buffer.concat(pieces);
}

const ranges = (requests: readonly ReceivedRequest[]) =>
  requests.map(({ header }) => [header('range'), header('if-range')]);

describe('an interrupted download', () => {
  it('goes on from where it was, on the condition that the file is the same, and counts on', async () => {
    const origin = await breaking(100_000, '"v1"');
    const received: number[] = [];
    expect(content.equals(await fetchBytes(origin, { onReceived: bytes => void received.push(bytes) }))).toBe(true);
    expect(ranges(server!.requests)).toEqual([
      [undefined, undefined],
      ['bytes=100000-', '"v1"'],
      ['bytes=200000-', '"v1"'],
    ]);
    expect(received).toEqual([...received].sort((a, b) => a - b));
    expect(received.at(-1)).toBe(content.length);
  });

  it('through fetch as well', async () => {
    const origin = await breaking(200_000, '"v1"');
    expect(content.equals(await fetchBytes(origin, {}, createFetchEngine(fetch)))).toBe(true);
    expect(server!.requests.length).toBeGreaterThan(1);
  });

  it('takes Range along to where it is redirected, and nothing else', async () => {
    const origin = await breaking(200_000, '"v1"', {}, true);
    expect(content.equals(await fetchBytes(origin))).toBe(true);
    expect(ranges(server!.requests)).toEqual([
      [undefined, undefined],
      [undefined, undefined],
      ['bytes=200000-', '"v1"'],
      ['bytes=200000-', undefined],
    ]);
  });

  it('gives up where no byte comes any more', async () => {
    server = await storage(({ header }, socket) => {
      const start = header('range') === undefined ? 0 : 7;
      const headers = `Content-Length: ${20 - start}\r\nETag: "1"\r\nContent-Range: bytes ${start}-19/20\r\n\r\n`;
      socket.end(`HTTP/1.1 ${start === 0 ? 200 : 206} Any\r\n${headers}${start === 0 ? 'content' : ''}`);
      return undefined;
    });
    expect(await fetchFailure(engine(), server.origin)).toEqual({ code: 'download_failed', reason: 'connection_lost' });
    expect(server.requests).toHaveLength(4);
  });

  it('gives up after many interruptions, even where each brings a byte', async () => {
    const origin = await breaking(1, '"1"');
    expect(await fetchFailure(engine(), origin)).toEqual({ code: 'download_failed', reason: 'connection_lost' });
    expect(server!.requests).toHaveLength(9);
  });

  it.each<[string, string | undefined, Fetching]>([
    ['without a validator', undefined, {}],
    ['with a weak validator', 'W/"v1"', {}],
    ['with a validator that is none', 'v1', {}],
    ['of an include target', '"v1"', { target: { credentials: 'include' } }],
    ['of a part that the target asks for', '"v1"', { target: { headers: [['range', 'bytes=0-']] } }],
  ])('is not taken up again %s', async (_, etag, how) => {
    const origin = await breaking(100_000, etag);
    expect(await fetchFailure(engine(), origin, how)).toEqual({ code: 'download_failed', reason: 'connection_lost' });
    expect(server!.requests).toHaveLength(1);
  });

  it.each<[string, Rest]>([
    ['the whole file', { status: 200 }],
    ['a changed file', { etag: '"v2"' }],
    ['a file that may have changed', { etag: 'W/"v1"' }],
    ['another part', { from: 99_999 }],
    ['a part that stops short', { range: `bytes 100000-200000/${content.length}` }],
    ['a part of unknown place', { range: 'bytes */300000' }],
    ['a part of a file of unknown size', { range: 'bytes 100000-299999/*' }],
    ['a file of another size', { range: 'bytes 100000-299998/299999' }],
  ])('ends where the rest is %s', async (_, rest) => {
    const origin = await breaking(100_000, '"v1"', rest);
    const { code, reason } = (await fetchFailure(engine(), origin, { size: content.length })) as Record<
      string,
      unknown
    >;
    expect([code, reason]).toEqual(
      rest.range?.endsWith('299999') ? ['size_mismatch', undefined] : ['download_failed', 'connection_lost'],
    );
    expect(server!.requests).toHaveLength(2);
  });

  it('without a validator goes on where a digest tells the file from any other', async () => {
    const origin = await breaking(100_000, undefined);
    expect(content.equals(await fetchBytes(origin))).toBe(true);
    expect(ranges(server!.requests)).toEqual([
      [undefined, undefined],
      ['bytes=100000-', undefined],
      ['bytes=200000-', undefined],
    ]);
  });

  it('of a file that was changed meanwhile is told by its digest, where that is all there is', async () => {
    const other = createHash('sha256').update('another').digest('base64url');
    const origin = await breaking(100_000, undefined);
    expect(await fetchFailure(engine(), origin, { sha256: other })).toMatchObject({ code: 'digest_mismatch' });
  });

  it.each<[string, string | undefined, Rest, Fetching, boolean]>([
    ['without anything to tell it by', undefined, {}, {}, true],
    ['of a storage that sends the whole again', '"v1"', { status: 200 }, {}, true],
    ['of a changed file', '"v1"', { etag: '"v2"' }, {}, true],
    ['with a digest, and the whole again', undefined, { status: 200 }, { sha256 }, true],
    ['of an include target', '"v1"', {}, { target: { credentials: 'include' } }, false],
    ['of a file of another size', '"v1"', { range: 'bytes 100000-299998/299999' }, {}, false],
    ['that is refused', '"v1"', { status: 403 }, {}, false],
  ])('%s may be begun anew, or may not', async (_, etag, rest, how, expected) => {
    const origin = await breaking(100_000, etag, rest);
    const read = async () => {
      for await (const _ of fetching(engine(), origin, { size: content.length, ...how }));
    };
    const error = await read().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(isWorthAnew(error)).toBe(expected);
  });

  it('says why the storage refuses the rest', async () => {
    const origin = await breaking(100_000, '"v1"', { status: 403 });
    expect(await fetchFailure(engine(), origin)).toMatchObject({ reason: 'http_status', status: 403 });
  });
});

describe('a request that was not answered', () => {
  it('is repeated: a kept connection may have been closed', async () => {
    let seen = 0;
    server = await storage((_, socket) => {
      if (seen++ > 0) return answer(200, 'content');
      socket.destroy();
      return undefined;
    });
    const how = { target: { credentials: 'include' as const }, size: 7, sha256: undefined as never };
    expect((await fetchBytes(server.origin, how)).toString()).toBe('content');
  });

  it('is not repeated for ever', async () => {
    server = await storage((_, socket) => {
      socket.destroy();
      return undefined;
    });
    expect(await fetchFailure(engine(), server.origin)).toEqual({ code: 'download_failed', reason: 'connection_lost' });
    expect(server.requests).toHaveLength(3);
  });
});
