import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type FilesClientOptions, isFilesError, type RemoteFile } from '../../src/index.js';
import type { Connected } from '../support/clients.js';
import { cleanUps, digestOf, returning } from '../support/returned.js';

const cleanUp = cleanUps();
const content = randomBytes(3_000_000);

let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'download-cut-'));
  return () => rm(scratch, { recursive: true });
});

interface Storage {
  /** Bytes of each answer before the connection breaks; the answers after these are whole. */
  readonly cuts: readonly number[];
  readonly etag?: (request: number) => string | undefined;
  /** Whether a part may be asked for. */
  readonly ranges?: boolean;
  /** What lies there at the time of a request. */
  readonly file?: (request: number) => Buffer;
}

/** A storage whose connections break, and the headers that it was asked with. */
function breaking({ cuts, etag = () => undefined, ranges = true, file = () => content }: Storage) {
  const asked: (readonly [range: string | undefined, ifRange: string | undefined])[] = [];
  const onStoreStart = ({ url, headers }: IncomingMessage, response: ServerResponse): boolean => {
    if (!url?.startsWith('/get')) return false;
    const request = asked.push([headers.range, headers['if-range']] as never) - 1;
    const [bytes, tag] = [file(request), etag(request)];
    const first = ranges ? Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0) : 0;
    const start = headers['if-range'] === undefined || headers['if-range'] === tag ? first : 0;
    const rest = bytes.subarray(start);
    response.writeHead(start > 0 ? 206 : 200, {
      'content-length': rest.length,
      ...(tag !== undefined && { etag: tag }),
      ...(start > 0 && { 'content-range': `bytes ${start}-${bytes.length - 1}/${bytes.length}` }),
    });
    const cut = cuts[request];
    if (cut === undefined) response.end(rest);
    else response.write(rest.subarray(0, cut), () => response.socket?.end());
    return true;
  };
  return { asked, onStoreStart };
}

/** Every way to read a file. */
const WAYS: Record<
  string,
  (host: Connected, file: RemoteFile, onProgress?: (sent: number) => void) => Promise<Buffer>
> = {
  to: async ({ files }, file, sent) => {
    const to = join(await mkdtemp(join(scratch, 'dir-')), 'a');
    const saved = await files.download(file, { to, onProgress: ({ sentBytes }) => sent?.(sentBytes) });
    expect(await readdir(join(to, '..'))).toEqual(['a']);
    return readFile(saved.path!);
  },
  bytes: async ({ files }, file, sent) =>
    Buffer.from(await (await files.download(file, { onProgress: ({ sentBytes }) => sent?.(sentBytes) })).bytes()),
  stream: async ({ files }, file, sent) => {
    const opened = await files.download(file, { onProgress: ({ sentBytes }) => sent?.(sentBytes) });
    return Buffer.from(await new Response(opened.stream()).arrayBuffer());
  },
};

async function start(storage: Storage, facts: object = { size: content.length }, options: FilesClientOptions = {}) {
  const { asked, onStoreStart } = breaking(storage);
  const target = (origin: string) => [{ name: 'a', url: `${origin}/get?sig=secret`, ...facts }];
  const { host, files } = await returning(cleanUp, 'v2 modern', target, { onStoreStart }, options);
  return { host, file: files[0]!, asked };
}

const CUTS = [700_000, 1, 1_500_000];
const STARTS = [700_000, 700_001, 2_200_001];

/** Asked four times, each for what had not come: of the last bytes before a cut some may have been on their way. */
function expectGoingOn(asked: readonly (readonly (string | undefined)[])[], validator: string | undefined): void {
  expect(asked).toHaveLength(4);
  expect(asked[0]).toEqual([undefined, undefined]);
  expect(asked.slice(1).map(([, ifRange]) => ifRange)).toEqual(Array(3).fill(validator));
  const starts = asked.slice(1).map(([range]) => Number(/^bytes=(\d+)-$/.exec(range!)![1]));
  for (const [index, start] of starts.entries()) {
    expect(start).toBeGreaterThan(STARTS[index]! - 200_000);
    expect(start).toBeLessThanOrEqual(STARTS[index]!);
  }
}

describe.each(Object.entries(WAYS))('a download cut three times, read as %s', (way, read) => {
  it.each<[string, object, FilesClientOptions]>([
    ['with a size', { size: content.length }, {}],
    ['without a size', {}, {}],
    ['with size and digest', { size: content.length, digest: digestOf(content) }, {}],
    ['through fetch', { size: content.length }, { fetch: globalThis.fetch }],
  ])('goes on three times by its ETag, byte-exact: %s', async (_, facts, options) => {
    const { host, file, asked } = await start({ cuts: CUTS, etag: () => '"v1"' }, facts, options);
    const counts: number[] = [];
    const got = await read(host, file, sent => counts.push(sent));
    expect(createHash('sha256').update(got).digest('hex')).toBe(createHash('sha256').update(content).digest('hex'));
    // How much of a cut answer fetch hands on is its own matter.
    if (options.fetch === undefined) expectGoingOn(asked, '"v1"');
    else expect(asked.slice(1).every(([, ifRange]) => ifRange === undefined || ifRange === '"v1"')).toBe(true);
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
    expect(counts.at(-1)).toBe(content.length);
  });

  it('goes on by its digest where the storage names no version', async () => {
    const { host, file, asked } = await start({ cuts: CUTS }, { size: content.length, digest: digestOf(content) });
    expect((await read(host, file)).equals(content)).toBe(true);
    expectGoingOn(asked, undefined);
  });

  const failsFor = async (storage: Storage): Promise<void> => {
    const { host, file } = await start(storage);
    const error = await read(host, file).catch((thrown: unknown) => thrown);
    if (!isFilesError(error)) throw error;
    expect(error).toMatchObject({ code: 'download_failed', details: { reason: 'connection_lost' } });
  };

  it('with nothing to tell it by begins anew, where nothing of it was handed on', async () => {
    const storage = { cuts: [700_000, 1_000_000] };
    if (way === 'stream') return failsFor(storage);
    const { host, file, asked } = await start(storage);
    const counts: number[] = [];
    expect((await read(host, file, sent => counts.push(sent))).equals(content)).toBe(true);
    expect(asked).toEqual(Array(3).fill([undefined, undefined]));
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
  });

  it('is never made of two files: a changed one is begun anew', async () => {
    const later = randomBytes(content.length);
    const storage: Storage = {
      cuts: [700_000],
      etag: request => (request === 0 ? '"v1"' : '"v2"'),
      file: request => (request === 0 ? content : later),
    };
    if (way === 'stream') return failsFor(storage);
    const { host, file, asked } = await start(storage);
    expect((await read(host, file)).equals(later)).toBe(true);
    expect(asked.map(([, ifRange]) => ifRange)).toEqual([undefined, '"v1"', undefined]);
    expect(asked[2]![0]).toBeUndefined();
  });

  it('of a storage without ranges is begun anew', async () => {
    const storage: Storage = { cuts: [700_000], ranges: false, etag: () => '"v1"' };
    if (way === 'stream') return failsFor(storage);
    const { host, file } = await start(storage);
    expect((await read(host, file)).equals(content)).toBe(true);
  });

  it('is given up after a third beginning', async () => {
    const { host, file, asked } = await start({ cuts: [700_000, 700_000, 700_000, 700_000] });
    const error = await read(host, file).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'download_failed', outcome: 'completed' });
    expect(asked).toHaveLength(way === 'stream' ? 1 : 3);
  });
});
