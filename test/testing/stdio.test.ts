import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type ReferenceServerOptions,
  type ReferenceServerRecord,
  serveReferenceStdio,
} from '../../src/testing/index.js';
import { bytesOf, CAPABILITIES, FILES, fileValue, type Json, send, sha256 } from './raw-client.js';

let server: ReferenceServerRecord | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** Lines in, lines out. */
async function overStdio(options?: ReferenceServerOptions) {
  const input = new PassThrough();
  const output = new PassThrough();
  server = await serveReferenceStdio(options, { input, output });
  const lines = output.setEncoding('utf8')[Symbol.asyncIterator]();
  let rest = '';
  let id = 0;
  const notify = (method: string): void => void input.write(`${JSON.stringify({ jsonrpc: '2.0', method })}\n`);
  const request = async (method: string, params: Json): Promise<Json> => {
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })}\n`);
    while (!rest.includes('\n')) rest += (await lines.next()).value;
    const end = rest.indexOf('\n');
    const answer = JSON.parse(rest.slice(0, end)) as Json;
    rest = rest.slice(end + 1);
    expect(answer.id).toBe(id);
    return answer;
  };
  return { server, request, notify };
}

const BODY = bytesOf(100_000);
const PARAMS = { name: 'save_file', arguments: { folder: 'in', document: fileValue('a.bin', BODY) } };
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'by hand', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': CAPABILITIES,
};

describe('stdio', () => {
  it.each(['modern', 'legacy'])('serves the whole flow in the %s era', async era => {
    const { server: record, request, notify } = await overStdio();
    const extra = era === 'modern' ? { _meta: META } : {};
    if (era === 'legacy') {
      const clientInfo = { name: 'by hand', version: '1' };
      await request('initialize', { protocolVersion: '2025-11-25', capabilities: CAPABILITIES, clientInfo });
      notify('notifications/initialized');
    }
    const { result } = await request('tools/call', { ...PARAMS, ...extra });
    const [[key, entry]] = Object.entries(result.inputRequests) as [[string, Json]];
    expect((await send(entry.params.targets['/document'], BODY)).status).toBe(200);
    const retry = { ...PARAMS, ...extra, requestState: result.requestState, inputResponses: { [key]: {} } };
    expect((await request('tools/call', retry)).result.structuredContent.files[0].sha256).toBe(sha256(BODY));
    expect(record.received()).toMatchObject([{ pointer: '/document', mode: 'put' }]);
  });

  it('knows a legacy client’s capabilities here, where it has a connection to remember them by', async () => {
    const { request, notify } = await overStdio();
    const clientInfo = { name: 'by hand', version: '1' };
    await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    notify('notifications/initialized');
    const { error } = await request('tools/call', PARAMS);
    expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: { extensions: { [FILES]: {} } } } });
  });

  it('has no MCP address to hang paths under', async () => {
    await expect(serveReferenceStdio({ targets: 'path' })).rejects.toThrow(RangeError);
  });
});
