import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FilesClient, type FilesClientOptions, fromBytes, fromPath } from '../../src/index.js';
import { type ReferenceServerOptions, startReferenceServer } from '../../src/testing/index.js';
import { connect, FLAVOURS } from '../support/clients.js';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const cleanUp: (() => PromiseLike<unknown>)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

const large = randomBytes(9 * 1024 * 1024 + 1);
let largePath: string;
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'flow-'));
  largePath = join(folder, 'large "ü".bin');
  await writeFile(largePath, large);
  return () => rm(folder, { recursive: true });
});

describe.each(FLAVOURS)('against the reference server on %s', flavour => {
  const start = async (server: ReferenceServerOptions = {}, options: FilesClientOptions = {}) => {
    const reference = await startReferenceServer(server);
    cleanUp.push(() => reference.close());
    const host = await connect(flavour, reference.url, options);
    cleanUp.push(() => host[Symbol.asyncDispose]());
    return { reference, ...host, files: host.files };
  };

  it('delivers inline, empty, PUT, POST and form files with the bytes unchanged', async () => {
    const { reference, files } = await start();
    const small = fromBytes('hello', { name: 'hi.txt' });
    await files.callToolWithFiles({ name: 'save_file', arguments: { folder: 'inbox', document: small } });
    const result = await files.callToolWithFiles({
      name: 'save_files',
      arguments: {
        folder: 'inbox',
        documents: [
          fromPath(largePath),
          fromBytes(large.subarray(1), { name: 'b' }),
          fromPath(largePath),
          fromBytes('', { name: 'e' }),
        ],
      },
    });
    expect(result.isError).toBeFalsy();
    expect(reference.received().map(({ name, size, sha256: sum, mode }) => [name, size, sum, mode])).toEqual([
      ['hi.txt', 5, sha256(Buffer.from('hello')), 'inline'],
      ['large "ü".bin', large.length, sha256(large), 'put'],
      ['b', large.length - 1, sha256(large.subarray(1)), 'post'],
      ['large "ü".bin', large.length, sha256(large), 'form'],
      ['e', 0, sha256(Buffer.alloc(0)), 'inline'],
    ]);
    expect(result.transfers.map(({ mode }) => mode)).toEqual(['put', 'post', 'form', 'inline']);
    expect(reference.runs()).toHaveLength(2);
  });

  it('finds nested files, and sends the credential to path targets of the server only', async () => {
    const { reference, files } = await start(
      { targets: 'path', bearer: 'let-me-in', maxInlineBytes: 0 },
      { credentials: () => ({ authorization: 'Bearer let-me-in' }) },
    );
    const { fileArguments } = (await files.listTools()).find(({ name }) => name === 'publish')!;
    expect(fileArguments.length).toBeGreaterThanOrEqual(3);
    const result = await files.callToolWithFiles({
      name: 'publish',
      arguments: {
        site: 's1',
        deck: fromBytes('deck', { name: 'deck.pdf' }),
        assets: [fromBytes('one', { name: 'one.png' }), fromBytes('two', { name: 'two.png' })],
      },
    });
    expect(result.isError).toBeFalsy();
    expect(
      reference
        .received()
        .map(({ pointer }) => pointer)
        .sort(),
    ).toEqual(['/assets/0', '/assets/1', '/deck']);
  });

  it.each(['beside', 'after'] as const)('answers a question %s the upload', async elicitation => {
    const { reference, files } = await start(
      { elicitation, maxInlineBytes: 0 },
      { onInputRequest: () => ({ action: 'accept', content: { confirm: true } }) },
    );
    const result = await files.callToolWithFiles({
      name: 'save_with_confirmation',
      arguments: { folder: 'inbox', document: fromBytes('x', { name: 'x' }) },
    });
    expect(result.isError).toBeFalsy();
    expect(reference.received()).toHaveLength(1);
  });

  it('goes out of band where a stock body parser refuses the inline request', async () => {
    const { reference, files } = await start({ jsonBodyLimit: 100 * 1024 });
    const bytes = randomBytes(200 * 1024);
    const result = await files.callToolWithFiles({
      name: 'save_file',
      arguments: { folder: 'inbox', document: fromBytes(bytes, { name: 'x.bin' }) },
    });
    expect(result.transfers).toMatchObject([
      { mode: 'put', reason: expect.stringContaining('refused the inline data') },
    ]);
    expect(reference.received()).toMatchObject([{ sha256: sha256(bytes) }]);
  });

  it('runs no tool when storage fails', async () => {
    const { reference, files } = await start({
      maxInlineBytes: 0,
      onTransfer: (_, __, response) => {
        response.writeHead(507).end('no space');
        return true;
      },
    });
    await expect(
      files.callToolWithFiles({
        name: 'save_file',
        arguments: { folder: 'f', document: fromBytes('x', { name: 'x' }) },
      }),
    ).rejects.toMatchObject({
      code: 'transfer_failed',
      outcome: 'not_run',
      failures: [{ status: 507, pointer: '/document' }],
    });
    expect(reference.runs()).toEqual([]);
  });

  it('refuses a target that has expired by the time the server names it', async () => {
    const { reference, files } = await start({ maxInlineBytes: 0, now: () => Date.now() - 3_600_000 });
    await expect(
      files.callToolWithFiles({
        name: 'save_file',
        arguments: { folder: 'f', document: fromBytes('x', { name: 'x' }) },
      }),
    ).rejects.toMatchObject({ code: 'target_refused', details: { reason: 'expired' } });
    expect(reference.runs()).toEqual([]);
  });

  it('keeps many calls at once apart', async () => {
    const { reference, files } = await start({ maxInlineBytes: 10 });
    const contents = Array.from({ length: 20 }, (_, index) => randomBytes(index % 2 === 0 ? 5 : 5000 + index));
    await Promise.all(
      contents.map((bytes, index) =>
        files.callToolWithFiles({
          name: 'save_file',
          arguments: { folder: 'f', document: fromBytes(bytes, { name: `${index}.bin` }) },
        }),
      ),
    );
    const received = new Map(reference.received().map(({ name, sha256: sum }) => [name, sum]));
    contents.forEach((bytes, index) => {
      expect(received.get(`${index}.bin`)).toBe(sha256(bytes));
    });
  });
});

