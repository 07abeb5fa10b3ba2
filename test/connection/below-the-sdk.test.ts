import { describe, expect, it, vi } from 'vitest';
import type { McpClientLike, TransportLike } from '../../src/connection/client-like.js';
import { ConnectTap } from '../../src/connection/connect-tap.js';
import { Handshakes } from '../../src/connection/handshakes.js';
import { withSentId } from '../../src/connection/sent-id.js';

class Transport implements TransportLike {
  onmessage?: TransportLike['onmessage'];
  readonly sent: unknown[] = [];
  send(message: unknown): unknown {
    this.sent.push(message);
    return 'sent';
  }
}

describe('the id of a request', () => {
  it('is told, of the right method, and the transport is left as it was', async () => {
    const transport = new Transport();
    const tell = vi.fn();
    const result = await withSentId(transport, 'a', tell, async () => {
      transport.send({ method: 'other', id: 1 });
      return transport.send({ method: 'a', id: 2 });
    });
    expect([result, tell.mock.calls]).toEqual(['sent', [[2]]]);
    expect(Object.hasOwn(transport, 'send')).toBe(false);
    expect(transport.sent).toHaveLength(2);
  });

  it('leaves a send that somebody else has put there', async () => {
    const transport = new Transport();
    const own = vi.fn();
    transport.send = own;
    await withSentId(
      transport,
      'a',
      () => {},
      async () => transport.send({ method: 'a', id: 1 }),
    );
    expect(transport.send).toBe(own);
    expect(own).toHaveBeenCalledTimes(1);
  });

  it('is given back when starting throws', () => {
    const transport = new Transport();
    const start = () => {
      throw new Error('at once');
    };
    expect(() => withSentId(transport, 'a', () => {}, start)).toThrow('at once');
    expect(Object.hasOwn(transport, 'send')).toBe(false);
  });

  it.each([
    ['no transport', undefined],
    ['one without send', {}],
    ['a frozen one', Object.freeze(new Transport())],
  ])('with %s the request goes out all the same', async (_, transport) => {
    const tell = vi.fn();
    expect(await withSentId(transport as TransportLike, 'a', tell, async () => 'started')).toBe('started');
    expect(tell).not.toHaveBeenCalled();
  });
});

describe('a connect', () => {
  const clientWith = (connect?: unknown) =>
    ({ connect }) as unknown as McpClientLike & { connect: (x: number) => Promise<string> };

  it('is told after it succeeded, with what it gives and takes untouched', async () => {
    const original = vi.fn(async (x: number) => `connected ${x}`);
    const client = clientWith(original);
    const listener = vi.fn(() => expect(original).toHaveBeenCalled());
    const stop = new ConnectTap(client).add(listener);
    expect(await client.connect(7)).toBe('connected 7');
    expect(listener).toHaveBeenCalledTimes(1);
    stop();
    expect(client.connect).toBe(original);
    await client.connect(8);
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it('that fails is none', async () => {
    const client = clientWith(async () => {
      throw new Error('refused');
    });
    const listener = vi.fn();
    new ConnectTap(client).add(listener);
    await expect(client.connect(1)).rejects.toThrow('refused');
    expect(listener).not.toHaveBeenCalled();
  });

  it('of a prototype is put back by taking ours away; wrapped by others it stays in the chain', async () => {
    class Client {
      async connect(): Promise<void> {}
    }
    const client = new Client();
    const tap = new ConnectTap(client as never);
    const stop = tap.add(() => {});
    expect(Object.hasOwn(client, 'connect')).toBe(true);
    stop();
    expect(Object.hasOwn(client, 'connect')).toBe(false);

    const listener = vi.fn();
    const stopAgain = tap.add(listener);
    const ours = client.connect;
    client.connect = () => ours.call(client);
    stopAgain();
    await client.connect();
    expect(listener).not.toHaveBeenCalled();
    tap.add(listener);
    await client.connect();
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['a client that has none', {}],
    ['a frozen client', Object.freeze({ connect: async () => {} })],
  ])('%s is left alone', (_, client) => {
    expect(() => new ConnectTap(client as never).add(() => {})()).not.toThrow();
  });
});

describe('a handshake', () => {
  const answer = (resources: object) => ({
    id: 0,
    result: { protocolVersion: '2025-11-25', serverInfo: { name: 'x' }, capabilities: { tools: {}, resources } },
  });

  it('is seen once, beside who listened before', () => {
    const transport = new Transport();
    const before = vi.fn();
    transport.onmessage = before;
    const handshakes = new Handshakes();
    handshakes.watch(transport);
    handshakes.watch(transport);
    for (const message of ['text', { result: {} }, answer({ create: true }), answer({ create: false })]) {
      transport.onmessage?.(message);
    }
    expect(before).toHaveBeenCalledTimes(4);
    expect(handshakes.capabilities(transport, undefined)).toEqual({ tools: {}, resources: { create: true } });
  });

  it('counts for another transport only where the server says the same', () => {
    const transport = new Transport();
    const handshakes = new Handshakes();
    handshakes.watch(transport);
    transport.onmessage?.(answer({ create: true, subscribe: true }));
    const seen = handshakes.capabilities(transport, undefined);
    const other = new Transport();
    expect(handshakes.capabilities(other, { tools: {}, resources: { subscribe: true } })).toBe(seen);
    expect(handshakes.capabilities(other, { tools: {}, resources: { subscribe: false } })).toBeUndefined();
    expect(handshakes.capabilities(other, { prompts: {} })).toBeUndefined();
    expect(handshakes.capabilities(other, undefined)).toBeUndefined();
    expect(handshakes.capabilities(undefined, undefined)).toBeUndefined();
  });
});
