import { mkdtempSync, readdirSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type ReferenceServer, type ReferenceServerOptions, startReferenceServer } from '../../src/testing/index.js';
import { bytesOf, call, type Era, FILES, fileValue, rpc, send, sha256, uploaded, uploadOf } from './raw-client.js';

const open: ReferenceServer[] = [];
async function started(options?: ReferenceServerOptions): Promise<ReferenceServer> {
  const server = await startReferenceServer(options);
  open.push(server);
  return server;
}
afterEach(async () => {
  await Promise.all(open.splice(0).map(server => server.close()));
});

const ERAS: readonly Era[] = ['modern', 'legacy'];

describe.each(ERAS)('%s era', era => {
  it('advertises the extension and lists its tools', async () => {
    const { url } = await started({ maxInlineBytes: 100 });
    const hello =
      era === 'modern'
        ? await rpc(url, era, 'server/discover')
        : await rpc(url, era, 'initialize', {
            protocolVersion: '2025-11-25',
            capabilities: {},
            clientInfo: { name: 'by hand', version: '1' },
          });
    expect(hello.result?.capabilities.extensions).toEqual({ [FILES]: { maxInlineBytes: 100 } });
    const { result } = await rpc(url, era, 'tools/list');
    expect(result?.tools.map((tool: { name: string }) => tool.name)).toEqual([
      'save_file',
      'save_files',
      'publish',
      'save_with_confirmation',
      'save_image',
      'echo',
      'make_report',
      'return_files',
    ]);
    expect(result?.tools[4].inputSchema.properties.image['x-mcp-file']).toEqual({
      accept: ['image/*'],
      maxSize: 2 * 1024 * 1024,
    });
  });

  it('runs a tool without files at once', async () => {
    const server = await started();
    const { result } = await call(server.url, era, { name: 'echo', arguments: { text: 'hi' } });
    expect(result?.content).toEqual([{ type: 'text', text: 'hi' }]);
    expect(server.runs()).toEqual([{ tool: 'echo', arguments: { text: 'hi' } }]);
    expect(server.received()).toEqual([]);
  });

  it('takes a file inline', async () => {
    const server = await started();
    const bytes = bytesOf(5000);
    const { result } = await call(server.url, era, {
      name: 'save_file',
      arguments: { folder: 'in', document: fileValue('a.bin', bytes, true) },
    });
    expect(result?.structuredContent).toEqual({
      files: [{ pointer: '/document', name: 'a.bin', size: 5000, sha256: sha256(bytes) }],
    });
    const [file] = server.received();
    expect(file).toMatchObject({ tool: 'save_file', mode: 'inline', sha256: sha256(bytes) });
    expect(file?.content).toEqual(bytes);
    expect(Object.keys(file ?? {})).not.toContain('content');
  });

  it('asks for uploads, takes the three request forms, and runs the tool on the retry', async () => {
    const server = await started();
    const files = [bytesOf(70_000, 1), bytesOf(2_000_000, 2), bytesOf(1, 3), bytesOf(300, 4)] as const;
    const params = {
      name: 'publish',
      arguments: {
        site: 's1',
        deck: fileValue('deck.pdf', files[0]),
        assets: [fileValue('clip.mp4', files[1]), fileValue('dot.png', files[2])],
        branding: { theme: 'dark', logo: fileValue('logo.svg', files[3]) },
        notes: null,
      },
    };
    const first = await call(server.url, era, params);
    const { key, targets } = uploadOf(first);
    expect(Object.keys(targets)).toEqual(['/deck', '/assets/0', '/assets/1', '/branding/logo']);
    expect(Object.values(targets).map(target => [target.method, target.form !== undefined])).toEqual([
      ['PUT', false],
      ['POST', false],
      ['POST', true],
      ['PUT', false],
    ]);
    expect(Object.values(targets).every(target => target.url.startsWith(`${server.storageUrl}/`))).toBe(true);
    const statuses = await Promise.all(
      Object.values(targets).map(async (target, i) => (await send(target, files[i] as Uint8Array)).status),
    );
    expect(statuses).toEqual([200, 200, 201, 200]);
    expect(server.runs()).toEqual([]);

    const { result } = await call(server.url, era, {
      ...params,
      requestState: first.result?.requestState,
      inputResponses: { [key]: {} },
    });
    expect(result?.isError).toBeUndefined();
    expect(server.runs()).toEqual([{ tool: 'publish', arguments: params.arguments }]);
    expect(server.received().map(({ pointer, mode, sha256: hash }) => [pointer, mode, hash])).toEqual([
      ['/deck', 'put', sha256(files[0])],
      ['/assets/0', 'post', sha256(files[1])],
      ['/assets/1', 'form', sha256(files[2])],
      ['/branding/logo', 'put', sha256(files[3])],
    ]);
    const [deck, clip, dot] = server.received();
    expect(deck?.headers).toMatchObject({ 'content-type': 'application/octet-stream', 'content-length': '70000' });
    expect(deck?.content).toEqual(files[0]);
    expect(clip?.content).toBeUndefined();
    expect(dot?.fields?.map(([name]) => name)).toEqual(['key', 'Content-Type', 'success_action_status', 'policy']);
  });

  it('mixes inline, out of band and empty files', async () => {
    const server = await started();
    const bytes = bytesOf(10);
    const empty = { name: 'empty.txt', mimeType: 'text/plain', size: 0, data: '' };
    const documents = [fileValue('in.bin', bytes, true), empty, fileValue('out.bin', bytes)];
    const { targets, retry } = await uploaded(server.url, era, bytes, { name: 'save_files', arguments: { documents } });
    expect(Object.keys(targets)).toEqual(['/documents/2']);
    await call(server.url, era, retry);
    expect(server.received().map(({ mode, size }) => [mode, size])).toEqual([
      ['inline', 10],
      ['inline', 0],
      ['put', 10],
    ]);
  });

  it('answers a state that was used with plain -32602, also to two retries at once', async () => {
    const server = await started();
    const { retry } = await uploaded(server.url, era, bytesOf(10));
    const answers = await Promise.all([call(server.url, era, retry), call(server.url, era, retry)]);
    const late = await call(server.url, era, retry);
    expect(answers.filter(answer => answer.result)).toHaveLength(1);
    for (const { error } of [...answers.filter(answer => answer.error), late]) {
      expect(error).toMatchObject({ code: -32602 });
      expect(error?.data).toBeUndefined();
    }
    expect(server.runs()).toHaveLength(1);
  });

  it('answers a state that was altered, is of another call, or is too old as invalid', async () => {
    let now = 1_800_000_000_000;
    const server = await started({ ttlSeconds: 60, now: () => now });
    const { retry } = await uploaded(server.url, era, bytesOf(10));
    const state = retry.requestState as string;
    const middle = Math.floor(state.length / 2);
    const flipped = state.slice(0, middle) + (state[middle] === 'A' ? 'B' : 'A') + state.slice(middle + 1);
    const wrong = [
      { ...retry, requestState: flipped },
      { ...retry, requestState: 'r1.AAAA' },
      { ...retry, requestState: 'opaque' },
      { ...retry, arguments: { ...retry.arguments, folder: 'elsewhere' } },
      { ...retry, name: 'save_with_confirmation' },
    ];
    for (const params of wrong) {
      const { error } = await call(server.url, era, params);
      expect(error).toMatchObject({ code: -32602, data: { reason: 'invalid_request_state' } });
    }
    now += 60_000;
    expect((await call(server.url, era, retry)).error).toMatchObject({ data: { reason: 'invalid_request_state' } });
    now -= 1;
    // Same arguments in another key order are the same arguments.
    const { folder, document } = retry.arguments;
    expect((await call(server.url, era, { ...retry, arguments: { document, folder } })).result).toBeDefined();
    expect(server.runs()).toHaveLength(1);
  });

  it('does not run the tool while a file or a response is missing, and takes the retry afterwards', async () => {
    const server = await started();
    const bytes = bytesOf(10);
    const params = { name: 'save_file', arguments: { folder: 'in', document: fileValue('a.bin', bytes) } };
    const first = await call(server.url, era, params);
    const { key, targets } = uploadOf(first);
    const retry = { ...params, requestState: first.result?.requestState, inputResponses: { [key]: {} } };
    expect((await call(server.url, era, retry)).error).toMatchObject({
      code: -32602,
      data: { reason: 'upload_missing', pointer: '/document' },
    });
    await send(targets['/document'] as never, bytes);
    const { inputResponses: _, ...unanswered } = retry;
    expect((await call(server.url, era, unanswered)).error?.data?.reason).toBe('missing_input_response');
    expect((await call(server.url, era, retry)).result).toBeDefined();
    expect(server.runs()).toHaveLength(1);
  });

  it('refuses too much inline data with a reason in the extension’s namespace', async () => {
    const { url } = await started({ maxInlineBytes: 100 });
    const two = [fileValue('a', bytesOf(60), true), fileValue('b', bytesOf(41), true)];
    const { error } = await call(url, era, { name: 'save_files', arguments: { documents: two } });
    expect(error).toMatchObject({ code: -32602, data: { reason: `${FILES}/inline_too_large`, maxInlineBytes: 100 } });
    const fits = [two[0], fileValue('b', bytesOf(40), true)];
    expect((await call(url, era, { name: 'save_files', arguments: { documents: fits } })).result).toBeDefined();
  });

  it('answers a file of another type or over maxSize as a tool error, before any target', async () => {
    const server = await started();
    const image = { name: 'a.png', mimeType: 'image/png', size: 2 * 1024 * 1024 };
    const over = await call(server.url, era, {
      name: 'save_image',
      arguments: { image: { ...image, size: image.size + 1 } },
    });
    const other = await call(server.url, era, {
      name: 'save_image',
      arguments: { image: { ...image, mimeType: 'text/plain' } },
    });
    for (const { result } of [over, other]) expect(result).toMatchObject({ isError: true });
    expect(uploadOf(await call(server.url, era, { name: 'save_image', arguments: { image } })).targets).toHaveProperty(
      '/image',
    );
    expect(server.runs()).toEqual([]);
  });

  it.each([
    ['no file', { folder: 'in' }, 'invalid_arguments'],
    ['no size', { folder: 'in', document: { name: 'a', mimeType: 'a/b' } }, 'invalid_arguments'],
    ['a path for a name', { folder: 'in', document: { name: '../a', mimeType: 'a/b', size: 1 } }, 'invalid_file'],
    ['no media type', { folder: 'in', document: { name: 'a', mimeType: 'x\r\ny', size: 1 } }, 'invalid_file'],
    ['another size', { folder: 'in', document: { name: 'a', mimeType: 'a/b', size: 2, data: 'YQ==' } }, 'invalid_file'],
    [
      'URL-safe base64',
      { folder: 'in', document: { name: 'a', mimeType: 'a/b', size: 3, data: '-_-_' } },
      'invalid_file',
    ],
    ['no padding', { folder: 'in', document: { name: 'a', mimeType: 'a/b', size: 1, data: 'YQ' } }, 'invalid_file'],
  ])('refuses bad arguments: %s', async (_, args, reason) => {
    const server = await started();
    const { error } = await call(server.url, era, { name: 'save_file', arguments: args });
    expect(error).toMatchObject({ code: -32602, data: { reason } });
    expect(server.runs()).toEqual([]);
  });

  it('asks the person beside the upload, and saves only what was accepted', async () => {
    const server = await started();
    const bytes = bytesOf(10);
    const params = { name: 'save_with_confirmation', arguments: { document: fileValue('a.bin', bytes) } };
    for (const action of ['decline', 'accept']) {
      const first = await call(server.url, era, params);
      const { key, targets } = uploadOf(first);
      const [question] = Object.entries(first.result?.inputRequests).filter(([other]) => other !== key) as [
        string,
        any,
      ][];
      expect(question?.[1].method).toBe('elicitation/create');
      await send(targets['/document'] as never, bytes);
      const { result } = await call(server.url, era, {
        ...params,
        requestState: first.result?.requestState,
        inputResponses: { [key]: {}, [question?.[0] as string]: { action } },
      });
      expect(result?.isError).toBe(action === 'decline' ? true : undefined);
    }
    expect(server.runs()).toHaveLength(1);
  });

  it('asks the person in a round after the upload', async () => {
    const server = await started({ elicitation: 'after' });
    const params = { name: 'save_with_confirmation', arguments: { document: fileValue('a.bin', bytesOf(10)) } };
    const { first, retry } = await uploaded(server.url, era, bytesOf(10), params);
    expect(Object.keys(first.result?.inputRequests)).toHaveLength(1);
    const second = await call(server.url, era, retry);
    const [[key, question]] = Object.entries(second.result?.inputRequests) as [[string, any]];
    expect(question.method).toBe('elicitation/create');
    // The first state has done its work.
    expect((await call(server.url, era, retry)).error).toMatchObject({ code: -32602 });
    const requestState = second.result?.requestState;
    const { result } = await call(server.url, era, {
      ...params,
      requestState,
      inputResponses: { [key]: { action: 'accept', content: {} } },
    });
    expect(result?.structuredContent.files).toHaveLength(1);
    expect(server.received()).toHaveLength(1);
  });

  it('returns a file as a download target', async () => {
    const { url } = await started();
    const { result } = await call(url, era, { name: 'make_report', arguments: { title: 'Q3', size: 50_000 } });
    const download = result?._meta[FILES].downloads[0];
    expect(download).toMatchObject({
      name: 'out/report.txt',
      mimeType: 'text/plain',
      size: 50_000,
      credentials: 'omit',
    });
    const whole = new Uint8Array(await (await fetch(download.url)).arrayBuffer());
    expect(whole).toHaveLength(50_000);
    expect(Buffer.from(sha256(whole), 'hex').toString('base64url')).toBe(download.digest.value);
    const part = await fetch(download.url, { headers: { range: 'bytes=49990-' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 49990-49999/50000']);
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(whole.subarray(49_990));
    expect((await fetch(download.url, { headers: { range: 'bytes=50000-' } })).status).toBe(416);
    expect((await fetch(download.url, { headers: { range: 'bytes=-5' } })).headers.get('content-range')).toBe(
      'bytes 49995-49999/50000',
    );
  });

  it('answers a body over its limit with 413', async () => {
    const { url } = await started({ jsonBodyLimit: 10_000, maxInlineBytes: 100_000 });
    const document = fileValue('a', bytesOf(10_000), true);
    expect(await call(url, era, { name: 'save_file', arguments: { folder: 'f', document } })).toMatchObject({
      status: 413,
    });
  });
});

describe('what the modern client declares', () => {
  const params = { name: 'save_file', arguments: { folder: 'in', document: fileValue('a.bin', bytesOf(10)) } };

  it('refuses a pending file of a client without the extension', async () => {
    const { url } = await started();
    const { error, status } = await call(url, 'modern', params, { capabilities: {} });
    expect(error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { [FILES]: { upload: {} } } } },
    });
    expect(status).toBe(400);
  });

  it('refuses to ask a client that takes no elicitation', async () => {
    const { url } = await started();
    const capabilities = { extensions: { [FILES]: { upload: {} } } };
    const { error } = await call(url, 'modern', { ...params, name: 'save_with_confirmation' }, { capabilities });
    expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: { elicitation: {} } } });
  });

  it('returns no target to a client that cannot download', async () => {
    const { url } = await started();
    const report = { name: 'make_report', arguments: {} };
    const { result } = await call(url, 'modern', report, { capabilities: { extensions: { [FILES]: { upload: {} } } } });
    expect(result?.content).toHaveLength(1);
    expect(result?._meta?.[FILES]).toBeUndefined();
  });
});