describe.each(['v2 modern', 'v2 legacy', 'v1'] as const)('over stdio on %s', flavour => {
  it('sends inline and out of band; http targets on loopback when the host allows them', async () => {
    const server = {
      command: process.execPath,
      args: ['-e', "import('./dist/testing.js').then(t => t.serveReferenceStdio())"],
    };
    const info = { name: 'stdio-host', version: '1' };
    const mcp =
      flavour === 'v1'
        ? new ClientV1(info)
        : new ClientV2(info, {
            versionNegotiation: flavour === 'v2 modern' ? { mode: { pin: '2026-07-28' } } : { mode: 'legacy' },
          });
    const files = new FilesClient(mcp, { policy: { allowHttp: 'loopback' } });
    await mcp.connect((flavour === 'v1' ? new StdioV1(server) : new StdioV2(server)) as never);
    cleanUp.push(async () => {
      await files.close();
      await mcp.close();
    });
    const inline = await files.callToolWithFiles({
      name: 'save_file',
      arguments: { folder: 'f', document: fromBytes('x', { name: 'x' }) },
    });
    expect(inline.transfers).toMatchObject([{ mode: 'inline' }]);
    const outOfBand = await files.callToolWithFiles({
      name: 'save_file',
      arguments: { folder: 'f', document: fromPath(largePath) },
    });
    expect(outOfBand.isError).toBeFalsy();
    expect(outOfBand.transfers).toMatchObject([{ mode: 'put', bytes: large.length }]);
  });
});
