import { getEventListeners } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type CredentialRequest,
  type FilesClientOptions,
  isFilesError,
  type ProgressEvent,
  type RemoteFile,
} from '../../src/index.js';
import { type ReferenceServerOptions, startReferenceServer } from '../../src/testing/index.js';
import { connect, FLAVOURS } from '../support/clients.js';
import { cleanUps, digestOf, returning } from '../support/returned.js';

const cleanUp = cleanUps();
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'download-'));
  return () => rm(scratch, { recursive: true });
});
const folder = (): Promise<string> => mkdtemp(join(scratch, 'dir-'));

/** What a promise rejects with. */
async function failure(promise: Promise<unknown>) {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isFilesError(error)) throw error ?? new Error('it did not fail');
  return error;
}

describe.each(FLAVOURS)('files that a tool returned, on %s', flavour => {
  const report = async (
    server: ReferenceServerOptions = {},
    options: FilesClientOptions = {},
    args: Record<string, unknown> = { size: 3_000_000 },
  ) => {
    const reference = await startReferenceServer(server);
    cleanUp.push(() => reference.close());
    const host = await connect(flavour, reference.url, options);
    cleanUp.push(() => host[Symbol.asyncDispose]());
    const { files } = await host.files.callToolWithFiles({ name: 'make_report', arguments: args });
    return { reference, client: host.files, file: files[0]! };
  };

  it('can be read as bytes, as a stream, more than once, and saved, verified each time', async () => {
    const { client, file } = await report();
    const downloaded = await client.download(file);
    const bytes = await downloaded.bytes();
    expect(bytes.constructor).toBe(Uint8Array);
    expect(text(bytes.subarray(0, 15))).toBe('Report, line 1\n');
    expect(bytes.byteLength).toBe(3_000_000);
    expect(downloaded).toMatchObject({ name: 'out/report.txt', mimeType: 'text/plain', size: 3_000_000 });
    expect(downloaded).not.toHaveProperty('path');

    const pieces: Uint8Array[] = [];
    for await (const piece of downloaded.stream()) pieces.push(piece);
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);

    const dir = await folder();
    const saved = await client.download(file, { dir });
    expect(saved.path).toBe(join(dir, 'out', 'report.txt'));
    expect((await readFile(saved.path!)).equals(bytes)).toBe(true);
    expect(Buffer.from(await saved.bytes()).equals(bytes)).toBe(true);
    expect(Buffer.from(await new Response(saved.stream()).arrayBuffer()).equals(bytes)).toBe(true);

    const to = join(dir, 'renamed.txt');
    expect((await client.download(file, { to })).path).toBe(to);
    expect(await readdir(dir)).toEqual(['out', 'renamed.txt']);
  });

  it('come with the credential from path targets of the server only', async () => {
    const asked: CredentialRequest[] = [];
    const { client, file } = await report(
      { targets: 'path', bearer: 'let-me-in' },
      {
        credentials: request => {
          asked.push(request);
          return { authorization: 'Bearer let-me-in' };
        },
      },
      {},
    );
    const downloaded = await client.download(file);
    expect((await downloaded.bytes()).byteLength).toBe(2048);
    expect(asked).toMatchObject([{ method: 'GET', via: 'path', direction: 'download', tool: 'make_report' }]);
    expect(asked[0]!.url).not.toContain('?');
    await downloaded.bytes();
    expect(asked).toHaveLength(1);
  });

  it('are refused where the credential is wrong, or there is none', async () => {
    let token: string | undefined = 'wrong';
    const { client, file } = await report(
      { targets: 'path', bearer: 'let-me-in' },
      { credentials: () => (token === undefined ? undefined : { authorization: `Bearer ${token}` }) },
    );
    const wrong = await client.download(file);
    expect(await failure(wrong.bytes())).toMatchObject({
      code: 'download_failed',
      outcome: 'completed',
      tool: 'make_report',
      details: { reason: 'http_status', status: 401, serviceCode: 'Unauthorized' },
    });
    token = undefined;
    expect(await failure(client.download(file))).toMatchObject({
      code: 'target_refused',
      outcome: 'completed',
      tool: 'make_report',
      details: { reason: 'credentials_scope' },
    });
  });

  it('are taken up again where they were cut off', async () => {
    let seen = 0;
    const { client, file } = await report({
      onDownload: (_, request, response) => {
        if (seen++ > 0) return false;
        // The first answer breaks off in the middle: what is written beyond is swallowed.
        const { write } = response;
        let left = 1_000_000;
        response.write = ((chunk: Buffer) => {
          if (left < 0) return false;
          left -= chunk.length;
          if (left < 0) setTimeout(() => request.socket.end(), 20);
          return write.call(response, chunk, 'utf8');
        }) as never;
        return false;
      },
    });
    const dir = await folder();
    await client.download(file, { dir });
    expect(seen).toBe(2);
    expect((await readFile(join(dir, 'out', 'report.txt'))).byteLength).toBe(3_000_000);
  });

  it('are told from those of another client, from copies and from anything else', async () => {
    const one = await report();
    const two = await report();
    const copies = [
      two.file,
      { ...one.file },
      structuredClone(one.file),
      JSON.parse(JSON.stringify(one.file)),
      null,
      'x',
    ];
    for (const file of [...copies, Object.create(one.file)] as RemoteFile[]) {
      const error = await failure(one.client.download(file));
      expect(error).toMatchObject({ code: 'argument_invalid', outcome: 'completed' });
    }
  });

  it('show name, type and size, and nothing of where they are', async () => {
    const { file, reference } = await report();
    const shown = JSON.stringify(file) + inspect(file, { showHidden: true, depth: 9 }) + String(Object.entries(file));
    expect(JSON.parse(JSON.stringify(file))).toEqual({
      name: 'out/report.txt',
      mimeType: 'text/plain',
      size: 3_000_000,
    });
    expect(shown).not.toMatch(/signature|expires/);
    expect(shown).not.toContain(reference.storageUrl);
  });

  it('cannot be fetched after they expired', async () => {
    const { client, file } = await report({ now: () => Date.now() - 3_600_000 });
    expect(await failure(client.download(file))).toMatchObject({
      code: 'target_refused',
      outcome: 'completed',
      details: { reason: 'expired' },
    });
  });
});

