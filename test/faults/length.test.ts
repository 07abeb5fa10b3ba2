import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fromBlob, fromBytes, fromPath, fromStream } from '../../src/index.js';
import type { FileSource } from '../../src/source/file-source.js';
import type { TransferEngine } from '../../src/transfer/engine.js';
import { createFetchEngine } from '../../src/transfer/fetch-engine.js';
import { type TemporaryFolder, temporaryFolder } from '../transfer/support/open-files.js';
import { answer, type ReceivedRequest, type Storage, storage } from '../transfer/support/server.js';
import { engine as builtIn, closeEngines, send } from '../transfer/support/upload.js';
import { ENGINES, MODES, type Mode, succeeds } from './support/world.js';

const MIB = 1024 * 1024;
const modes = Object.keys(MODES) as Mode[];
let folder: TemporaryFolder;
let server: Storage;

beforeEach(async () => {
  folder = await temporaryFolder();
});

afterEach(async () => {
  await closeEngines();
  await server?.close();
  await folder.remove();
});

/** As S3 and others: a body without a length, or in chunks, is refused. */
const strict = (request: ReceivedRequest) => {
  if (request.header('transfer-encoding') !== undefined) return answer(501, '<Code>NotImplemented</Code>');
  return request.header('content-length') === undefined ? answer(411) : answer(200);
};

async function* parts(...contents: (string | Uint8Array)[]) {
  for (const content of contents) yield Buffer.from(content);
}

const content = randomBytes(2 * MIB + 5);
const SOURCES: Readonly<Record<string, (bytes: Uint8Array) => Promise<FileSource> | FileSource>> = {
  bytes: bytes => fromBytes(bytes, { name: 'a.bin' }),
  'a Blob': bytes => fromBlob(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'text/plain' }), { name: 'a.bin' }),
  'a path': async bytes => fromPath(await folder.write('a.bin', bytes)),
  'a stream of known size': bytes =>
    fromStream(() => parts(bytes.subarray(0, 7), bytes.subarray(7)), { name: 'a.bin', size: bytes.byteLength }),
};

/** What arrived of the file, out of its form if it came in one. */
function fileIn(request: ReceivedRequest): Buffer {
  const boundary = /boundary=(\S+)/.exec(request.header('content-type') ?? '')?.[1];
  if (boundary === undefined) return request.body;
  const start = request.body.indexOf('\r\n\r\n', request.body.indexOf('filename=')) + 4;
  return request.body.subarray(start, request.body.lastIndexOf(`\r\n--${boundary}--\r\n`));
}

describe.each(ENGINES)('a storage that refuses chunked bodies, by the %s engine', engine => {
  it.each(Object.keys(SOURCES).flatMap(source => modes.map(mode => [source, mode] as const)))(
    'takes %s by %s, in one request with its exact length',
    async (source, mode) => {
      server = await storage(strict);
      const file = await SOURCES[source]!(content);
      const { transfers } = await succeeds({ engine, files: [file], storage: server, target: () => MODES[mode] });
      expect(transfers).toMatchObject([{ status: 200, bytes: content.byteLength, mode: mode.toLowerCase() }]);
      expect(server.requests).toHaveLength(1);
      const [request] = server.requests as [ReceivedRequest];
      expect(request.header('content-length')).toBe(String(request.body.byteLength));
      expect(fileIn(request).equals(content)).toBe(true);
    },
  );
});

/** An empty file of a call has no transfer; a target that must have one all the same meets these bodies. */
describe.each(ENGINES)('a body of zero bytes, by the %s engine', kind => {
  let engine: TransferEngine;
  beforeEach(() => {
    engine = kind === 'fetch' ? createFetchEngine(globalThis.fetch) : builtIn();
  });

  it.each(Object.keys(SOURCES).flatMap(source => modes.map(mode => [source, mode] as const)))(
    'of %s goes by %s with its length',
    async (source, mode) => {
      server = await storage(strict);
      const form = mode === 'form' ? { fields: [['key', 'v/1']] as const, fileField: 'upload' } : undefined;
      const { method } = MODES[mode];
      const target = { method, ...(form && { form }) };
      const file = await SOURCES[source]!(Buffer.alloc(0));
      await expect(send(engine, server.origin, { file, target })).resolves.toMatchObject({ status: 200, bytes: 0 });
      const [request] = server.requests as [ReceivedRequest];
      expect(request.line).toMatch(`${method} `);
      expect(request.header('content-length')).toBe(String(request.body.byteLength));
      expect(fileIn(request).byteLength).toBe(0);
      if (mode !== 'form') expect(request.body.byteLength).toBe(0);
      await engine.close();
    },
  );
});

it('an empty file beside a large one is not sent to any target, and arrives', async () => {
  server = await storage(strict);
  const files = [fromBytes(content, { name: 'a.bin' }), fromBytes('', { name: 'empty.txt' })];
  const { transfers } = await succeeds({ files, storage: server });
  expect(transfers.map(({ mode, bytes }) => [mode, bytes])).toEqual([
    ['put', content.byteLength],
    ['inline', 0],
  ]);
  expect(server.requests).toHaveLength(1);
});
