import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ReferenceServerOptions, startReferenceServer } from '../../src/testing/index.js';
import { connect, FLAVOURS } from '../support/clients.js';
import { cleanUps } from '../support/returned.js';

const cleanUp = cleanUps();

describe.each(FLAVOURS)('return_files of the reference server, on %s', flavour => {
  const start = async (options: ReferenceServerOptions = {}) => {
    const server = await startReferenceServer(options);
    cleanUp.push(() => server.close());
    const host = await connect(flavour, server.url, {
      ...(options.bearer !== undefined && { credentials: () => ({ authorization: `Bearer ${options.bearer}` }) }),
    });
    cleanUp.push(() => host[Symbol.asyncDispose]());
    return host.files;
  };

  it('has one in every way, and each can be saved', async () => {
    const client = await start();
    const { files } = await client.callToolWithFiles({ name: 'return_files', arguments: {} });
    expect(files.map(({ name, mimeType }) => [name, mimeType])).toEqual([
      ['out/download.csv', 'text/csv'],
      ['image.png', 'image/png'],
      ['audio.wav', 'audio/wav'],
      ['notes.md', 'text/markdown'],
      ['data.bin', 'application/octet-stream'],
      ['welcome.txt', 'text/plain'],
      ['out/value.json', 'application/json'],
      ['inline.txt', 'text/plain'],
    ]);
    const dir = await mkdtemp(join(tmpdir(), 'returned-'));
    cleanUp.push(() => rm(dir, { recursive: true }));
    const saved = await Promise.all(files.map(file => client.download(file, { dir })));
    const text = async (name: string) => readFile(join(dir, name), 'utf8');
    expect(saved.map(({ path }) => path)).toEqual(files.map(({ name }) => join(dir, name)));
    expect(await text('out/download.csv')).toBe('a,b\n1,2\n');
    expect(await text('notes.md')).toBe('# Notes\n\nnaïve\n');
    expect(await text('out/value.json')).toBe('{"value":1}\n');
    expect(await text('inline.txt')).toBe('inline\n');
    expect(await text('welcome.txt')).toContain('Welcome');
    expect((await readFile(join(dir, 'image.png'))).subarray(1, 4).toString()).toBe('PNG');
  });

  it('takes one of them alone', async () => {
    const client = await start();
    const { files } = await client.callToolWithFiles({ name: 'return_files', arguments: { as: ['file_value'] } });
    expect(files).toHaveLength(1);
    expect(Buffer.from(await (await client.download(files[0]!)).bytes()).toString()).toBe('{"value":1}\n');
  });

  it('authorises path targets too', async () => {
    const client = await start({ targets: 'path' });
    const { files } = await client.callToolWithFiles({ name: 'return_files', arguments: { as: ['file_value'] } });
    expect((await (await client.download(files[0]!)).bytes()).byteLength).toBe(12);
  });

  it('knows no file that it did not return', async () => {
    const client = await start();
    const file = client.remoteFile('mcp-file://reference/none');
    const error = await (await client.download(file)).bytes().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'download_failed', outcome: 'completed', details: { reason: 'not_found' } });
  });
});
