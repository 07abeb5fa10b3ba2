import { Client as V2Client, InMemoryTransport as V2Memory } from '@modelcontextprotocol/client';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as V1Memory } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server as V1Server } from '@modelcontextprotocol/sdk/server/index.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { Server as V2Server } from '@modelcontextprotocol/server';
import { describe, expect, it, vi } from 'vitest';
import { type McpPort, portFor } from '../../src/connection/index.js';
import { connected, thrownBy } from './peers.js';

interface Pair {
  readonly port: McpPort;
  readonly client: V1Client | V2Client;
  connect(): Promise<void>;
  toolsChanged(): Promise<void>;
  onHostHandler(handler: () => void): void;
}

const info = { name: 'x', version: '1' };
const capabilities = { tools: { listChanged: true } };
const listChanged = (onChanged: (() => void) | undefined): object =>
  onChanged ? { listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged } } } : {};

function v1Pair(onChanged?: () => void): Pair {
  const client = new V1Client(info, listChanged(onChanged));
  let server = new V1Server(info, { capabilities });
  return {
    port: portFor(client),
    client,
    async connect() {
      server = new V1Server(info, { capabilities });
      const [a, b] = V1Memory.createLinkedPair();
      await Promise.all([server.connect(b), client.connect(a)]);
    },
    toolsChanged: () => server.sendToolListChanged(),
    onHostHandler: handler => client.setNotificationHandler(ToolListChangedNotificationSchema, handler),
  };
}

function v2Pair(onChanged?: () => void): Pair {
  const client = new V2Client(info, listChanged(onChanged));
  let server = new V2Server(info, { capabilities });
  return {
    port: portFor(client),
    client,
    async connect() {
      server = new V2Server(info, { capabilities });
      const [a, b] = V2Memory.createLinkedPair();
      await Promise.all([server.connect(b), client.connect(a)]);
    },
    toolsChanged: () => server.sendToolListChanged(),
    onHostHandler: handler => client.setNotificationHandler('notifications/tools/list_changed', handler),
  };
}

const settled = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

describe.each([
  ['v2 legacy', v2Pair],
  ['v1', v1Pair],
])('%s', (_, pairOf) => {
  it('sees list_changed without any handler of the host', async () => {
    const pair = pairOf();
    const seen = vi.fn();
    pair.port.onToolListChanged(seen);
    await pair.connect();
    // The port looks at a connection when it is first used: nothing of it can be cached before.
    expect(pair.port.connectionKey).toBeDefined();
    await pair.toolsChanged();
    await settled();
    expect(seen).toHaveBeenCalledTimes(1);
  });

  it.each(['before', 'after'])('leaves a handler that the host sets %s', async when => {
    const pair = pairOf();
    const host = vi.fn();
    const seen = vi.fn();
    if (when === 'before') pair.onHostHandler(host);
    await pair.connect();
    pair.port.onToolListChanged(seen);
    if (when === 'after') pair.onHostHandler(host);
    await pair.toolsChanged();
    await settled();
    expect([host.mock.calls.length, seen.mock.calls.length]).toEqual([1, 1]);
  });

  it('leaves the listChanged option and the fallback handler of the host', async () => {
    const host = vi.fn();
    const fallback = vi.fn(async () => {});
    const seen = vi.fn();
    const pair = pairOf(host);
    pair.client.fallbackNotificationHandler = fallback;
    pair.port.onToolListChanged(seen);
    const all = vi.fn();
    pair.port.onNotification(all);
    await pair.connect();
    expect(pair.port.connectionKey).toBeDefined();
    await pair.toolsChanged();
    await settled();
    expect([host.mock.calls.length, seen.mock.calls.length, fallback.mock.calls.length]).toEqual([1, 1, 0]);
    expect(all).toHaveBeenCalledWith('notifications/tools/list_changed', undefined);
  });

  it('stops, gives the transport back, and follows the client to its next connection', async () => {
    const pair = pairOf();
    await pair.connect();
    const before = (pair.client.transport as { onmessage?: unknown }).onmessage;
    const seen = vi.fn();
    const stop = pair.port.onToolListChanged(seen);
    const stopThrowing = pair.port.onNotification(() => {
      throw new Error('a listener of ours');
    });
    expect((pair.client.transport as { onmessage?: unknown }).onmessage).not.toBe(before);
    await pair.toolsChanged();
    await settled();
    stopThrowing();
    stop();
    expect((pair.client.transport as { onmessage?: unknown }).onmessage).toBe(before);
    await pair.toolsChanged();
    await settled();
    expect(seen).toHaveBeenCalledTimes(1);

    pair.port.onToolListChanged(seen);
    await pair.client.close();
    await pair.connect();
    expect(pair.port.connectionKey).toBeDefined();
    await pair.toolsChanged();
    await settled();
    expect(seen).toHaveBeenCalledTimes(2);
  });
});

describe('v2 modern', () => {
  it('sees list_changed on the stream the host opened by its listChanged option', async () => {
    const host = vi.fn();
    const seen = vi.fn();
    const { port, peer, client } = await connected('v2 modern', {}, { onToolsChanged: host });
    port.onToolListChanged(seen);
    peer.handler.notify.toolsChanged();
    await vi.waitFor(() => expect(seen).toHaveBeenCalledTimes(1));
    expect(host).toHaveBeenCalledTimes(1);
    await client.close();
  });

  it('opens a stream of its own through listen, and ends it', async () => {
    const { port, peer, client } = await connected('v2 modern');
    const seen = vi.fn();
    port.onToolListChanged(seen);
    const stream = await port.listen({ toolsListChanged: true }, {});
    peer.handler.notify.toolsChanged();
    await vi.waitFor(() => expect(seen).toHaveBeenCalledTimes(1));
    await stream.close();
    expect(await stream.closed).toBe('local');
    await client.close();
  });
});

it('listen rejects outside the modern era', async () => {
  for (const kind of ['v2 legacy', 'v1'] as const) {
    const { port } = await connected(kind);
    const error = (await thrownBy(port.listen({ toolsListChanged: true }, {}))) as { code: string };
    expect(error.code).toBe(kind === 'v1' ? 'resource_unsupported' : 'METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION');
  }
});
