import { describe, expect, it } from 'vitest';
import { FILE_SOURCE, type PlannedFile } from '../../src/source/file-source.js';
import { fromBlob } from '../../src/source/from-blob.js';
import { fromBytes } from '../../src/source/from-bytes.js';
import { planFile, toFileSource } from '../../src/source/plan-file.js';
import { failure } from '../transfer/support/upload.js';

const { signal } = new AbortController();
const MIB = 1024 * 1024;

async function contents(file: PlannedFile) {
  const chunks = [];
  for await (const chunk of file.chunks(signal)) chunks.push(Buffer.from(chunk));
  const blob = await file.blob(signal);
  return {
    chunks,
    whole: Buffer.from(await file.bytes(signal)),
    blob: Buffer.from(await blob.arrayBuffer()),
    blobType: blob.type,
  };
}

const content = Buffer.alloc(2 * MIB + 3, 'abcdefg');

describe.each([
  ['fromBytes', () => fromBytes(content, { name: 'dir/a.txt' })],
  ['fromBlob', () => fromBlob(new Blob([content], { type: 'text/plain' }), { name: 'dir/a.txt' })],
])('%s', (_, make) => {
  it('gives the same content in each way, as often as asked, in pieces of at most 1 MiB', async () => {
    const source = make();
    const file = await planFile(source, signal);
    expect(source.name).toBe('a.txt');
    expect(file).toMatchObject({ name: 'a.txt', type: 'text/plain', typeIsFallback: false, size: content.length });
    for (let i = 0; i < 2; i++) {
      const { chunks, whole, blob, blobType } = await contents(file);
      expect(chunks.map(chunk => chunk.length)).toEqual([MIB, MIB, 3]);
      expect(Buffer.concat(chunks).equals(content)).toBe(true);
      expect(whole.equals(content)).toBe(true);
      expect(blob.equals(content)).toBe(true);
      expect(blobType).toBe('');
    }
  });

  it('stops when aborted', async () => {
    const file = await planFile(make(), signal);
    const gone = AbortSignal.abort('r');
    for (const reading of [file.bytes(gone), file.blob(gone), file.chunks(gone)[Symbol.asyncIterator]().next()]) {
      expect(await failure(reading as Promise<unknown>)).toMatchObject({ code: 'aborted', cause: 'r' });
    }
    expect(await failure(planFile(make(), gone))).toMatchObject({ code: 'aborted' });
  });
});

describe('fromBytes', () => {
  it('copies: later changes do not count', async () => {
    const bytes = Buffer.from('before');
    const file = await planFile(fromBytes(bytes, { name: 'a' }), signal);
    bytes.write('after!');
    expect(Buffer.from(await file.bytes(signal)).toString()).toBe('before');
  });

  it('sends text as UTF-8, and a part of a larger buffer as just that part', async () => {
    expect((await planFile(fromBytes('ü', { name: 'a' }), signal)).size).toBe(2);
    const part = Buffer.from('abcdef').subarray(2, 4);
    expect(Buffer.from(await (await planFile(fromBytes(part, { name: 'a' }), signal)).bytes(signal)).toString()).toBe(
      'cd',
    );
  });

  it('gives an empty file no piece', async () => {
    expect((await contents(await planFile(fromBytes('', { name: 'a' }), signal))).chunks).toEqual([]);
  });

  it('takes nothing else', () => {
    for (const wrong of [undefined, null, 7, [1], new Uint16Array(2), new ArrayBuffer(2)]) {
      expect(() => fromBytes(wrong as never, { name: 'a' })).toThrow(TypeError);
    }
  });
});

describe('types and names', () => {
  it.each([
    [
      'the override',
      fromBlob(new File(['x'], 'a.png', { type: 'image/gif' }), { type: 'image/webp' }),
      'image/webp',
      false,
    ],
    ["the Blob's", fromBlob(new File(['x'], 'a.png', { type: 'image/gif' })), 'image/gif', false],
    ["the name's", fromBlob(new File(['x'], 'a.png')), 'image/png', false],
    ['the fallback', fromBlob(new Blob(['x'])), 'application/octet-stream', true],
    [
      'the same, said',
      fromBytes('x', { name: 'a', type: 'application/octet-stream' }),
      'application/octet-stream',
      false,
    ],
  ])('take %s', async (_, source, type, typeIsFallback) => {
    expect(await planFile(source, signal)).toMatchObject({ type, typeIsFallback });
  });

  it('come from the File, and clean', () => {
    expect(fromBlob(new File([], '../a.txt')).name).toBe('a.txt');
    expect(fromBlob(new File([], 'a.txt'), { name: 'b.txt' }).name).toBe('b.txt');
    expect(fromBlob(new Blob([])).name).toBe('file');
  });

  it('that are none are argument_invalid', async () => {
    for (const source of [
      fromBytes('x', { name: 'a', type: 'text' }),
      fromBlob(new Blob(['x']), { type: 'text/plain\r\nX: 1' }),
      fromBlob(new Blob(['x'], { type: 'nonsense' })),
    ]) {
      expect(await failure(planFile(source, signal))).toMatchObject({ code: 'argument_invalid', outcome: 'not_run' });
    }
  });
});

describe('a Blob that cannot be read', () => {
  const broken = (arrayBuffer: () => Promise<ArrayBuffer>): Blob =>
    Object.assign(new Blob(['content']), { slice: () => ({ arrayBuffer }) as Blob });

  it('is file_unreadable, without the text of the platform', async () => {
    const blob = broken(() => Promise.reject(new DOMException('/home/secret', 'NotReadableError')));
    const error = await failure((await planFile(fromBlob(blob), signal)).bytes(signal));
    expect(error).toMatchObject({ code: 'file_unreadable', cause: { name: 'NotReadableError' } });
    expect(String((error.cause as Error).message)).not.toContain('secret');
  });

  it('is file_changed where it gives less than it said', async () => {
    const blob = broken(async () => new ArrayBuffer(3));
    expect(await failure((await planFile(fromBlob(blob), signal)).bytes(signal))).toMatchObject({
      code: 'file_changed',
      details: { size: 7, received: 3 },
    });
  });
});

describe('toFileSource', () => {
  it('takes sources and Blobs, and never a string for a path', () => {
    const source = fromBytes('x', { name: 'a' });
    expect(toFileSource(source)).toBe(source);
    expect(toFileSource(new File([], 'b.txt'))?.name).toBe('b.txt');
    for (const other of [
      '/etc/passwd',
      7,
      null,
      undefined,
      {},
      [],
      Buffer.from('x'),
      { [Symbol.toStringTag]: 'Blob' },
    ]) {
      expect(toFileSource(other)).toBeUndefined();
    }
  });

  it('takes the sources of another copy of the package', () => {
    const foreign = { name: 'a', [Symbol.for('mcp-files-client.source')]: async () => ({}) };
    expect(toFileSource(foreign)).toBe(foreign);
  });
});

describe('planFile', () => {
  it('lets out only errors of this library', async () => {
    const foreign = { name: 'a', [FILE_SOURCE]: async () => Promise.reject(new Error('secret')) };
    const error = await failure(planFile(foreign, signal));
    expect(error).toMatchObject({ code: 'file_unreadable', cause: { message: 'Error' } });
  });
});
