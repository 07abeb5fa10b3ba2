import { request as httpRequest } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { type ReferenceServer, type ReferenceServerOptions, startReferenceServer } from '../../src/testing/index.js';
import {
  bytesOf,
  CAPABILITIES,
  call,
  FILES,
  fileValue,
  type Json,
  send,
  sha256,
  uploaded,
  uploadOf,
} from './raw-client.js';

const open: ReferenceServer[] = [];
async function started(options?: ReferenceServerOptions): Promise<ReferenceServer> {
  const server = await startReferenceServer(options);
  open.push(server);
  return server;
}
afterEach(async () => {
  await Promise.all(open.splice(0).map(server => server.close()));
});

const BODY = bytesOf(1000);

async function targetOf(server: ReferenceServer, capabilities: Json = CAPABILITIES): Promise<Json> {
  const params = { name: 'save_file', arguments: { folder: 'in', document: fileValue('a.bin', BODY) } };
  return uploadOf(await call(server.url, 'modern', params, { capabilities })).targets['/document'] as Json;
}

/** Status and service code of an answer. */
async function refusal(answer: Response | Promise<Response>): Promise<[number, string | undefined]> {
  const response = await answer;
  return [response.status, /<Code>(\w+)<\/Code>/.exec(await response.text())?.[1]];
}

describe('a signed target', () => {
  it.each(['put', 'post', 'form'] as const)('takes one write (%s)', async mode => {
    const target = await targetOf(await started({ mode }));
    expect((await send(target, BODY)).ok).toBe(true);
    expect(await refusal(send(target, BODY))).toEqual([409, 'AlreadyWritten']);
  });

  it('takes one of two writes at once', async () => {
    const target = await targetOf(await started());
    const answers = await Promise.all([send(target, BODY), send(target, BODY)]);
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 409]);
  });

  it('expires', async () => {
    let now = 1_800_000_000_000;
    const server = await started({ ttlSeconds: 10, now: () => now });
    const target = await targetOf(server);
    expect(target.expiresAt).toBe(new Date(now + 10_000).toISOString());
    now += 10_000;
    expect(await refusal(send(target, BODY))).toEqual([410, 'Expired']);
    now -= 1;
    expect((await send(target, BODY)).status).toBe(200);
  });

  it('holds for its own query, path and method alone', async () => {
    const target = await targetOf(await started({ mode: 'put' }));
    const url = target.url as string;
    const later = url.replace(/expires=(\d+)/, (_, at: string) => `expires=${Number(at) + 1}`);
    const last = url.at(-1) === 'A' ? 'B' : 'A';
    const other = await targetOf(await started({ mode: 'put' }));
    for (const wrong of [later, url.slice(0, -1) + last, url.replace('/uploads/', '/downloads/')]) {
      expect(await refusal(send({ ...target, url: wrong }, BODY))).toEqual([403, 'SignatureDoesNotMatch']);
    }
    for (const wrong of [`${url}&x=1`, url.split('?')[0], url.replace('/uploads/', '/uploads/../uploads/x')]) {
      expect((await refusal(send({ ...target, url: wrong }, BODY)))[0]).toBe(403);
    }
    expect(await refusal(send({ ...target, method: 'POST' }, BODY))).toEqual([403, 'SignatureDoesNotMatch']);
    // Signed by another server's key.
    const foreign = new URL(target.url).origin + new URL(other.url).pathname + new URL(other.url).search;
    expect(await refusal(send({ ...target, url: foreign }, BODY))).toEqual([403, 'SignatureDoesNotMatch']);
    expect((await send(target, BODY)).status).toBe(200);
  });

  it.each(['put', 'post', 'form'] as const)(
    'takes the announced size alone, and the file after a wrong one (%s)',
    async mode => {
      const server = await started({ mode });
      const target = await targetOf(server);
      expect(await refusal(send(target, BODY.subarray(1)))).toEqual([400, 'SizeMismatch']);
      expect(await refusal(send(target, bytesOf(300_000)))).toEqual([400, 'SizeMismatch']);
      expect((await send(target, BODY)).ok).toBe(true);
    },
  );

  it('demands its headers as they are', async () => {
    const target = await targetOf(await started({ mode: 'put' }));
    expect(await refusal(send(target, BODY, '', { 'content-type': 'text/plain' }))).toEqual([
      403,
      'SignedHeaderMismatch',
    ]);
  });

  it('takes no credential with omit', async () => {
    const target = await targetOf(await started());
    const credential = { authorization: 'Bearer secret' };
    expect(await refusal(send(target, BODY, '', credential))).toEqual([400, 'UnexpectedAuthorization']);
  });

  it('refuses a chunked body', async () => {
    const target = await targetOf(await started({ mode: 'put' }));
    const status = await new Promise(resolve => {
      const request = httpRequest(target.url, { method: 'PUT', headers: target.headers }, response => {
        response.resume();
        resolve(response.statusCode);
      });
      request.write(BODY.subarray(0, 500));
      request.end(BODY.subarray(500));
    });
    expect(status).toBe(411);
  });

  it('is open again after a broken write', async () => {
    let arrived = (): void => {};
    const seen = new Promise<void>(resolve => {
      arrived = resolve;
    });
    const onTransfer = (): boolean => {
      arrived();
      return false;
    };
    const server = await started({ mode: 'put', onTransfer });
    const target = await targetOf(server);
    const headers = { ...target.headers, 'content-length': BODY.length };
    const broken = httpRequest(target.url, { method: 'PUT', headers });
    const failed = new Promise(resolve => broken.once('error', resolve));
    broken.write(BODY.subarray(0, 500));
    await seen;
    broken.destroy(new Error('broken off'));
    await failed;
    // Until the server has noticed, the slot counts as being written.
    for (;;) {
      const { status } = await send(target, BODY);
      if (status !== 409) return expect(status).toBe(200);
      await new Promise(resolve => setTimeout(resolve, 5));
    }
  });

  it('answers a browser', async () => {
    const target = await targetOf(await started({ mode: 'put' }));
    const preflight = await fetch(target.url, { method: 'OPTIONS', headers: { origin: 'https://page.example' } });
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([204, 'PUT, POST, GET']);
    expect((await send(target, BODY)).headers.get('access-control-allow-origin')).toBe('*');
  });
});

