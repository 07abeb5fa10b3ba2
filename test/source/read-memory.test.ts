import { describe, expect, it } from 'vitest';
import { MemoryPool } from '../../src/source/read-memory.js';

describe('memory that is used again', () => {
  it('goes to the next who asks once it is given back unread, as long as some is in use', () => {
    const pool = new MemoryPool(8);
    const [kept, first] = [pool.take(), pool.take()];
    expect(first).not.toBe(kept);
    pool.giveBack(first, true);
    expect(pool.take()).toBe(first);
  });

  it('is never given out again while something may still read from it', () => {
    const pool = new MemoryPool(8);
    const [, first] = [pool.take(), pool.take()];
    pool.giveBack(first, false);
    expect(pool.take()).not.toBe(first);
  });

  it('is not kept when none is in use, however the last was given back', () => {
    for (const unread of [true, false]) {
      const pool = new MemoryPool(8);
      const [first, last] = [pool.take(), pool.take()];
      pool.giveBack(first, true);
      pool.giveBack(last, unread);
      const next = pool.take();
      expect(next).not.toBe(first);
      expect(next).not.toBe(last);
    }
  });
});
