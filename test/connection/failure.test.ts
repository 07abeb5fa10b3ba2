import { Client as V2Client, InMemoryTransport as V2Memory } from '@modelcontextprotocol/client';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as V1Memory } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server as V1Server } from '@modelcontextprotocol/sdk/server/index.js';
import { Server as V2Server } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { type LegFailure, type McpPort, portFor } from '../../src/connection/index.js';
import { FilesError } from '../../src/errors/index.js';
import { connected, hostFor, KINDS, type Kind, rpcError, startPeer, thrownBy } from './peers.js';

const json = (status: number, body: unknown): Response => Response.json(body, { status });
const rpc = (status: number, code: number, id: unknown, data?: unknown): Response =>
  json(status, { jsonrpc: '2.0', id, error: { code, message: 'refused', ...(data === undefined ? {} : { data }) } });

/** What the port makes of a `tools/call` that HTTP answers like this. */
async function afterHttp(kind: Kind, response: () => Response | Promise<Response>): Promise<LegFailure> {
  const { port } = await connected(kind, { http: response });
  return port.failureOf(await thrownBy(port.callToolLeg({ name: 'save' }, undefined, { timeout: 20_000 })));
}

describe.each(KINDS)('%s', kind => {
  it('knows a JSON-RPC error with its code and data, and rethrows the SDK’s own object', async () => {
    const data = { reason: 'inline_too_large' };
    const { port } = await connected(kind, {
      call: () => {
        throw rpcError(-32602, 'too large', data);
      },
    });
    const error = await thrownBy(port.callToolLeg({ name: 'save' }, undefined, {}));
    expect(port.failureOf(error)).toEqual({ kind: 'rpc_error', code: -32602, data });
    expect((error as Error).name).toBe(kind === 'v1' ? 'McpError' : 'ProtocolError');
  });

  it('does not take a server’s -32001 or -32000 for its SDK’s own time-out or lost connection', async () => {
    for (const [code, message] of [
      [-32001, 'Session not found'],
      [-32000, 'Quota exceeded'],
    ] as const) {
      const { port } = await connected(kind, {
        call: () => {
          throw rpcError(code, message);
        },
      });
      const error = await thrownBy(port.callToolLeg({ name: 'save' }, undefined, {}));
      expect(port.failureOf(error)).toMatchObject({ kind: 'rpc_error', code });
    }
  });

  it('knows an unsupported method, however the answer travels', async () => {
    const { port } = await connected(kind);
    const error = await thrownBy(port.request('files/authorizeUpload', {}, {}));
    expect(port.failureOf(error)).toMatchObject({ kind: 'rpc_error', code: -32601 });
    // As the text of a 404 (v2 modern servers, some v1 servers).
    expect(await afterHttp(kind, () => rpc(404, -32601, 1))).toMatchObject({ kind: 'rpc_error', code: -32601 });
  });

  it.each([
    ['HTML', () => new Response('<html><pre>PayloadTooLargeError /srv/app.js:1', { status: 413 })],
    ['JSON-RPC -32000, id null', () => rpc(413, -32000, null)],
    ['JSON-RPC -32600', () => rpc(413, -32600, 1)],
  ])('knows HTTP 413 whatever its body: %s', async (_, response) => {
    expect(await afterHttp(kind, response)).toEqual({ kind: 'http_error', status: 413 });
  });

  it.each([
    [400, 'plain text'],
    [404, 'Cannot POST /mcp'],
    [404, '{"error":"not found"}'],
    [500, '<html>'],
    [502, ''],
    [503, '{"jsonrpc":"2.0","result":{},"id":1}'],
  ])('knows HTTP %i with the body %j as no answer', async (status, body) => {
    expect(await afterHttp(kind, () => new Response(body, { status }))).toEqual({ kind: 'http_error', status });
  });

  it('reads a JSON-RPC error out of the text of an HTTP 400', async () => {
    const data = { reason: 'invalid_request_state' };
    for (const id of [null, 0, 99]) {
      expect(await afterHttp(kind, () => rpc(400, -32602, id, data))).toEqual({
        kind: 'rpc_error',
        ...(id === null && { unread: true }),
        code: -32602,
        data,
      });
    }
  });

  it.each([401, 403])('knows HTTP %i as a matter of authorisation', async status => {
    expect(await afterHttp(kind, () => new Response('{}', { status }))).toEqual({ kind: 'unauthorized', status });
    expect(await afterHttp(kind, () => rpc(status, -32000, null))).toEqual({ kind: 'unauthorized', status });
  });

  it('knows an answer that the SDK could not read', async () => {
    const notJson = new Response('{"jsonrpc":', { headers: { 'content-type': 'application/json' } });
    expect(await afterHttp(kind, () => notJson)).toEqual({ kind: 'refused_by_sdk' });
    expect(await afterHttp(kind, () => json(200, { hello: 'world' }))).toEqual({ kind: 'refused_by_sdk' });
    const page = new Response('<html>', { headers: { 'content-type': 'text/html' } });
    expect(await afterHttp(kind, () => page)).toEqual({ kind: 'no_answer' });
  });

  it('refuses an input round that names neither requests nor state', async () => {
    const { port } = await connected(kind, { call: () => ({ resultType: 'input_required', inputRequests: [] }) });
    const send = port.callToolLeg({ name: 'save' }, undefined, {});
    if (kind === 'v2 legacy') {
      // v2 strips `resultType` in the legacy era, so nothing is left that would show a round.
      expect(await send).toMatchObject({ kind: 'complete' });
    } else {
      expect(port.failureOf(await thrownBy(send))).toEqual({ kind: 'refused_by_sdk' });
    }
  });

  it('knows a lost connection, a time-out and an abort as no answer', async () => {
    const lost = await afterHttp(kind, () => Promise.reject(new TypeError('fetch failed')));
    expect(lost).toEqual({ kind: 'no_answer' });

    const { port } = await connected(kind, { call: () => new Promise(() => {}) });
    const late = await thrownBy(port.callToolLeg({ name: 'save' }, undefined, { timeout: 20 }));
    expect(port.failureOf(late)).toEqual({ kind: 'no_answer' });

    for (const reason of [new Error('stop'), 'stop', undefined]) {
      const controller = new AbortController();
      const leg = thrownBy(port.callToolLeg({ name: 'save' }, undefined, { signal: controller.signal }));
      await new Promise(resolve => setImmediate(resolve));
      controller.abort(reason);
      expect(port.failureOf(await leg)).toEqual({ kind: 'no_answer' });
    }
  });

  it('knows that nothing was sent when not connected', async () => {
    const { port, client, connect } = hostFor(kind, startPeer());
    expect(port.failureOf(await thrownBy(port.callToolLeg({ name: 'a' }, undefined, {})))).toEqual({
      kind: 'not_sent',
    });
    await connect();
    await client.close();
    expect(port.failureOf(await thrownBy(port.request('tools/list', {}, {})))).toEqual({ kind: 'not_sent' });
  });
});

