import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JsonObject, McpPort } from '../../src/connection/index.js';
import { ModernWire } from '../../src/resources/modern-wire.js';

interface FakeStream {
  readonly filter: JsonObject;
  open: boolean;
  /** The server or the network ends it. */
  end(cause: 'remote' | 'graceful'): void;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A port whose streams are looked at from outside; `fail` makes the next ones impossible. */
function fakePort() {
  const streams: FakeStream[] = [];
  const state = { fail: 0, honor: undefined as JsonObject | undefined, hold: undefined as Promise<void> | undefined };
  const listen = async (filter: JsonObject) => {
    await state.hold;
    if (state.fail > 0) {
      state.fail -= 1;
      throw new Error('no stream');
    }
    let settle = (_: unknown): void => {};
    const closed = new Promise(resolve => {
      settle = resolve;
    });
    const stream: FakeStream = {
      filter,
      open: true,
      end(cause) {
        stream.open = false;
        settle(cause);
      },
    };
    streams.push(stream);
    const close = async (): Promise<void> => {
      stream.open = false;
      settle('local');
    };
    return { closed, close, honoredFilter: state.honor ?? filter };
  };
  return { port: { listen, connected: true } as unknown as McpPort & { connected: boolean }, streams, state };
}

function wireFor(port: McpPort, uris: Set<string>, list = { on: false }) {
  const log = vi.fn();
  return {
    log,
    wire: new ModernWire(port, { wanted: () => ({ uris: new Set(uris), list: list.on }), send: vi.fn(), log }),
  };
}

describe('one stream for everything', () => {
  it('is opened anew before the old one is closed, and not without need', async () => {
    const { port, streams } = fakePort();
    const uris = new Set(['x:1']);
    const list = { on: false };
    const { wire } = wireFor(port, uris, list);
    await wire.sync();
    await wire.sync();
    expect(streams.map(({ filter }) => filter)).toEqual([{ resourceSubscriptions: ['x:1'] }]);
    uris.add('x:2');
    list.on = true;
    await wire.sync();
    expect(streams.map(({ open }) => open)).toEqual([false, true]);
    expect(streams[1]?.filter).toEqual({ resourceSubscriptions: ['x:1', 'x:2'], resourcesListChanged: true });
    expect([wire.has('x:2'), wire.has('x:3')]).toEqual([true, false]);
    uris.clear();
    list.on = false;
    await wire.sync();
    expect(streams).toHaveLength(2);
    expect(streams.map(({ open }) => open)).toEqual([false, false]);
  });

  it('serves everybody who comes while one is opened with the next', async () => {
    const { port, streams, state } = fakePort();
    let release = (): void => {};
    state.hold = new Promise<void>(resolve => {
      release = resolve;
    });
    const uris = new Set(['x:1']);
    const { wire } = wireFor(port, uris);
    const syncs = [wire.sync()];
    // The first has begun.
    await Promise.resolve();
    for (const uri of ['x:2', 'x:3', 'x:4']) {
      uris.add(uri);
      syncs.push(wire.sync());
    }
    release();
    await Promise.all(syncs);
    expect(streams.map(({ filter }) => (filter.resourceSubscriptions as string[]).length)).toEqual([1, 4]);
  });

  it('keeps the old one where a new one cannot be had', async () => {
    const { port, streams, state } = fakePort();
    const uris = new Set(['x:1']);
    const { wire } = wireFor(port, uris);
    await wire.sync();
    uris.add('x:2');
    state.fail = 1;
    await expect(wire.sync()).rejects.toThrow('no stream');
    expect([streams[0]?.open, wire.has('x:1'), wire.has('x:2')]).toEqual([true, true, false]);
  });

  it('has what the server honors, and no more', async () => {
    const { port, state } = fakePort();
    state.honor = { resourceSubscriptions: ['x:2'] };
    const { wire } = wireFor(port, new Set(['x:1', 'x:2']));
    await wire.sync();
    expect([wire.has('x:1'), wire.has('x:2')]).toEqual([false, true]);
  });
});

describe('a stream that ends by itself', () => {
  it.each(['remote', 'graceful'] as const)('is opened again after a while (%s)', async cause => {
    const { port, streams, state } = fakePort();
    const { wire, log } = wireFor(port, new Set(['x:1']));
    await wire.sync();
    state.fail = 2;
    streams[0]?.end(cause);
    await vi.advanceTimersByTimeAsync(499);
    expect(streams).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1 + 1000 + 2000);
    expect(streams).toHaveLength(2);
    expect(wire.has('x:1')).toBe(true);
    expect(log.mock.calls.map(([event]) => event.type)).toEqual(['subscription_lost', 'subscription_restored']);
  });

  it('is given up after seven tries, and said so', async () => {
    const { port, streams, state } = fakePort();
    const { wire, log } = wireFor(port, new Set(['x:1']));
    await wire.sync();
    state.fail = 100;
    streams[0]?.end('remote');
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(state.fail).toBe(93);
    expect(log.mock.calls.at(-1)?.[0]).toMatchObject({ type: 'warning' });
  });

  it('is not tried for when the client is not connected any more, and no timer waits', async () => {
    const { port, streams } = fakePort();
    const { wire } = wireFor(port, new Set(['x:1']));
    await wire.sync();
    Object.assign(port, { connected: false });
    streams[0]?.end('remote');
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(0);
    expect(wire.has('x:1')).toBe(false);
  });

  it.each(['drop', 'close'] as const)('is left alone after %s, without a timer', async how => {
    const { port, streams } = fakePort();
    const { wire } = wireFor(port, new Set(['x:1']));
    await wire.sync();
    streams[0]?.end('remote');
    await vi.advanceTimersByTimeAsync(1);
    await wire[how]();
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(streams).toHaveLength(1);
  });
});
