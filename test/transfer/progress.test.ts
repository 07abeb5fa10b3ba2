import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createProgress, type ProgressEvent } from '../../src/transfer/progress.js';

const files = [
  { pointer: '/a', name: 'a.txt', size: 100 },
  { pointer: '/b', name: 'b.txt', size: 50 },
];

/** A meter with a listener, and what it has heard last. */
function heardMeter(list: Parameters<typeof createProgress>[0] = files) {
  const events: ProgressEvent[] = [];
  const meter = createProgress(list, event => events.push(event));
  return { meter, events, sent: () => events.at(-1)?.sentBytes ?? 0 };
}

describe('progress', () => {
  it('sums the files, names the one that moved, and holds the last byte back until it is confirmed', () => {
    const events: ProgressEvent[] = [];
    let now = 0;
    const meter = createProgress(
      files,
      event => events.push(event),
      () => now,
    );
    meter.phase('uploading');
    meter.sent('/a', 40);
    now = 1_000;
    meter.sent('/b', 50);
    meter.sent('/a', 100);
    now = 2_000;
    meter.confirm('/b');
    meter.confirm('/a');
    meter.phase('calling');
    const totals = { totalBytes: 150 };
    expect(events).toEqual([
      { phase: 'uploading', sentBytes: 0, ...totals, files: { done: 0, total: 2 }, bytesPerSecond: 0 },
      {
        phase: 'uploading',
        pointer: '/a',
        name: 'a.txt',
        sentBytes: 40,
        ...totals,
        files: { done: 0, total: 2 },
        bytesPerSecond: 0,
      },
      {
        phase: 'uploading',
        pointer: '/b',
        name: 'b.txt',
        sentBytes: 89,
        ...totals,
        files: { done: 0, total: 2 },
        bytesPerSecond: 89,
      },
      {
        phase: 'uploading',
        pointer: '/a',
        name: 'a.txt',
        sentBytes: 148,
        ...totals,
        files: { done: 0, total: 2 },
        bytesPerSecond: 148,
      },
      {
        phase: 'uploading',
        pointer: '/b',
        name: 'b.txt',
        sentBytes: 149,
        ...totals,
        files: { done: 1, total: 2 },
        bytesPerSecond: 75,
      },
      {
        phase: 'uploading',
        pointer: '/a',
        name: 'a.txt',
        sentBytes: 150,
        ...totals,
        files: { done: 2, total: 2 },
        bytesPerSecond: 75,
      },
      { phase: 'calling', sentBytes: 150, ...totals, files: { done: 2, total: 2 }, bytesPerSecond: 75 },
    ]);
  });

  it('does not go back when a transfer begins again', () => {
    const { meter, sent } = heardMeter();
    meter.sent('/a', 60);
    meter.sent('/a', 0);
    meter.sent('/a', 20);
    expect(sent()).toBe(60);
    meter.sent('/a', 70);
    expect(sent()).toBe(70);
  });

  it('never decreases, never exceeds the total, and reaches it with the last confirmation only', () => {
    const step = fc.record({
      file: fc.nat(2),
      bytes: fc.integer({ min: -5, max: 200 }),
      confirm: fc.boolean(),
    });
    const sizes = fc.tuple(fc.nat(100), fc.nat(100), fc.integer({ min: 1, max: 100 }));
    fc.assert(
      fc.property(sizes, fc.array(step, { maxLength: 40 }), (given, steps) => {
        const set = given.map((size, i) => ({ pointer: `/${i}`, name: 'x', size }));
        const total = given.reduce((sum, size) => sum + size, 0);
        const confirmed = new Set<number>();
        const { meter, events, sent } = heardMeter(set);
        for (const { file, bytes, confirm } of steps) {
          if (confirm) {
            confirmed.add(file);
            meter.confirm(`/${file}`);
          } else meter.sent(`/${file}`, bytes);
          expect(events.at(-1)?.files.done ?? 0).toBe(confirmed.size);
          const all = given.every((size, i) => size === 0 || confirmed.has(i));
          expect(sent() === total).toBe(all);
        }
        // Not in the listener, whose failures nobody hears of.
        for (const [index, { sentBytes }] of events.entries()) {
          expect(sentBytes).toBeGreaterThanOrEqual(events[index - 1]?.sentBytes ?? 0);
          expect(sentBytes).toBeLessThanOrEqual(total);
        }
      }),
    );
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('x');
      },
    ],
    [
      'rejects',
      async () => {
        throw new Error('x');
      },
    ],
  ])('is not disturbed by a listener that %s', async (_, listener) => {
    const sent: number[] = [];
    const meter = createProgress(files, event => {
      sent.push(event.sentBytes);
      return listener();
    });
    meter.phase('uploading');
    meter.sent('/a', 10);
    meter.confirm('/a');
    await new Promise(resolve => setImmediate(resolve)); // an unhandled rejection would end the test run
    expect(sent).toEqual([0, 10, 100]);
  });

  it('ignores files that it does not know', () => {
    const { meter, events } = heardMeter();
    meter.sent('/c', 10);
    meter.confirm('/c');
    expect(events).toEqual([]);
  });
});