it('refuses a list of tools that is none (v2 modern checks it itself)', async () => {
  const bare = { request: async () => ({ tools: 'none' }), callTool() {}, getServerCapabilities() {} };
  const port = portFor({ ...bare, registerCapabilities() {}, transport: undefined } as never);
  await expect(port.listToolsPage(undefined, {})).rejects.toBeInstanceOf(FilesError);
});

it('v2 modern: knows a result with unknown content as refused by the SDK; elsewhere it passes', async () => {
  const result = { content: [{ type: 'file', file: { uri: 'x:1' } }] };
  for (const kind of KINDS) {
    const { port } = await connected(kind, { call: () => result });
    const leg = port.callToolLeg({ name: 'save' }, undefined, {});
    if (kind === 'v2 modern') expect(port.failureOf(await thrownBy(leg))).toEqual({ kind: 'refused_by_sdk' });
    else expect(await leg).toMatchObject({ kind: 'complete', result });
  }
});

it('v2: knows a method of the other era as not sent', async () => {
  const { port } = await connected('v2 modern');
  const error = await thrownBy(port.request('resources/subscribe', { uri: 'x:1' }, {}));
  expect(port.failureOf(error)).toEqual({ kind: 'not_sent' });
});

describe('a connection that closes during a call', () => {
  const hang = (): Promise<never> => new Promise(() => {});

  async function failureAfterClose(port: McpPort, close: () => Promise<void>): Promise<LegFailure> {
    const leg = thrownBy(port.callToolLeg({ name: 'save' }, undefined, {}));
    await new Promise(resolve => setImmediate(resolve));
    await close();
    return port.failureOf(await leg);
  }

  it('v1', async () => {
    const server = new V1Server({ name: 's', version: '1' }, { capabilities: { tools: {} } });
    server.fallbackRequestHandler = hang;
    const client = new V1Client({ name: 'c', version: '1' });
    const [a, b] = V1Memory.createLinkedPair();
    await Promise.all([server.connect(b), client.connect(a)]);
    expect(await failureAfterClose(portFor(client), () => server.close())).toEqual({ kind: 'no_answer' });
  });

  it('v2', async () => {
    const server = new V2Server({ name: 's', version: '1' }, { capabilities: { tools: {} } });
    server.fallbackRequestHandler = hang;
    const client = new V2Client({ name: 'c', version: '1' });
    const [a, b] = V2Memory.createLinkedPair();
    await Promise.all([server.connect(b), client.connect(a)]);
    expect(await failureAfterClose(portFor(client), () => server.close())).toEqual({ kind: 'no_answer' });
  });
});

describe('shapes that no test here can make a transport throw', () => {
  const port = portFor(new V1Client({ name: 'c', version: '1' }));
  const coded = (code: unknown, message: string, data?: unknown): Error =>
    Object.assign(new Error(message), { code, data });

  it.each<[string, unknown, LegFailure]>([
    ['SSE, bare', new Error('Error POSTing to endpoint (HTTP 413): <html>'), { kind: 'http_error', status: 413 }],
    [
      'SSE, JSON-RPC',
      new Error(
        'Error POSTing to endpoint (HTTP 400): {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"x"}}',
      ),
      { unread: true, kind: 'rpc_error', code: -32600, data: undefined },
    ],
    [
      'v1 before 1.24',
      coded(502, 'Streamable HTTP error: Error POSTing to endpoint (HTTP 502): bad gateway'),
      { kind: 'http_error', status: 502 },
    ],
    ['v1 UnauthorizedError', new Error('Unauthorized'), { kind: 'unauthorized' }],
    [
      'v1 OAuth error',
      Object.assign(new Error('expired'), { errorCode: 'invalid_grant', toResponseObject: () => ({}) }),
      { kind: 'unauthorized' },
    ],
    [
      'v2 authorisation code',
      Object.assign(new Error('x'), { [Symbol.for('mcp.authSeamEscape')]: true }),
      { kind: 'unauthorized' },
    ],
    [
      'v1 total time-out',
      coded(-32001, 'MCP error -32001: Maximum total timeout exceeded', { maxTotalTimeout: 1 }),
      { kind: 'no_answer' },
    ],
    ['a socket error', coded('ECONNRESET', 'read ECONNRESET'), { kind: 'no_answer' }],
    ['no error at all', 'thrown', { kind: 'no_answer' }],
  ])('%s', (_, error, failure) => {
    expect(port.failureOf(error)).toEqual(failure);
  });
});
