import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startReferenceServer } from '../../src/testing/index.js';
import { connect, FLAVOURS } from '../support/clients.js';
import { type Json, rpcError, scripted, thrown } from './scripted.js';

const hosts: AsyncDisposable[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host[Symbol.asyncDispose]();
});

async function host(...parameters: Parameters<typeof scripted>) {
  const made = await scripted(...parameters);
  hosts.push(made);
  return made;
}

const UPDATED = 'notifications/resources/updated';
const update = (uri: string) => ({ method: UPDATED, params: { uri } });
const settled = (): Promise<void> => new Promise(resolve => setTimeout(resolve));

describe.each(['v2 legacy', 'v1'] as const)('%s on the wire', flavour => {
  it('asks once for one resource, however many listen, and stops with the last', async () => {
    const { files, requests } = await host(flavour, () => ({}));
    const subscriptions = await Promise.all([1, 2, 3].map(() => files.resources.subscribe('x:1', () => {})));
    await files.resources.subscribe('x:2', () => {});
    expect(requests.map(({ method, params }) => [method, params.uri])).toEqual([
      ['resources/subscribe', 'x:1'],
      ['resources/subscribe', 'x:2'],
    ]);
    for (const each of subscriptions) await each.unsubscribe();
    expect(requests.slice(2)).toEqual([{ method: 'resources/unsubscribe', params: { uri: 'x:1' } }]);
  });

  it('a change of mind ends as it was meant', async () => {
    let release = (): void => {};
    const held = new Promise<void>(resolve => {
      release = resolve;
    });
    const { files, requests } = await host(flavour, async () => {
      await held;
      return {};
    });
    const controller = new AbortController();
    const first = thrown(files.resources.subscribe('x:1', () => {}, { signal: controller.signal }));
    await vi.waitFor(() => expect(requests).toHaveLength(1));
    controller.abort();
    expect(await first).toMatchObject({ code: 'aborted' });
    release();
    await vi.waitFor(() => expect(requests.at(-1)?.method).toBe('resources/unsubscribe'));
    const listener = vi.fn();
    await files.resources.subscribe('x:1', listener);
    expect(requests.map(({ method }) => method)).toEqual([
      'resources/subscribe',
      'resources/unsubscribe',
      'resources/subscribe',
    ]);
    files.resources.notify(update('x:1'));
    expect(listener).toHaveBeenCalledTimes(1);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  it.each([
    [-32602, 'resource_not_found'],
    [-32002, 'resource_not_found'],
    [-32601, 'resource_unsupported'],
  ])('answered with %d it is %s, and nothing is kept', async (code, name) => {
    const { files } = await host(flavour, () => {
      throw rpcError(code, 'no');
    });
    const listener = vi.fn();
    expect(await thrown(files.resources.subscribe('x:1', listener))).toMatchObject({ code: name });
    files.resources.notify(update('x:1'));
    expect(listener).not.toHaveBeenCalled();
  });

  it('one that fails does not keep another waiting', async () => {
    const { files } = await host(flavour, (_, { uri }) => (uri === 'x:slow' ? new Promise<Json>(() => {}) : {}));
    const slow = thrown(files.resources.subscribe('x:slow', () => {}));
    await files.resources.subscribe('x:1', () => {});
    await files.close();
    expect(await slow).toMatchObject({ code: 'aborted' });
  });

  it('is told again when the same client connects again, and by resubscribe', async () => {
    const { files, requests, reconnect } = await host(flavour, () => ({}));
    await files.resources.subscribe('x:1', () => {});
    const ended = await files.resources.subscribe('x:2', () => {});
    await ended.unsubscribe();
    requests.length = 0;
    await reconnect();
    await vi.waitFor(() => expect(requests).toEqual([{ method: 'resources/subscribe', params: { uri: 'x:1' } }]));
    await files.resources.resubscribe();
    expect(requests).toHaveLength(2);
    await files.close();
    expect(requests.at(-1)).toEqual({ method: 'resources/unsubscribe', params: { uri: 'x:1' } });
    expect(requests).toHaveLength(3);
  });

  it('leaves the client as it was', async () => {
    const { files, mcp, reconnect, requests } = await host(flavour, () => ({}));
    const before = Object.getOwnPropertyNames(mcp);
    const { signal } = new AbortController();
    const subscription = await files.resources.subscribe('x:1', () => {}, { signal });
    await files.resources.subscribe('x:2', () => {}, { signal });
    await subscription.unsubscribe();
    await files.close();
    expect(Object.getOwnPropertyNames(mcp)).toEqual(before);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    requests.length = 0;
    await reconnect();
    expect(requests).toEqual([]);
  });
});

describe('listeners', () => {
  it('are told of what lies below, and of nothing else', async () => {
    const { files } = await host('v1', () => ({}));
    const folder = vi.fn();
    const file = vi.fn();
    await files.resources.subscribe('file:///a', folder);
    await files.resources.subscribe('file:///ab', file);
    for (const uri of ['file:///a', 'file:///a/b', 'file:///ab', 'file:///']) files.resources.notify(update(uri));
    expect(folder.mock.calls).toEqual([[{ uri: 'file:///a' }], [{ uri: 'file:///a/b' }]]);
    expect(file.mock.calls).toEqual([[{ uri: 'file:///ab' }]]);
  });

  it('that throw, reject or take long harm no other', async () => {
    const { files } = await host('v1', () => ({}));
    const last = vi.fn();
    await files.resources.subscribe('x:1', () => {
      throw new Error('thrown');
    });
    await files.resources.subscribe('x:1', (() => Promise.reject(new Error('rejected'))) as never);
    await files.resources.subscribe('x:1', (() => new Promise(() => {})) as never);
    await files.resources.subscribe('x:1', last);
    files.resources.notify(update('x:1'));
    expect(last).toHaveBeenCalledTimes(1);
    await settled();
  });

  it('are not told by notify of what is no change', async () => {
    const { files } = await host('v1', () => ({}));
    const listener = vi.fn();
    await files.resources.subscribe('x:1', listener);
    files.resources.notify({ method: UPDATED });
    files.resources.notify({ method: UPDATED, params: { uri: 7 } });
    files.resources.notify({ method: 'notifications/progress', params: { uri: 'x:1' } });
    expect(listener).not.toHaveBeenCalled();
  });
});

describe.each(FLAVOURS)('%s', flavour => {
  const subscribed = 'reference:///welcome';

  it('counts a notification once that the host hands over too', async () => {
    await using server = await startReferenceServer();
    await using client = await connect(flavour, server.url);
    const listener = vi.fn();
    const other = vi.fn();
    await client.files.resources.subscribe(subscribed, listener);
    await client.files.resources.subscribe('reference:///pixel.png', other);
    const notify = (notification: object) => client.files.resources.notify(notification as never);
    if (flavour === 'v1') {
      const { ResourceUpdatedNotificationSchema } = await import('@modelcontextprotocol/sdk/types.js');
      (
        client.mcp as never as { setNotificationHandler(schema: unknown, handler: unknown): void }
      ).setNotificationHandler(ResourceUpdatedNotificationSchema, notify);
    } else
      (
        client.mcp as never as { setNotificationHandler(method: string, handler: unknown): void }
      ).setNotificationHandler(UPDATED, notify);
    server.touchResource(subscribed);
    server.touchResource('reference:///pixel.png');
    await vi.waitFor(() => expect(other).toHaveBeenCalledTimes(1));
    await settled();
    expect(listener).toHaveBeenCalledTimes(1);
    // By hand, later: one of its own.
    client.files.resources.notify(update(subscribed));
    expect(listener).toHaveBeenCalledTimes(2);
  });

  it('goes on over a new connection of the same client', async () => {
    await using server = await startReferenceServer();
    await using client = await connect(flavour, server.url);
    const listener = vi.fn();
    await client.files.resources.subscribe(subscribed, listener);
    await client.mcp.close();
    await client.connectAgain();
    await vi.waitFor(() => {
      server.touchResource(subscribed);
      expect(listener).toHaveBeenCalled();
    });
  });

  it('ends with its signal', async () => {
    await using server = await startReferenceServer();
    await using client = await connect(flavour, server.url);
    const controller = new AbortController();
    const ending = vi.fn();
    const staying = vi.fn();
    await client.files.resources.subscribe(subscribed, ending, { signal: controller.signal });
    await client.files.resources.subscribe(subscribed, staying);
    controller.abort();
    server.touchResource(subscribed);
    await vi.waitFor(() => expect(staying).toHaveBeenCalledTimes(1));
    expect(ending).not.toHaveBeenCalled();
  });

  it('is refused where the server has no subscriptions', async () => {
    await using server = await startReferenceServer({ resources: 'off' });
    await using client = await connect(flavour, server.url);
    expect(await thrown(client.files.resources.subscribe('x:1', () => {}))).toMatchObject({
      code: 'resource_unsupported',
    });
  });
});

it('v2 modern opens one stream for everything, and a new one when it is lost', async () => {
  await using server = await startReferenceServer();
  await using client = await connect('v2 modern', server.url);
  const streams: Json[] = [];
  const original = (client.mcp as Json).listen;
  (client.mcp as Json).listen = async function (...parameters: unknown[]) {
    const stream = await original.apply(this, parameters);
    streams.push({ filter: parameters[0], stream });
    return stream;
  };
  const listener = vi.fn();
  await client.files.resources.subscribe('reference:///welcome', listener);
  await Promise.all(
    ['a', 'b', 'c'].map(each => client.files.resources.subscribe(`reference:///echo/${each}`, listener)),
  );
  expect(streams.length).toBeLessThanOrEqual(3);
  expect(streams.at(-1)?.filter.resourceSubscriptions).toHaveLength(4);
  expect(await streams[0]?.stream.closed).toBe('local');

  const before = streams.length;
  await client.files.resources.resubscribe();
  expect(streams.length).toBe(before + 1);
  server.touchResource('reference:///welcome');
  await vi.waitFor(() => expect(listener).toHaveBeenCalledTimes(1));
  await client.files.close();
  expect(await streams.at(-1)?.stream.closed).toBe('local');
});
