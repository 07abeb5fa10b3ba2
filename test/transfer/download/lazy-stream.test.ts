import { describe, expect, it } from 'vitest';
import { type Deliver, lazyStream } from '../../../src/transfer/lazy-stream.js';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const timers = (): number => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length;

/** A stream of these pieces, and how far its production has come. */
function streamOf(pieces: readonly string[], { patience = 0, failure }: { patience?: number; failure?: Error } = {}) {
  const seen: string[] = [];
  const produce = async (deliver: Deliver, cancelled: AbortSignal): Promise<void> => {
    seen.push('started');
    try {
      for (const piece of pieces) {
        if (cancelled.aborted) throw cancelled.reason;
        await Promise.race([
          deliver(bytes(piece)),
          new Promise((_, reject) => cancelled.addEventListener('abort', () => reject(cancelled.reason))),
        ]);
        seen.push(piece);
      }
      if (failure) throw failure;
    } finally {
      seen.push('ended');
    }
  };
  return { seen, stream: lazyStream(produce, patience) };
}

describe('a lazy stream', () => {
  it('gives the pieces in order, as plain Uint8Arrays, and ends', async () => {
    const { stream, seen } = streamOf(['a', 'bc', 'd']);
    const read: Uint8Array[] = [];
    for await (const piece of stream) read.push(piece);
    expect(read.map(piece => Buffer.from(piece).toString())).toEqual(['a', 'bc', 'd']);
    expect(read.every(piece => !Buffer.isBuffer(piece))).toBe(true);
    expect(seen).toEqual(['started', 'a', 'bc', 'd', 'ended']);
  });

  it('starts with the first read, and is never further than one piece ahead', async () => {
    const { stream, seen } = streamOf(['a', 'b', 'c']);
    const reader = stream.getReader();
    await new Promise(resolve => setTimeout(resolve, 20));
    expect(seen).toEqual([]);
    await reader.read();
    await new Promise(resolve => setTimeout(resolve, 20));
    expect(seen).toEqual(['started']);
    await reader.read();
    expect(seen).toEqual(['started', 'a']);
    await reader.cancel();
  });

  it('answers reads that were asked for at once', async () => {
    const reader = streamOf(['a', 'b', 'c']).stream.getReader();
    const read = await Promise.all([1, 2, 3, 4].map(() => reader.read()));
    expect(read.map(({ value, done }) => (done ? null : Buffer.from(value!).toString()))).toEqual([
      'a',
      'b',
      'c',
      null,
    ]);
  });

  it('fails at its end, after the last piece', async () => {
    const failure = new Error('not what was announced');
    const reader = streamOf(['a'], { failure }).stream.getReader();
    expect((await reader.read()).done).toBe(false);
    await expect(reader.read()).rejects.toBe(failure);
  });

  it('without a piece ends, or fails, with the first read', async () => {
    expect((await streamOf([]).stream.getReader().read()).done).toBe(true);
    const failure = new Error('refused');
    await expect(streamOf([], { failure }).stream.getReader().read()).rejects.toBe(failure);
  });

  it('that is cancelled ends the production, and waits for it', async () => {
    const { stream, seen } = streamOf(['a', 'b']);
    const reader = stream.getReader();
    await reader.read();
    await reader.cancel('enough');
    expect(seen).toEqual(['started', 'ended']);
  });

  it('that is cancelled before the first read starts nothing', async () => {
    const { stream, seen } = streamOf(['a']);
    await stream.cancel();
    expect(seen).toEqual([]);
  });

  it('that is read no further fails, and leaves nothing running', async () => {
    const before = timers();
    const { stream, seen } = streamOf(['a', 'b'], { patience: 100 });
    const reader = stream.getReader();
    await reader.read();
    await expect(reader.closed).rejects.toMatchObject({
      code: 'transfer_stalled',
      details: { reason: 'not_read' },
      failures: [{ reason: 'not_read' }],
    });
    expect(seen).toEqual(['started', 'ended']);
    expect(timers()).toBeLessThanOrEqual(before);
  });

  it('that is read to its end or cancelled leaves no timer', async () => {
    const before = timers();
    for await (const _ of streamOf(['a', 'b'], { patience: 100_000 }).stream);
    const { stream } = streamOf(['a', 'b'], { patience: 100_000 });
    const reader = stream.getReader();
    await reader.read();
    await reader.cancel();
    expect(timers()).toBeLessThanOrEqual(before);
  });

  it('can be split, and read as a body', async () => {
    const [one, two] = streamOf(['a', 'b']).stream.tee();
    expect(await Promise.all([new Response(one).text(), new Response(two).text()])).toEqual(['ab', 'ab']);
  });
});
