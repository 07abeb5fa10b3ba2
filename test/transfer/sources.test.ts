import { rename, truncate, utimes, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FILE_SOURCE, type FileSource } from '../../src/source/file-source.js';
import { fromPath } from '../../src/source/from-path.js';
import { fromStream } from '../../src/source/from-stream.js';
import { planFile } from '../../src/source/plan-file.js';
import { type TemporaryFolder, temporaryFolder } from './support/open-files.js';
import { type Storage, storage } from './support/server.js';
import { closeEngines, engine, failure, send } from './support/upload.js';

const SIZE = 8 * 1024 * 1024;
let folder: TemporaryFolder;
let server: Storage;

beforeEach(async () => {
  folder = await temporaryFolder();
  server = await storage();
});

afterEach(async () => {
  expect(await folder.openFiles()).toEqual([]);
  await closeEngines();
  await server.close();
  await folder.remove();
});

describe('a file that changes while it is sent', () => {
  it.each<[string, (path: string) => Promise<void>]>([
    ['grows', path => writeFile(path, 'more', { flag: 'a' })],
    ['shrinks', path => truncate(path, 10)],
    ['is written over', path => writeFile(path, Buffer.alloc(SIZE, 'b'))],
    [
      'is replaced, to the same name,',
      async path => {
        await writeFile(`${path}.new`, Buffer.alloc(SIZE, 'a'));
        await rename(`${path}.new`, path);
      },
    ],
  ])('and %s never arrives whole', async (_, change) => {
    const path = await folder.write('a.bin', Buffer.alloc(SIZE, 'a'));
    await utimes(path, 1_000, 1_000);
    // The change falls between two pieces: the body is pulled by hand.
    const planned = await planFile(fromPath(path), new AbortController().signal);
    const file = {
      name: 'a.bin',
      [FILE_SOURCE]: async () => ({
        ...planned,
        async *chunks(signal: AbortSignal) {
          let pieces = 0;
          for await (const chunk of planned.chunks(signal)) {
            if (++pieces === 2) await change(path);
            yield chunk;
          }
        },
      }),
    } as FileSource;
    const error = await failure(send(engine(), server.origin, { file }));
    expect(error).toMatchObject({ code: 'file_changed', pointer: '/document', outcome: 'not_run' });
    await server.idle();
    expect(server.requests).toEqual([]);
  });

  it.each(['before', ''])('before it is sent is not even begun (%j)', async before => {
    const path = await folder.write('a.bin', before);
    const planned = await planFile(fromPath(path), new AbortController().signal);
    await writeFile(path, 'and after');
    const file = { name: 'a.bin', [FILE_SOURCE]: async () => planned } as FileSource;
    expect(await failure(send(engine(), server.origin, { file }))).toMatchObject({
      code: 'file_changed',
      details: { size: before.length, found: 9 },
    });
    expect(server.requests).toEqual([]);
  });
});

describe('a source that lies about its size', () => {
  const parts = (...sizes: number[]) =>
    async function* () {
      for (const size of sizes) yield Buffer.alloc(size);
    };

  it.each([
    ['too short', [5], 6],
    ['too long, in one piece', [7], 6],
    ['too long, in a piece that follows', [6, 1], 6],
    ['not empty', [1], 0],
  ])('is file_changed when it is %s, and no whole body arrives', async (_, sizes, size) => {
    const file = fromStream(parts(...sizes), { name: 'a', size });
    expect(await failure(send(engine(), server.origin, { file }))).toMatchObject({ code: 'file_changed' });
    await server.idle();
    expect(server.requests).toEqual([]);
  });

  it.each([
    ['short', 5],
    ['long', 7],
  ])('is stopped by the transfer itself where the source does not: too %s', async (_, length) => {
    const planned = await planFile(fromStream(parts(6), { name: 'a', size: 6 }), new AbortController().signal);
    const file = { name: 'a', [FILE_SOURCE]: async () => ({ ...planned, chunks: parts(length) }) } as FileSource;
    expect(await failure(send(engine(), server.origin, { file }))).toMatchObject({
      code: 'file_changed',
      pointer: '/document',
      details: { size: 6, received: length },
    });
    await server.idle();
    expect(server.requests).toEqual([]);
  });
});

describe('a source that fails', () => {
  it('is file_unreadable, without the text of its error', async () => {
    async function* source() {
      yield Buffer.alloc(10);
      throw Object.assign(new Error('password=secret'), { code: 'E_SOURCE' });
    }
    const error = await failure(send(engine(), server.origin, { file: fromStream(source, { name: 'a', size: 20 }) }));
    expect(error).toMatchObject({ code: 'file_unreadable', pointer: '/document', cause: { code: 'E_SOURCE' } });
    expect(`${error.message}${error.cause}`).not.toContain('secret');
    await server.idle();
  });
});
