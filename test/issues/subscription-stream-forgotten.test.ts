// Whoever changed what was listened to in the moment between two openings of the stream opened a second one beside the next:
// one of them was forgotten, so each change came twice, and close() left a stream open.
import { afterEach, expect, test, vi } from 'vitest';
import type { JsonObject, McpPort } from '../../src/connection/index.js';
import { ModernWire } from '../../src/resources/modern-wire.js';
import { startReferenceServer } from '../../src/testing/index.js';
import { connect } from '../support/clients.js';

afterEach(() => void vi.useRealTimers());

const ticks = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await Promise.resolve();
};

/** A wire whose streams are counted; `endsAtOnce`: that many are closed by the server as soon as they are open. */
function counted({ endsAtOnce = 0 } = {}) {
  const uris = new Set<string>();
  const streams = { open: 0, opened: 0 };
  const listen = async (honoredFilter: JsonObject) => {
    await ticks(3);
    streams.open += 1;
    streams.opened += 1;
    let settle = (_: string): void => {};
    const closed = new Promise<string>(resolve => {
      settle = cause => {
        streams.open -= 1;
        settle = () => {};
        resolve(cause);
      };
    });
    if (streams.opened <= endsAtOnce) settle('remote');
    return { honoredFilter, closed, close: async () => settle('local') };
  };
  const port = { listen, connected: true } as unknown as McpPort;
  const context = { wanted: () => ({ uris: new Set(uris), list: false }), send: vi.fn(), log: vi.fn() };
  return { wire: new ModernWire(port, context), uris, streams };
}

test.each([...Array(12).keys()])('a change %d steps after two others finds no gap', async steps => {
  const { wire, uris, streams } = counted();
  const syncs = [wire.sync(), wire.sync()];
  await ticks(steps);
  uris.add('x:1');
  syncs.push(wire.sync());
  await ticks(1);
  uris.add('x:2');
  syncs.push(wire.sync());
  await Promise.all(syncs);
  expect([streams.open, wire.has('x:1'), wire.has('x:2')]).toEqual([1, true, true]);
  await wire.close();
  expect(streams.open).toBe(0);
});

test('close waits for what is queued, and nothing is opened after it', async () => {
  const { wire, uris, streams } = counted();
  uris.add('x:1');
  const syncs = [wire.sync()];
  await ticks(1);
  uris.add('x:2');
  syncs.push(wire.sync());
  await Promise.all([wire.close(), Promise.allSettled(syncs)]);
  await wire.sync().catch(() => {});
  await ticks(20);
  expect(streams.open).toBe(0);
});

test('a stream that has ended before it was looked at is opened again', async () => {
  vi.useFakeTimers();
  const { wire, uris, streams } = counted({ endsAtOnce: 1 });
  uris.add('x:1');
  await wire.sync();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([streams.open, streams.opened]).toEqual([1, 2]);
  await wire.close();
});

test.each([...Array(14).keys()])('one stream and one event a change, with another after %d steps', async steps => {
  await using server = await startReferenceServer();
  await using host = await connect('v2 modern', server.url);
  const { files } = host;
  const mcp = host.mcp as unknown as { listen(...given: unknown[]): Promise<{ closed: Promise<unknown> }> };
  const listen = mcp.listen.bind(mcp);
  let open = 0;
  mcp.listen = async (...given) => {
    const stream = await listen(...given);
    open += 1;
    const ended = (): void => {
      open -= 1;
    };
    stream.closed.then(ended, ended);
    return stream;
  };
  const one = 'reference:///numbers/1';
  await files.resources.subscribe(one, () => {});
  const again = [files.resources.subscribe(one, () => {}), files.resources.subscribe(one, () => {})];
  await ticks(steps);
  const told = vi.fn();
  const both = [files.resources.subscribe('reference:///numbers/2', told), files.resources.resubscribe()];
  files.resources.onListChanged(() => {});
  await Promise.all([...again, ...both, files.resources.resubscribe()]);
  await vi.waitFor(() => expect(open).toBe(1));
  const last = vi.fn();
  await files.resources.subscribe('reference:///welcome', last);
  server.touchResource('reference:///numbers/2');
  server.touchResource('reference:///welcome');
  await vi.waitFor(() => expect(last).toHaveBeenCalled());
  expect(told).toHaveBeenCalledTimes(1);
  await files.close();
  await vi.waitFor(() => expect(open).toBe(0));
});