describe('a server with other options', () => {
  it('does not advertise, and then takes inline files alone', async () => {
    const server = await started({ advertise: false });
    const { result } = await rpc(server.url, 'modern', 'server/discover');
    expect(result?.capabilities.extensions).toBeUndefined();
    const document = fileValue('a', bytesOf(5));
    const { error } = await call(server.url, 'modern', { name: 'save_file', arguments: { folder: 'f', document } });
    expect(error).toMatchObject({ code: -32602, data: { reason: 'invalid_file' } });
    const inline = fileValue('a', bytesOf(5), true);
    expect(
      (await call(server.url, 'modern', { name: 'save_file', arguments: { folder: 'f', document: inline } })).result,
    ).toBeDefined();
  });

  it('names no inline limit when told so', async () => {
    const { url } = await started({ maxInlineBytes: undefined });
    expect((await rpc(url, 'modern', 'server/discover')).result?.capabilities.extensions).toEqual({ [FILES]: {} });
    const document = fileValue('a', bytesOf(2 * 1024 * 1024), true);
    const { result } = await call(url, 'modern', { name: 'save_file', arguments: { folder: 'f', document } });
    expect(result?.structuredContent.files[0].size).toBe(2 * 1024 * 1024);
  });

  it.each(['put', 'post', 'form'] as const)('asks for %s alone', async mode => {
    const server = await started({ mode });
    const bytes = bytesOf(10);
    const documents = [fileValue('a', bytes), fileValue('b', bytes)];
    const { retry } = await uploaded(server.url, 'modern', bytes, { name: 'save_files', arguments: { documents } });
    await call(server.url, 'modern', retry);
    expect(server.received().map(file => file.mode)).toEqual([mode, mode]);
  });

  it('sends what its hooks make of upload request and result', async () => {
    const { url } = await started({
      onUploadRequest: entry => ({ ...entry, params: { targets: { '/nowhere': { url: 'ftp://x' } } } }),
      onResult: (result, tool) => ({ ...result, structuredContent: { tool } }),
    });
    const document = fileValue('a', bytesOf(5));
    const first = await call(url, 'modern', { name: 'save_file', arguments: { folder: 'f', document } });
    expect(uploadOf(first).targets).toEqual({ '/nowhere': { url: 'ftp://x' } });
    const { result } = await call(url, 'modern', { name: 'echo', arguments: { text: 'x' } });
    expect(result?.structuredContent).toEqual({ tool: 'echo' });
  });

  it('is not reachable through another host name or from a page elsewhere', async () => {
    const { url } = await started();
    const foreign = await fetch(url, { method: 'POST', headers: { origin: 'https://evil.example' }, body: '{}' });
    expect(foreign.status).toBe(403);
    const local = await fetch(url, { method: 'OPTIONS', headers: { origin: 'http://localhost:5173' } });
    expect([local.status, local.headers.get('access-control-allow-origin')]).toEqual([204, 'http://localhost:5173']);
    expect((await fetch(new URL('/other', url))).status).toBe(404);
  });

  it('deletes what it stored, and can be closed twice', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mcp-files-test-'));
    vi.stubEnv('TMPDIR', folder);
    const server = await startReferenceServer();
    vi.unstubAllEnvs();
    await uploaded(server.url, 'modern', bytesOf(10));
    expect(readdirSync(folder)).toHaveLength(1);
    await server.close();
    await server.close();
    await expect(fetch(server.url)).rejects.toThrow();
    await expect(fetch(server.storageUrl)).rejects.toThrow();
    expect(readdirSync(folder)).toEqual([]);
    rmdirSync(folder);
  });
});
