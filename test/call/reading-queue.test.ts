import { describe, expect, it } from 'vitest';
import { ReadingQueue } from '../../src/call/reading-queue.js';
import type { PlannedFile } from '../../src/source/index.js';

/** Files that note when they are read ahead, and when what was read is let go. */
function files(count: number, { large = [] as number[] } = {}) {
  const events: string[] = [];
  const list = Array.from({ length: count }, (_, index) =>
    large.includes(index)
      ? {}
      : {
          async readAhead() {
            events.push(`read ${index}`);
            return () => void events.push(`let go ${index}`);
          },
        },
  );
  return { events, list: list as unknown as PlannedFile[] };
}

describe('reading the next file while others wait for their answers', () => {
  it('reads the next without a turn, one for each that was sent', () => {
    const { events, list } = files(5);
    const queue = new ReadingQueue(list);
    queue.began();
    queue.began();
    expect(events).toEqual([]);
    queue.readNext();
    expect(events).toEqual(['read 2']);
    queue.readNext();
    queue.began();
    queue.readNext();
    expect(events).toEqual(['read 2', 'read 3', 'read 4']);
    queue.readNext();
    expect(events).toHaveLength(3);
  });

  it('passes over what got its turn meanwhile, and what has nothing to read ahead', () => {
    const { events, list } = files(4, { large: [2] });
    const queue = new ReadingQueue(list);
    for (let turns = 0; turns < 2; turns++) queue.began();
    queue.readNext();
    expect(events).toEqual([]);
    queue.began();
    queue.readNext();
    expect(events).toEqual(['read 3']);
  });

  it('lets everything go that was read, when all have ended', async () => {
    const { events, list } = files(3);
    const queue = new ReadingQueue(list);
    queue.readNext();
    queue.readNext();
    await queue.close();
    expect(events).toEqual(['read 0', 'read 1', 'let go 0', 'let go 1']);
  });
});