describe('a download', () => {
  const one = async (
    target: Record<string, unknown>,
    script: Parameters<typeof returning>[3] = {},
    options: FilesClientOptions = {},
  ) => {
    const { files, host, server } = await returning(
      cleanUp,
      'v2 modern',
      origin => [{ name: 'out/a.txt', url: `${origin}/get?sig=secret`, ...target }],
      script,
      options,
    );
    return { file: files[0]!, client: host.files, server };
  };

  it('asks for nothing before it is read, and anew each time', async () => {
    const { client, file, server } = await one({ size: 7 });
    const downloaded = await client.download(file);
    downloaded.stream();
    await new Promise(resolve => setTimeout(resolve, 50));
    expect(server.stored).toHaveLength(0);
    expect(text(await downloaded.bytes())).toBe('content');
    expect(text(await downloaded.bytes())).toBe('content');
    expect(server.stored).toHaveLength(2);
  });

  it.each([
    ['target_refused', { url: 'https://10.0.0.1/x' }, {}],
    ['target_refused', { url: undefined }, {}],
    ['target_refused', { headers: { cookie: 'a' } }, {}],
    ['download_too_large', { size: 8 }, { maxBytes: 7 }],
    ['argument_invalid', {}, { maxBytes: Number.NaN }],
    ['argument_invalid', {}, { maxBytes: -1 }],
    ['argument_invalid', {}, { to: 'a', dir: 'b' }],
  ])('is refused before anything is sent: %s for %j with %j', async (code, target, options) => {
    const { client, file, server } = await one(target);
    const error = await failure(client.download(file, options));
    expect([error.code, error.outcome]).toEqual([code, 'completed']);
    expect(server.stored).toHaveLength(0);
  });

  it('verifies what arrives: a stream fails at its end, and nothing is saved', async () => {
    const { client, file } = await one({ size: 7, digest: digestOf('Content') });
    let seen = '';
    const error = await failure(
      (async () => {
        for await (const piece of (await client.download(file)).stream()) seen += text(piece);
      })(),
    );
    expect([seen, error.code, error.outcome]).toEqual(['content', 'digest_mismatch', 'completed']);
    const dir = await folder();
    expect((await failure(client.download(file, { dir }))).code).toBe('digest_mismatch');
    expect(await readdir(dir)).toEqual([]);
  });

  it('notes a digest it cannot verify', async () => {
    const notes: unknown[] = [];
    const logger = (event: { type: string; message?: unknown }) => {
      if (event.type === 'note') notes.push(event.message);
    };
    const { client, file } = await one({ digest: { algorithm: 'md5', value: 'x' } }, {}, { logger });
    expect(text(await (await client.download(file)).bytes())).toBe('content');
    expect(notes).toEqual([expect.stringContaining('md5')]);
  });

  it('counts: never back, never beyond, and the last byte with the saved file', async () => {
    const content = 'x'.repeat(700_000);
    const { client, file } = await one(
      { size: content.length },
      { onStore: (_, response) => void response.end(content) },
    );
    const events: ProgressEvent[] = [];
    const to = join(await folder(), 'a');
    await client.download(file, {
      to,
      onProgress: event => {
        if (event.sentBytes === event.totalBytes) expect(existsSync(to)).toBe(true);
        events.push(event);
        throw new Error('ignored');
      },
    });
    const sent = events.map(({ sentBytes }) => sentBytes);
    expect(sent).toEqual([...sent].sort((a, b) => a - b));
    expect(sent.filter(bytes => bytes >= content.length)).toHaveLength(1);
    expect(new Set(events.map(({ phase, totalBytes }) => `${phase} ${totalBytes}`))).toEqual(
      new Set([`downloading ${content.length}`]),
    );
    expect(events.at(-1)).toMatchObject({ name: 'out/a.txt', files: { done: 1, total: 1 } });
    expect(events.every(event => !('pointer' in event))).toBe(true);
  });

  it.each([true, false])('counts where the server said no size, and the storage does: %s', async says => {
    const onStore = (_: unknown, response: import('node:http').ServerResponse): void => {
      if (says) response.setHeader('content-length', 7);
      response.write('con');
      response.end('tent');
    };
    const { client, file } = await one({}, { onStore });
    const totals: number[] = [];
    const onProgress = ({ totalBytes }: ProgressEvent) => void totals.push(totalBytes);
    await (await client.download(file, { onProgress })).bytes();
    expect(totals[0]).toBe(Number.POSITIVE_INFINITY);
    expect(totals.slice(1, -1)).toEqual(totals.slice(1, -1).map(() => (says ? 7 : Number.POSITIVE_INFINITY)));
    expect(totals.at(-1)).toBe(7);
  });

  it('logs its steps without a secret', async () => {
    const events: unknown[] = [];
    const { client, file } = await one({ size: 7 }, {}, { logger: event => void events.push(event) });
    await (await client.download(file)).bytes();
    const steps = events.filter(event => /^download_/.test((event as { type: string }).type));
    expect(steps).toMatchObject([
      { type: 'download_started', tool: 'publish', size: 7 },
      { type: 'download_done', bytes: 7 },
    ]);
    expect(JSON.stringify(events)).not.toContain('secret');
  });

  it('does not leave the folder through a link, and saves under the cleaned name', async () => {
    const { client, file } = await one({ name: '../../etc/./a:b\u0000\u202e.txt' });
    expect(file.name).toBe('etc/a_b.txt');
    const dir = await folder();
    await symlink(tmpdir(), join(dir, 'etc'));
    expect(await failure(client.download(file, { dir }))).toMatchObject({
      code: 'download_failed',
      outcome: 'completed',
      details: { reason: 'unsafe_destination' },
    });
    await unlink(join(dir, 'etc'));
    expect((await client.download(file, { dir })).path).toBe(join(dir, 'etc', 'a_b.txt'));
  });

  it('overwrites when it is told to, and reads what was saved from its place', async () => {
    const { client, file } = await one({});
    const to = join(await folder(), 'a');
    await writeFile(to, 'before');
    expect(await failure(client.download(file, { to }))).toMatchObject({
      code: 'destination_exists',
      outcome: 'completed',
    });
    expect(await readFile(to, 'utf8')).toBe('before');
    const saved = await client.download(file, { to, overwrite: true });
    expect(text(await saved.bytes())).toBe('content');
    await rm(to);
    expect(await failure(saved.bytes())).toMatchObject({ code: 'file_unreadable', outcome: 'completed' });
    expect(await failure(saved.stream().getReader().read() as Promise<unknown>)).toMatchObject({
      code: 'file_unreadable',
      outcome: 'completed',
    });
  });

  it('takes its turn with all others', async () => {
    let open = 0;
    let most = 0;
    const { client, file } = await one(
      { size: 7 },
      {
        onStore: async (_, response) => {
          most = Math.max(most, ++open);
          await new Promise(resolve => setTimeout(resolve, 20));
          open--;
          response.end('content');
        },
      },
      { concurrency: 2 },
    );
    const dir = await folder();
    // All of them are opened before one is read: nothing waits for ever.
    const downloads = await Promise.all(Array.from({ length: 6 }, () => client.download(file)));
    const read = [
      ...downloads.map(download => download.bytes()),
      ...downloads.map(download => new Response(download.stream()).arrayBuffer()),
      ...[1, 2, 3].map(index => client.download(file, { to: join(dir, `${index}`) })),
    ];
    await Promise.all(read);
    expect(most).toBe(2);
  });

  it('that is read no further gives up its turn', async () => {
    const { client, file, server } = await one(
      {},
      { onStore: (_, response) => void response.end('x'.repeat(20_000_000)) },
      { concurrency: 1, timeouts: { stall: 2_000 } },
    );
    const before = await server.sockets();
    const reader = (await client.download(file)).stream().getReader();
    await reader.read();
    expect((await (await client.download(file)).bytes()).byteLength).toBe(20_000_000);
    expect(await failure(reader.read() as Promise<unknown>)).toMatchObject({
      code: 'transfer_stalled',
      outcome: 'completed',
      details: { reason: 'not_read' },
    });
    await client.close();
    await expect.poll(() => server.sockets(), { timeout: 20_000 }).toBeLessThanOrEqual(before);
  });

  it('ends with the client: what is being read, what is not read on, and what comes later', async () => {
    const { client, file } = await one({}, { onStore: (_, response) => void response.write('x'.repeat(500_000)) });
    const dir = await folder();
    const idle = (await client.download(file)).stream().getReader();
    await idle.read();
    const later = await client.download(file);
    const running = [
      failure(later.bytes()),
      failure(client.download(file, { dir })),
      failure(
        (async () => {
          for await (const _ of later.stream());
        })(),
      ),
    ];
    await new Promise(resolve => setTimeout(resolve, 100));
    await client.close();
    const errors = [
      ...(await Promise.all(running)),
      await failure(idle.read() as Promise<unknown>),
      await failure(later.bytes()),
      await failure(later.stream().getReader().read() as Promise<unknown>),
      await failure(client.download(file)),
    ];
    for (const error of errors) expect([error.code, error.outcome]).toEqual(['aborted', 'completed']);
    expect(await readdir(dir)).toEqual([]);
  });

  it.each([
    ['bytes', {}],
    ['stream', {}],
    ['dir', {}],
    ['bytes', { fetch: globalThis.fetch }],
    ['dir', { fetch: globalThis.fetch }],
  ] as const)('aborted at each step leaves nothing: %s, %j', async (way, how) => {
    const size = 400_000;
    let step: (name: string) => void = () => {};
    const { client, file } = await one(
      { size },
      {
        onStore: (_, response) => {
          step('asked');
          response.end('x'.repeat(size));
        },
      },
      { ...how, logger: ({ type }) => step(type) },
    );
    const run = async (signal: AbortSignal, dir: string): Promise<void> => {
      const onProgress = ({ sentBytes }: ProgressEvent) => step(`progress ${sentBytes}`);
      const options = { signal, onProgress, ...(way === 'dir' && { dir }) };
      const downloaded = await client.download(file, options);
      step('opened');
      if (way === 'bytes') await downloaded.bytes();
      if (way === 'stream') for await (const _ of downloaded.stream()) step('piece');
    };
    const whole = new AbortController();
    let steps = 0;
    step = () => steps++;
    await run(whole.signal, await folder());
    expect(steps).toBeGreaterThan(5);
    expect(getEventListeners(whole.signal, 'abort')).toEqual([]);

    for (let at = 0; at < steps; at++) {
      const caller = new AbortController();
      const dir = await folder();
      let seen = 0;
      let name = '';
      step = now => {
        if (seen++ !== at) return;
        name = now;
        caller.abort(`at ${now}`);
      };
      const error = await run(caller.signal, dir).catch((thrown: unknown) => thrown);
      // What was over before its last event may have succeeded; and there may have been fewer events than before.
      if (error === undefined) {
        expect(name, name).toMatch(/^$|download_done|progress|opened|piece/);
      } else {
        expect(error, name).toMatchObject({ code: 'aborted', outcome: 'completed', cause: `at ${name}` });
        if (name !== 'opened' && !name.includes(`${size}`)) expect(await readdir(dir), name).toEqual([]);
      }
      expect(getEventListeners(caller.signal, 'abort'), name).toEqual([]);
    }
  });
});
