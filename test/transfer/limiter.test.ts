import { getEventListeners } from 'node:events';
import { beforeAll, describe, expect, it } from 'vitest';
import { createLimiter } from '../../src/transfer/limiter.js';
import { failure } from './support/upload.js';

function gate() {
  let open = (): void => {};
  const opened = new Promise<void>(resolve => {
    open = resolve;
  });
  return { open, opened };
}

const settled = () => new Promise(resolve => setTimeout(resolve, 20));

// The limiter loads p-limit with its first task.
beforeAll(() => import('p-limit'));

describe('the limiter', () => {
  it('runs so many tasks at once, first come first served', async () => {
    const { signal } = new AbortController();
    const limit = createLimiter(2);
    const gates = [gate(), gate(), gate(), gate()];
    const started: number[] = [];
    const all = gates.map(({ opened }, i) =>
      limit(signal, async () => {
        started.push(i);
        await opened;
        return i;
      }),
    );
    await settled();
    expect(started).toEqual([0, 1]);
    gates[1]!.open();
    await settled();
    expect(started).toEqual([0, 1, 2]);
    for (const { open } of gates) open();
    expect(await Promise.all(all)).toEqual([0, 1, 2, 3]);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('frees the place of a task that failed', async () => {
    const { signal } = new AbortController();
    const limit = createLimiter(1);
    await expect(limit(signal, () => Promise.reject(new Error('x')))).rejects.toThrow('x');
    expect(await limit(signal, async () => 'next')).toBe('next');
  });

  it('lets go of one that is aborted while it waits, at once, and passes its turn on', async () => {
    const limit = createLimiter(1);
    const { signal } = new AbortController();
    const caller = new AbortController();
    const { open, opened } = gate();
    const ran: string[] = [];
    const first = limit(signal, () => opened);
    const second = failure(limit(caller.signal, async () => ran.push('second')));
    const third = limit(signal, async () => ran.push('third'));
    await settled();
    caller.abort('r');
    expect(await second).toMatchObject({ code: 'aborted', cause: 'r' });
    expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
    open();
    await first;
    await third;
    expect(ran).toEqual(['third']);
  });

  it('does not begin what was aborted before', async () => {
    const limit = createLimiter(1);
    expect(await failure(limit(AbortSignal.abort('r'), async () => 1))).toMatchObject({ code: 'aborted', cause: 'r' });
  });
});
