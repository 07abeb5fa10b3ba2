import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { type ReferenceServer, type ReferenceServerOptions, startReferenceServer } from '../../src/testing/index.js';
import { type Answer, bytesOf, call, type Json, rpc, sha256 } from './raw-client.js';

let server: ReferenceServer;
afterEach(() => server?.close());

const start = async (options: ReferenceServerOptions): Promise<void> => {
  server = await startReferenceServer(options);
};
const save = (args: Json): Promise<Answer> => call(server.url, 'modern', { name: 'save_file', arguments: args });
const refusal = ({ error }: Answer): unknown => error?.data?.reason;
const BYTES = bytesOf(1000);
const DIGEST = { algorithm: 'sha-256', value: createHash('sha256').update(BYTES).digest('base64url') };
const facts = { name: 'a.bin', mimeType: 'application/octet-stream', size: BYTES.length };
const authorize = (more: Json = {}, method = 'files/authorizeUpload') =>
  rpc(server.url, 'modern', method, { ...facts, ...more });
const put = (descriptor: Json, bytes = BYTES): Promise<Response> =>
  fetch(descriptor.url, { method: descriptor.method, headers: descriptor.headers, body: bytes as never });

describe('the reference server in an earlier dialect', () => {
  it('does not advertise the extension, and lists the tools in the dialect', async () => {
    await start({ dialect: 'data-uri', maxSize: 9 });
    const { result } = await rpc(server.url, 'modern', 'tools/list');
    expect(result?.tools[0].inputSchema.properties.document['x-mcp-file']).toEqual({ maxSize: 9 });
    const discovered = await rpc(server.url, 'modern', 'server/discover');
    expect(discovered.result?.capabilities.extensions).toBeUndefined();
  });

  it.each([
    ['no data URI', 'hello'],
    ['a name parameter', 'data:text/plain;name=a.txt;base64,eA=='],
    ['no base64', 'data:text/plain,x'],
    ['base64 of another alphabet', 'data:text/plain;base64,-_8='],
  ])('takes no data URI with %s', async (_, document) => {
    await start({ dialect: 'data-uri' });
    expect(refusal(await save({ document }))).toBe('invalidFileInput');
    expect(server.runs()).toEqual([]);
  });

  it('takes an authorised file once, after it has arrived', async () => {
    await start({ dialect: 'file-object', mode: 'put' });
    const { result } = await authorize({ digest: DIGEST });
    const { uri } = result!.file;
    expect(refusal(await save({ document: uri }))).toBe('fileUnavailable');
    expect((await put(result!.upload)).status).toBe(200);
    expect((await save({ document: uri })).result?.isError).toBeFalsy();
    expect(refusal(await save({ document: uri }))).toBe('fileUnavailable');
    expect(server.received()).toMatchObject([{ pointer: '/document', mode: 'put', sha256: sha256(BYTES) }]);
  });

  it('refuses other bytes than were announced, a missing digest, and a file that is too large', async () => {
    await start({ dialect: 'file-object', mode: 'put', requireDigest: true, maxSize: 1000 });
    expect(refusal(await authorize())).toBe('digestRequired');
    expect((await authorize({ digest: DIGEST, size: 1001 })).error?.data).toEqual({
      reason: 'maxSizeExceeded',
      maxSize: 1000,
      actualSize: 1001,
    });
    const { result } = await authorize({ digest: DIGEST });
    await put(result!.upload, bytesOf(1000, 7));
    expect(refusal(await save({ document: result!.file.uri }))).toBe('digestMismatch');
  });

  it('takes only the modes it lists', async () => {
    await start({ dialect: 'file-object', transferModes: ['upload'] });
    expect(refusal(await save({ document: 'data:text/plain;base64,eA==' }))).toBe('invalidFileInput');
  });

  it('wants an upload of the older spelling completed, and knows no other spelling', async () => {
    await start({ dialect: 'file-object-older', mode: 'put' });
    expect((await authorize()).error?.code).toBe(-32601);
    const { result } = await authorize({}, 'files/prepareUpload');
    await put(result!.transfer);
    expect(refusal(await save({ document: result!.file.uri }))).toBe('fileUnavailable');
    await rpc(server.url, 'modern', 'files/completeUpload', { uri: result!.file.uri });
    expect((await save({ document: result!.file.uri })).result?.isError).toBeFalsy();
  });

  it('fetches from loopback alone', async () => {
    await start({ dialect: 'openai-file-params' });
    const document = { download_url: 'https://files.example/x', file_id: 'x' };
    expect(refusal(await save({ document }))).toBe('invalidFileInput');
  });
});
