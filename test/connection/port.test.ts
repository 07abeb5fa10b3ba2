import { getEventListeners } from 'node:events';
import type { Client as V2Client } from '@modelcontextprotocol/client';
import type { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { type McpClientLike, portFor } from '../../src/connection/index.js';
import { connected, hostFor, KINDS, startPeer, thrownBy } from './peers.js';

const FILES = 'io.modelcontextprotocol/files';
const ENVELOPE_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/** An extension entry: what both SDKs' own loops cannot take. */
const UPLOAD_ROUND = {
  resultType: 'input_required',
  requestState: 'opaque',
  inputRequests: { u1: { method: `${FILES}/upload`, params: { targets: { '/file': { url: 'https://x.test/' } } } } },
};

describe('the shape of a client', () => {
  it('takes the real clients without a cast', () => {
    expectTypeOf<V2Client>().toExtend<McpClientLike>();
    expectTypeOf<V1Client>().toExtend<McpClientLike>();
    expectTypeOf<{ request(): Promise<unknown> }>().not.toExtend<McpClientLike>();
  });

  it.each([undefined, null, 'client', {}, { request() {}, callTool() {} }])('refuses %j', value => {
    expect(() => portFor(value as never)).toThrow(TypeError);
  });
});

describe.each(KINDS)('%s', kind => {
  it('tells the SDK and the era, and nothing of a server before connect', async () => {
    const peer = startPeer({ extensions: { [FILES]: { maxInlineBytes: 5 } } });
    const { port, client, connect } = hostFor(kind, peer);
    expect(port.sdk).toBe(kind === 'v1' ? 'v1' : 'v2');
    expect(port.era).toBe('legacy');
    expect([port.connected, port.connectionKey, port.serverExtensions()]).toEqual([false, undefined, undefined]);
    await connect();
    expect(port.era).toBe(kind === 'v2 modern' ? 'modern' : 'legacy');
    expect(port.connected).toBe(true);
    expect(port.serverExtensions()).toEqual({ [FILES]: { maxInlineBytes: 5 } });
    await client.close();
    expect([port.connected, port.connectionKey, port.serverExtensions()]).toEqual([false, undefined, undefined]);
  });

  it('has one key per connection', async () => {
    const { port, client, connect } = hostFor(kind, startPeer());
    await connect();
    const first = port.connectionKey;
    expect(first).toBeTypeOf('object');
    await port.listToolsPage(undefined, {});
    expect(port.connectionKey).toBe(first);
    await client.close();
    await connect();
    expect(port.connectionKey).toBeTypeOf('object');
    expect(port.connectionKey).not.toBe(first);
  });

  it('declares an extension before connect, beside what the host declared', async () => {
    const peer = startPeer();
    const { port, connect } = hostFor(kind, peer, {
      capabilities: { roots: { listChanged: true }, extensions: { 'com.example/own': { a: 1 } } },
    });
    expect(port.declareExtension(FILES, { upload: {}, download: {} })).toBe(true);
    await connect();
    await port.callToolLeg({ name: 'save' }, undefined, {});
    const seen =
      kind === 'v2 modern' ? peer.calls[0]?.envelope?.[ENVELOPE_CAPABILITIES] : peer.initialized[0]?.capabilities;
    expect(seen).toEqual({
      roots: { listChanged: true },
      extensions: { 'com.example/own': { a: 1 }, [FILES]: { upload: {}, download: {} } },
    });
  });

  it('cannot promise an extension declared after connect', async () => {
    const { port, peer } = await connected(kind, {}, { capabilities: { roots: {} } });
    expect(port.declareExtension(FILES, { upload: {} })).toBe(false);
    await port.callToolLeg({ name: 'save', _meta: { 'com.example/x': 1 } }, undefined, {});
    expect(peer.calls[0]?.params._meta).toMatchObject({ 'com.example/x': 1 });
    // Modern requests each carry the client's capabilities, so there at least the leg can say it.
    const envelope = peer.calls[0]?.envelope?.[ENVELOPE_CAPABILITIES];
    expect(envelope).toEqual(kind === 'v2 modern' ? { extensions: { [FILES]: { upload: {} } } } : undefined);
  });

  it('reads tools page by page, untouched', async () => {
    const schema = { type: 'object', properties: { f: { type: 'object', 'x-mcp-file': { accept: ['image/*'] } } } };
    const tool = { name: 'a', inputSchema: schema, _meta: { 'openai/fileParams': ['f'] } };
    const { port } = await connected(kind, { pages: [[tool], [{ name: 'b', inputSchema: { type: 'object' } }]] });
    expect(await port.listToolsPage(undefined, {})).toEqual({ tools: [tool], nextCursor: '1' });
    expect(await port.listToolsPage('1', {})).toEqual({ tools: [{ name: 'b', inputSchema: { type: 'object' } }] });
  });

  it('hands an input round out as it came, then the result, one message each', async () => {
    const result = {
      content: [{ type: 'text', text: 'saved' }],
      structuredContent: { ok: true },
      _meta: { [FILES]: { downloads: [] } },
    };
    const { port, peer } = await connected(kind, { call: seen => (seen.requestState ? result : UPLOAD_ROUND) });
    // The SDKs would hold the input round against this schema.
    const tool = {
      name: 'save',
      inputSchema: { type: 'object' },
      outputSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
    };
    const params = {
      name: 'save',
      arguments: { folder: 'inbox', file: { name: 'a', mimeType: 'text/plain', size: 1 } },
    };
    const first = await port.callToolLeg(params, tool, {});
    expect(first).toEqual({
      kind: 'input_required',
      inputRequests: UPLOAD_ROUND.inputRequests,
      requestState: 'opaque',
    });
    const retry = { ...params, requestState: 'opaque', inputResponses: { u1: {} } };
    const second = await port.callToolLeg(retry, tool, {});
    expect(second).toMatchObject({ kind: 'complete', result });
    expect(second.kind === 'complete' && 'resultType' in second.result).toBe(false);
    expect(peer.calls).toHaveLength(2);
    expect(peer.calls[1]).toMatchObject({ requestState: 'opaque', inputResponses: { u1: {} } });
    expect(peer.calls[1]?.params.arguments).toEqual(params.arguments);
  });

  it('hands out a round with the state alone, and a round beside the empty content a v1 server adds', async () => {
    const rounds = [
      { resultType: 'input_required', requestState: 's' },
      { resultType: 'input_required', content: [], inputRequests: { e: { method: 'elicitation/create', params: {} } } },
    ];
    const { port } = await connected(kind, { call: () => rounds.shift() });
    expect(await port.callToolLeg({ name: 'save' }, undefined, {})).toEqual({
      kind: 'input_required',
      inputRequests: {},
      requestState: 's',
    });
    expect(await port.callToolLeg({ name: 'save' }, undefined, {})).toMatchObject({
      kind: 'input_required',
      inputRequests: { e: { method: 'elicitation/create' } },
    });
  });

  it('lets a tool output keep members named like those of a round', async () => {
    const result = { content: [{ type: 'text', text: 'x' }], requestState: 'mine' };
    const { port } = await connected(kind, { call: () => result });
    expect(await port.callToolLeg({ name: 'save' }, undefined, {})).toMatchObject({ kind: 'complete', result });
  });

  it('calls the SDK’s own callTool for calls without files', async () => {
    const { port, peer } = await connected(kind);
    const result = await port.callToolDirect({ name: 'save', arguments: { a: 1 } }, undefined, {});
    expect(result.content).toEqual([{ type: 'text', text: 'done' }]);
    expect(peer.calls[0]?.params.arguments).toEqual({ a: 1 });
  });

  it('sends any other request with parameters and result untouched', async () => {
    const { port } = await connected(kind, {
      other: (method, params) => ({ method, params, nested: { x: [1, null] } }),
    });
    const answer = await port.request('files/authorizeUpload', { name: 'a.bin', size: 3 }, {});
    const { _meta: _, ...own } = answer;
    expect(own).toEqual({
      method: 'files/authorizeUpload',
      params: { name: 'a.bin', size: 3 },
      nested: { x: [1, null] },
    });
  });

  it('leaves no listener on the signal: success, error, abort', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    let answer = (): unknown => ({ content: [] });
    const { port } = await connected(kind, { call: () => answer() });
    await port.callToolLeg({ name: 'save' }, undefined, { signal });
    await port.callToolDirect({ name: 'save' }, undefined, { signal });
    await port.listToolsPage(undefined, { signal });
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    answer = () => {
      throw Object.assign(new Error('no'), { code: -32000 });
    };
    await thrownBy(port.callToolLeg({ name: 'save' }, undefined, { signal }));
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    answer = () => {
      controller.abort(new Error('enough'));
      return new Promise(() => {});
    };
    const error = await thrownBy(port.callToolLeg({ name: 'save' }, undefined, { signal }));
    expect(port.failureOf(error)).toEqual({ kind: 'no_answer' });
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('sends no cancellation for a finished request when the signal aborts later', async () => {
    const peer = startPeer();
    const posted: string[] = [];
    const spying = {
      ...peer,
      fetch: (async (url: URL, init: RequestInit) => {
        if (typeof init.body === 'string') posted.push((JSON.parse(init.body) as { method: string }).method);
        return await peer.fetch(url, init);
      }) as typeof fetch,
    };
    const { port, connect } = hostFor(kind, spying);
    await connect();
    const controller = new AbortController();
    await port.callToolLeg({ name: 'save' }, undefined, { signal: controller.signal });
    controller.abort();
    await port.listToolsPage(undefined, {});
    expect(posted).not.toContain('notifications/cancelled');
  });
});

describe('v2 modern', () => {
  it('mirrors arguments into headers by the definition that is handed in', async () => {
    const { port, peer } = await connected('v2 modern');
    const tool = {
      name: 'save',
      inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
    };
    await port.callToolLeg({ name: 'save', arguments: { region: 'eu' } }, tool, {});
    expect(peer.calls[0]?.headers.get('mcp-param-region')).toBe('eu');
  });

  it.each([
    ['with a definition', { name: 'save', inputSchema: { type: 'object' } }],
    ['without', undefined],
  ])('sends one message for a header mismatch, %s', async (_, tool) => {
    const { port, peer } = await connected('v2 modern', {
      call: () => {
        throw Object.assign(new Error('HeaderMismatch'), { code: -32020 });
      },
    });
    const error = await thrownBy(port.callToolLeg({ name: 'save' }, tool, {}));
    expect(port.failureOf(error)).toMatchObject({ kind: 'rpc_error', code: -32020 });
    expect(peer.calls).toHaveLength(1);
  });

  it('sends server/discover raw, with what the SDK strips from the capabilities', async () => {
    const { port } = await connected('v2 modern');
    expect(await port.request('server/discover', undefined, {})).toMatchObject({ supportedVersions: ['2026-07-28'] });
  });
});
