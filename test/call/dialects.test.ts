import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type FilesClientOptions, fromBytes, fromStream, type PlannedTransfer } from '../../src/index.js';
import { type ReferenceServer, type ReferenceServerOptions, startReferenceServer } from '../../src/testing/index.js';
import { type Connected, connect, FLAVOURS } from '../support/clients.js';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const KIB = 1024;
const MIB = 1024 * KIB;
const small = randomBytes(10 * KIB);
const large = randomBytes(3 * MIB);
const cleanUp: (() => PromiseLike<unknown>)[] = [];

afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

/** Serves what the host publishes, as its own cloud storage would. */
async function publisher() {
  const files = new Map<string, Uint8Array>();
  const server = createServer((request, response) => {
    const content = files.get(request.url!);
    response.writeHead(content ? 200 : 404).end(content);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  cleanUp.push(() => new Promise(resolve => server.close(resolve)));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const publish: FilesClientOptions['publish'] = async source => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of source.stream() as unknown as AsyncIterable<Uint8Array>) chunks.push(chunk);
    const path = `/${files.size}`;
    files.set(path, Buffer.concat(chunks));
    return { url: origin + path, id: `file-${source.name}` };
  };
  return publish;
}

describe.each(FLAVOURS)('the earlier dialects against the reference server on %s', flavour => {
  const start = async (given: ReferenceServerOptions, options: FilesClientOptions = {}) => {
    const server: ReferenceServer = await startReferenceServer(given);
    cleanUp.push(() => server.close());
    const host: Connected = await connect(flavour, server.url, options);
    cleanUp.push(() => host[Symbol.asyncDispose]());
    const save = (...contents: Uint8Array[]) => {
      const files = contents.map((bytes, index) => fromBytes(bytes, { name: `f${index}.txt` }));
      return files.length === 1
        ? host.files.callToolWithFiles({ name: 'save_file', arguments: { folder: 'in', document: files[0] } })
        : host.files.callToolWithFiles({ name: 'save_files', arguments: { documents: files } });
    };
    const arrived = () => server.received().map(({ pointer, sha256: sum, mode }) => [pointer, sum, mode]);
    return { server, files: host.files, save, arrived };
  };

  it('SEP-2356: a data URI in place of a string, and in each of a list', async () => {
    const { server, files, save, arrived } = await start({ dialect: 'data-uri', maxSize: 5 * MIB });
    const [tool] = await files.listTools();
    expect(tool!.fileArguments).toEqual([
      { pointer: '/document', required: true, dialect: 'data-uri', maxSize: 5 * MIB },
    ]);
    const result = await save(small);
    expect(result.transfers).toMatchObject([
      { pointer: '/document', mode: 'data-uri', dialect: 'data-uri', size: small.length, bytes: small.length },
    ]);
    expect(result.transfers[0]!.reason).toContain('data URI');
    await save(small, new Uint8Array(), Uint8Array.of(1));
    expect(arrived()).toEqual([
      ['/document', sha256(small), 'inline'],
      ['/documents/0', sha256(small), 'inline'],
      ['/documents/1', sha256(new Uint8Array()), 'inline'],
      ['/documents/2', sha256(Uint8Array.of(1)), 'inline'],
    ]);
    expect(server.received()[0]).toMatchObject({ mimeType: 'text/plain' });
  });

  it('SEP-2356: takes up to 1 MiB without being told, and what the host allows', async () => {
    const { save, arrived, server } = await start({ dialect: 'data-uri', jsonBodyLimit: 16 * MIB });
    const mib = randomBytes(MIB);
    await save(mib);
    await expect(save(large)).rejects.toMatchObject({
      code: 'file_too_large',
      outcome: 'not_run',
      pointer: '/document',
      details: { limit: 'inline', size: large.length, maxSize: MIB },
    });
    expect(server.runs()).toHaveLength(1);
    const host = await connect(flavour, server.url, { inlineLimit: 8 * MIB });
    cleanUp.push(() => host[Symbol.asyncDispose]());
    await host.files.callToolWithFiles({ name: 'save_file', arguments: { document: fromBytes(large, { name: 'l' }) } });
    expect(arrived().map(([, sum]) => sum)).toEqual([sha256(mib), sha256(large)]);
  });

  it('SEP-2356: an HTTP 413 ends the call where there is no other way', async () => {
    const { save, server } = await start({ dialect: 'data-uri', jsonBodyLimit: 100 * KIB });
    await expect(save(randomBytes(200 * KIB))).rejects.toMatchObject({
      code: 'file_too_large',
      outcome: 'not_run',
      details: { limit: 'transport' },
    });
    expect(server.runs()).toEqual([]);
  });

  it.each(['file-object', 'file-object-older'] as const)(
    'SEP-2631 (%s): PUT, POST and form, then the URIs',
    async dialect => {
      const { server, save, arrived } = await start({ dialect });
      const [one, two, three] = [large, randomBytes(MIB), small];
      const result = await save(one!, two!, three!);
      expect(result.isError).toBeFalsy();
      expect(result.transfers).toMatchObject([
        { pointer: '/documents/0', mode: 'authorized', dialect: 'file-object', status: 200, bytes: one!.length },
        { pointer: '/documents/1', mode: 'authorized', dialect: 'file-object', bytes: two!.length },
        { pointer: '/documents/2', mode: 'authorized', dialect: 'file-object', bytes: three!.length },
      ]);
      expect(result.transfers[0]!.origin).toBe(server.storageUrl);
      // Which of them is the form is up to the order in which the requests arrive.
      const seen = arrived();
      expect(seen.map(([pointer, sum]) => [pointer, sum])).toEqual([
        ['/documents/0', sha256(one!)],
        ['/documents/1', sha256(two!)],
        ['/documents/2', sha256(three!)],
      ]);
      expect(seen.map(([, , mode]) => mode).sort()).toEqual(['form', 'post', 'put']);
      expect(server.runs()).toHaveLength(1);
      const given = server.runs()[0]!.arguments.documents as string[];
      expect(given.every(uri => uri.startsWith('mcp-file://reference/'))).toBe(true);
    },
  );

  it('SEP-2631: a small file goes inline where both modes are listed', async () => {
    const { save, arrived } = await start({ dialect: 'file-object' });
    const result = await save(small);
    expect(result.transfers).toMatchObject([{ mode: 'data-uri', dialect: 'data-uri' }]);
    expect(arrived()).toEqual([['/document', sha256(small), 'inline']]);
  });

  it('SEP-2631: an empty file of an upload-only argument is sent as zero bytes', async () => {
    const { save, arrived } = await start({ dialect: 'file-object', transferModes: ['upload'], mode: 'put' });
    const result = await save(new Uint8Array());
    expect(result.transfers).toMatchObject([{ mode: 'authorized', size: 0, bytes: 0, status: 200 }]);
    expect(arrived()).toEqual([['/document', sha256(new Uint8Array()), 'put']]);
  });

  it('SEP-2631: inline only', async () => {
    const { save, arrived } = await start({ dialect: 'file-object', transferModes: ['inline'] });
    await save(small);
    expect(arrived()).toEqual([['/document', sha256(small), 'inline']]);
    await expect(save(large)).rejects.toMatchObject({ code: 'file_too_large', details: { limit: 'inline' } });
  });

  it('SEP-2631: goes beside the call where the transport takes no such message', async () => {
    const { save, arrived } = await start(
      { dialect: 'file-object', jsonBodyLimit: 100 * KIB, mode: 'put' },
      { inlineLimit: MIB },
    );
    const bytes = randomBytes(200 * KIB);
    const result = await save(bytes);
    expect(result.transfers).toMatchObject([
      { mode: 'authorized', reason: expect.stringContaining('refused the inline data') },
    ]);
    expect(arrived()).toEqual([['/document', sha256(bytes), 'put']]);
  });

  it('SEP-2631: asks approval for the target, and sends no byte after a no', async () => {
    const asked: PlannedTransfer[] = [];
    const { save, server } = await start(
      { dialect: 'file-object' },
      {
        approve: transfer => {
          asked.push(transfer);
          return asked.length < 2;
        },
      },
    );
    await expect(save(large, small)).rejects.toMatchObject({ code: 'approval_denied', outcome: 'not_run' });
    expect(asked).toMatchObject([
      { pointer: '/documents/0', via: 'target', announced: true, origin: server.storageUrl, credentials: 'omit' },
      { pointer: '/documents/1', via: 'target', announced: true },
    ]);
    expect(server.received()).toEqual([]);
  });

  it('openai/fileParams: the host publishes, the server fetches', async () => {
    const asked: PlannedTransfer[] = [];
    const { save, arrived, server } = await start(
      { dialect: 'openai-file-params' },
      {
        publish: await publisher(),
        approve: transfer => {
          asked.push(transfer);
          return true;
        },
      },
    );
    const result = await save(large);
    expect(result.transfers).toMatchObject([{ mode: 'link', dialect: 'openai-file-params', bytes: large.length }]);
    await save(small, new Uint8Array());
    expect(arrived()).toEqual([
      ['/document', sha256(large), 'link'],
      ['/documents/0', sha256(small), 'link'],
      ['/documents/1', sha256(new Uint8Array()), 'link'],
    ]);
    expect(asked[0]).toMatchObject({ via: 'publisher', announced: false, pointer: '/document' });
    expect(server.runs()[0]!.arguments.document).toEqual({
      download_url: expect.stringMatching(/^http:/),
      file_id: 'file-f0.txt',
      mime_type: 'text/plain',
      file_name: 'f0.txt',
    });
  });

  it('base64 beside a name and a type, where the host says so', async () => {
    const { files, arrived, server } = await start(
      { dialect: 'base64' },
      {
        describeArguments: ({ name }) =>
          name === 'save_file'
            ? [{ pointer: '/content_base64', as: 'base64', nameAt: '/filename', typeAt: '/mime_type', maxSize: MIB }]
            : undefined,
      },
    );
    const document = fromBytes(small, { name: 'a.csv' });
    const result = await files.callToolWithFiles({ name: 'save_file', arguments: { content_base64: document } });
    expect(result.transfers).toMatchObject([{ pointer: '/content_base64', mode: 'inline', dialect: 'base64' }]);
    expect(arrived()).toEqual([['/content_base64', sha256(small), 'inline']]);
    expect(server.received()[0]).toMatchObject({ name: 'a.csv', mimeType: 'text/csv' });
    // What the model has chosen is meant.
    await files.callToolWithFiles({ name: 'save_file', arguments: { content_base64: document, filename: 'b.csv' } });
    expect(server.received()[1]).toMatchObject({ name: 'b.csv' });
    const tooLarge = { name: 'save_file', arguments: { content_base64: fromBytes(large, { name: 'l' }) } };
    await expect(files.callToolWithFiles(tooLarge)).rejects.toMatchObject({
      code: 'file_too_large',
      details: { size: large.length, maxSize: MIB },
    });
  });

  it('base64 is never guessed', async () => {
    const { files } = await start({ dialect: 'base64' });
    const call = { name: 'save_file', arguments: { content_base64: fromBytes(small, { name: 'a' }) } };
    await expect(files.callToolWithFiles(call)).rejects.toMatchObject({ code: 'argument_invalid' });
  });

  it('a stream is published, and sent to an authorised target', async () => {
    const source = () =>
      fromStream(
        () =>
          (async function* () {
            yield* [small, small];
          })(),
        { name: 's', size: 2 * small.length },
      );
    const whole = sha256(Buffer.concat([small, small]));
    for (const dialect of ['openai-file-params', 'file-object'] as const) {
      const { files, arrived } = await start(
        { dialect, transferModes: ['upload'], mode: 'put' },
        { publish: await publisher() },
      );
      await files.callToolWithFiles({ name: 'save_file', arguments: { document: source() } });
      expect(arrived()).toMatchObject([['/document', whole, expect.any(String)]]);
    }
  });
});
