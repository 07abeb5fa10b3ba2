import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { FileSource } from '../../src/source/file-source.js';
import { fromBytes } from '../../src/source/from-bytes.js';
import { fromStream } from '../../src/source/from-stream.js';
import { planFile } from '../../src/source/plan-file.js';
import { makeBody } from '../../src/transfer/body.js';
import { checkHeaders } from '../../src/transfer/header-rules.js';
import { type Storage, storage } from './support/server.js';
import { closeEngines, engine, failure, send } from './support/upload.js';

let server: Storage | undefined;

afterEach(async () => {
  vi.doUnmock('form-data');
  vi.resetModules();
  await closeEngines();
  await server?.close();
  server = undefined;
});

const { signal } = new AbortController();
const plan = (source: FileSource) => planFile(source, signal);

async function bytesOf(body: Awaited<ReturnType<typeof makeBody>>): Promise<Buffer<ArrayBuffer>> {
  const chunks = [];
  for await (const chunk of body.chunks(signal)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe('a form', () => {
  it('is, byte for byte, the fields in their order and the file last', async () => {
    server = await storage();
    const form = {
      fields: [
        ['key', 'uploads/ü.pdf'],
        ['policy', 'eyJ9=='],
        ['key', 'again'],
        ['empty', ''],
      ] as const,
      fileField: 'file',
    };
    const file = fromBytes('%PDF', { name: 'naïve "q".pdf' });
    const headers = checkHeaders([['Content-Type', 'text/plain']], new URL(server.origin), true);
    const receipt = await send(engine(), server.origin, { file, target: { form, headers } });
    const [request] = server.requests;
    const type = request!.header('content-type')!;
    const boundary = /^multipart\/form-data; boundary=([-\w]+)$/.exec(type)![1];
    expect(receipt.bytes).toBe(4);
    expect(request!.line).toMatch(/^POST /);
    expect(request!.header('content-length')).toBe(String(request!.body.length));
    expect(request!.headers.filter(([name]) => name.toLowerCase() === 'content-type')).toHaveLength(1);
    expect(request!.body.toString().split('\r\n')).toEqual([
      `--${boundary}`,
      'Content-Disposition: form-data; name="key"',
      '',
      'uploads/ü.pdf',
      `--${boundary}`,
      'Content-Disposition: form-data; name="policy"',
      '',
      'eyJ9==',
      `--${boundary}`,
      'Content-Disposition: form-data; name="key"',
      '',
      'again',
      `--${boundary}`,
      'Content-Disposition: form-data; name="empty"',
      '',
      '',
      `--${boundary}`,
      'Content-Disposition: form-data; name="file"; filename="naïve %22q%22.pdf"',
      'Content-Type: application/pdf',
      '',
      '%PDF',
      `--${boundary}--`,
      '',
    ]);
  });

  it('needs no other field than the file', async () => {
    const body = await makeBody(await plan(fromBytes('x', { name: 'x.png' })), { fields: [], fileField: 'picture' });
    const text = (await bytesOf(body)).toString();
    expect(text).toMatch(/^--[-\w]+\r\nContent-Disposition: form-data; name="picture"; filename="x.png"\r\n/);
  });

  it.each([
    ['', 'file'],
    ['..', 'file'],
    ['C:\\dir\\x', 'x'],
    ['a\r\nX-Injected: 1.txt', 'aX-Injected: 1.txt'],
    ['😀.bin', '😀.bin'],
  ])('has a file name for %j: never an empty one, never a second line', async (name, shown) => {
    const body = await makeBody(await plan(fromBytes('x', { name })), { fields: [], fileField: 'f' });
    expect((await bytesOf(body)).toString()).toContain(`filename="${shown}"\r\n`);
  });

  it('encodes line breaks and quotes in names of fields', async () => {
    const form = { fields: [['a"\r\nb', 'v']] as const, fileField: 'f"\n' };
    const text = (await bytesOf(await makeBody(await plan(fromBytes('x', { name: 'x' })), form))).toString();
    expect(text).toContain('name="a%22%0D%0Ab"\r\n');
    expect(text).toContain('name="f%22%0A"; filename="x"\r\n');
  });

  it('counts only the bytes of the file', async () => {
    server = await storage();
    const seen: number[] = [];
    const form = { fields: [['key', 'a'.repeat(1000)]] as const, fileField: 'file' };
    await send(engine(), server.origin, { file: Buffer.alloc(1_500_000), target: { form }, onSent: n => seen.push(n) });
    expect(seen).toEqual([0, 1024 * 1024, 1_500_000, 1_500_000]);
  });

  it('of an empty file or a stream has its exact length too', async () => {
    for (const file of [
      fromBytes('', { name: 'a' }),
      fromStream(() => new Blob(['abc']).stream(), { name: 'a', size: 3 }),
    ]) {
      const body = await makeBody(await plan(file), { fields: [['k', 'ü']], fileField: 'f' });
      expect((await bytesOf(body)).length).toBe(body.length);
      expect((await body.blob(signal)).size).toBe(body.length);
    }
  });

  it('is refused a type with a line break in it, whoever made the file', async () => {
    server = await storage();
    const planned = await plan(fromBytes('x', { name: 'x' }));
    const foreign = { ...planned, type: 'text/plain\r\nX-Injected: 1' };
    const file = { name: 'x', [Symbol.for('mcp-files-client.source')]: async () => foreign } as unknown as FileSource;
    const sending = send(engine(), server.origin, { file, target: { form: { fields: [], fileField: 'f' } } });
    expect(await failure(sending)).toMatchObject({ code: 'argument_invalid', pointer: '/document' });
    expect(server.connections).toBe(0);
  });

  it('of any fields and any file is read back by a parser that is not ours', async () => {
    // What a name may not bring through unchanged by the rules of the encoding: line breaks, quotes, percent signs.
    const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter(text => !/[\r\n"%\\/]/.test(text));
    const fields = fc.array(fc.tuple(name, fc.string({ unit: 'grapheme', maxLength: 50 })), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(fields, name, fc.uint8Array({ maxLength: 500 }), async (entries, fileField, content) => {
        const form = { fields: entries, fileField };
        const body = await makeBody(await plan(fromBytes(content, { name: 'a.bin' })), form);
        const response = new Response(await bytesOf(body), { headers: { 'content-type': body.contentType! } });
        const read = [...(await response.formData())];
        expect(read.slice(0, -1)).toEqual(entries);
        const [readField, file] = read.at(-1)!;
        expect(readField).toBe(fileField);
        expect(new Uint8Array(await (file as File).arrayBuffer())).toEqual(content);
      }),
      { numRuns: 200 },
    );
  });
});

describe("a form in a browser, where form-data stands for the platform's own", () => {
  it('has the same parts in the same order', async () => {
    vi.doMock('form-data', () => ({ default: FormData }));
    vi.resetModules();
    const { makeBody: makeInBrowser } = await import('../../src/transfer/body.js');
    const form = {
      fields: [
        ['key', 'ü'],
        ['policy', 'a='],
      ] as const,
      fileField: 'file',
    };
    const body = await makeInBrowser(await plan(fromBytes('%PDF', { name: 'a"b.pdf' })), form);
    const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(body.contentType!)![1];
    const bytes = await bytesOf(body);
    expect(bytes.length).toBe(body.length);
    expect(bytes.toString().split(`--${boundary}`)).toEqual([
      '',
      '\r\nContent-Disposition: form-data; name="key"\r\n\r\nü\r\n',
      '\r\nContent-Disposition: form-data; name="policy"\r\n\r\na=\r\n',
      '\r\nContent-Disposition: form-data; name="file"; filename="a%22b.pdf"\r\nContent-Type: application/pdf\r\n\r\n%PDF\r\n',
      '--\r\n',
    ]);
  });
});