describe('a form target', () => {
  const file = new Blob([BODY as never]);

  async function post(target: Json, fill: (form: FormData, fields: [string, string][]) => void) {
    const form = new FormData();
    fill(
      form,
      target.form.fields.map(({ name, value }: Json) => [name, value]),
    );
    return await refusal(fetch(target.url, { method: 'POST', body: form }));
  }

  it.each<[string, string, (form: FormData, fields: [string, string][]) => void]>([
    [
      'without a field',
      'PolicyMismatch',
      (form, fields) => {
        for (const [name, value] of fields.slice(1)) form.append(name, value);
        form.append('file', file, 'a');
      },
    ],
    [
      'with fields in another order',
      'PolicyMismatch',
      (form, fields) => {
        for (const [name, value] of fields.reverse()) form.append(name, value);
        form.append('file', file, 'a');
      },
    ],
    [
      'with another value',
      'PolicyMismatch',
      (form, fields) => {
        for (const [name, value] of fields) form.append(name, name === 'key' ? 'mine' : value);
        form.append('file', file, 'a');
      },
    ],
    [
      'with a field after the file',
      'FieldAfterFile',
      (form, fields) => {
        for (const [name, value] of fields) form.append(name, value);
        form.append('file', file, 'a');
        form.append('late', '1');
      },
    ],
    [
      'with a second file',
      'SecondFile',
      (form, fields) => {
        for (const [name, value] of fields) form.append(name, value);
        form.append('file', file, 'a');
        form.append('file', file, 'b');
      },
    ],
    [
      'under another part name',
      'WrongFileField',
      (form, fields) => {
        for (const [name, value] of fields) form.append(name, value);
        form.append('document', file, 'a');
      },
    ],
    [
      'without a file',
      'MissingFile',
      (form, fields) => {
        for (const [name, value] of fields) form.append(name, value);
      },
    ],
  ])('refuses a form %s, and takes the right one after it', async (_, code, fill) => {
    const target = await targetOf(await started({ mode: 'form' }));
    expect(await post(target, fill)).toEqual([400, code]);
    expect((await send(target, BODY)).status).toBe(201);
  });

  it.each([
    ['a raw body', 'application/octet-stream', 'x'],
    [
      'a form that is cut off',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="key"\r\n\r\nv',
    ],
  ])('refuses %s', async (_, type, body) => {
    const target = await targetOf(await started({ mode: 'form' }));
    const answer = fetch(target.url, { method: 'POST', headers: { 'content-type': type }, body });
    expect((await refusal(answer))[0]).toBe(400);
  });

  it('reports the fields as they arrived', async () => {
    const server = await started({ mode: 'form' });
    const { retry, targets } = await uploaded(server.url, 'modern', BODY);
    await call(server.url, 'modern', retry);
    const [received] = server.received();
    expect(received?.fields).toEqual(
      (targets['/document'] as Json).form.fields.map(({ name, value }: Json) => [name, value]),
    );
    expect(received?.sha256).toBe(sha256(BODY));
  });
});

describe('a returned file', () => {
  const returned = async (server: ReferenceServer, size = 10): Promise<string> => {
    const { result } = await call(server.url, 'modern', { name: 'make_report', arguments: { title: 'abc', size } });
    return result?._meta[FILES].downloads[0].url;
  };

  it.each<[string, Record<string, string>, number, string, string | null]>([
    ['whole', {}, 200, 'abc, line ', null],
    ['from a byte on', { range: 'bytes=5-' }, 206, 'line ', 'bytes 5-9/10'],
    ['a part', { range: 'bytes=0-2' }, 206, 'abc', 'bytes 0-2/10'],
    ['the end', { range: 'bytes=-2' }, 206, 'e ', 'bytes 8-9/10'],
    ['more than there is', { range: 'bytes=8-99' }, 206, 'e ', 'bytes 8-9/10'],
    ['nothing of it', { range: 'bytes=10-' }, 416, '', 'bytes */10'],
    ['what is no range', { range: 'lines=1-' }, 200, 'abc, line ', null],
    ['the rest of another file', { range: 'bytes=5-', 'if-range': '"other"' }, 200, 'abc, line ', null],
  ])('can be asked for: %s', async (_, headers, status, body, range) => {
    const answer = await fetch(await returned(await started()), { headers });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([status, range]);
    if (status !== 416) expect(await answer.text()).toBe(body);
  });

  it('gives the rest of the same file', async () => {
    const url = await returned(await started());
    const etag = (await fetch(url, { method: 'GET' })).headers.get('etag') as string;
    const answer = await fetch(url, { headers: { range: 'bytes=5-', 'if-range': etag } });
    expect([answer.status, await answer.text()]).toEqual([206, 'line ']);
  });

  it('can be kept from its host by a test', async () => {
    const seen: string[] = [];
    const server = await started({
      onDownload: ({ name }, request, response) => {
        seen.push(`${request.method} ${name}`);
        response.writeHead(503).end();
        return true;
      },
    });
    expect((await fetch(await returned(server))).status).toBe(503);
    expect(seen).toEqual(['GET out/report.txt']);
  });
});

describe('path targets', () => {
  const including = { extensions: { [FILES]: { upload: { include: true }, download: {} } } };

  it('stand under the MCP address and check the bearer token', async () => {
    const server = await started({ targets: 'path', bearer: 'token', mode: 'put' });
    const target = await targetOf(server, including);
    expect(target).toMatchObject({ credentials: 'include', path: expect.stringMatching(/^uploads\//) });
    expect(target.url).toBeUndefined();
    expect(await refusal(send(target, BODY, server.url))).toEqual([401, 'Unauthorized']);
    expect(await refusal(send(target, BODY, server.url, { authorization: 'Bearer other' }))).toEqual([
      401,
      'Unauthorized',
    ]);
    expect((await send(target, BODY, server.url, { authorization: 'Bearer token' })).status).toBe(200);
  });

  it('ask no credential of a client that did not say it can include one', async () => {
    const server = await started({ targets: 'path', bearer: 'token' });
    const target = await targetOf(server);
    expect(target.credentials).toBe('omit');
    expect((await send(target, BODY, server.url)).status).toBe(200);
  });

  it('ask no credential where the server has no token', async () => {
    const server = await started({ targets: 'path' });
    const target = await targetOf(server, including);
    expect(target.credentials).toBe('omit');
    expect((await send(target, BODY, server.url)).status).toBe(200);
  });

  it('are there for downloads too', async () => {
    const server = await started({ targets: 'path', bearer: 'token' });
    const { result } = await call(
      server.url,
      'modern',
      { name: 'make_report', arguments: { size: 0 } },
      { capabilities: including },
    );
    const download = result?._meta[FILES].downloads[0];
    expect(download).toMatchObject({ credentials: 'include', size: 0 });
    const url = `${server.url}/${download.path}`;
    expect((await fetch(url)).status).toBe(401);
    const answer = await fetch(url, { headers: { authorization: 'Bearer token' } });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  });
});

describe('hooks', () => {
  it('let a test answer for the storage', async () => {
    const seen: unknown[] = [];
    const server = await started({
      mode: 'put',
      onTransfer(transfer, request, response) {
        seen.push(transfer);
        if (seen.length > 1) return false;
        request.resume();
        response.writeHead(503).end();
        return true;
      },
    });
    const target = await targetOf(server);
    expect((await send(target, BODY)).status).toBe(503);
    expect((await send(target, BODY)).status).toBe(200);
    expect(seen).toEqual([
      { tool: 'save_file', pointer: '/document', mode: 'put' },
      { tool: 'save_file', pointer: '/document', mode: 'put' },
    ]);
  });
});
