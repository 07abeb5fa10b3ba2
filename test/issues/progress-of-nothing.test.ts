// 6529-Collections/6529seize-frontend#1755: with a file of no bytes the percentage was 0 / 0, and the bar never ended.
import { expect, test } from 'vitest';
import { createProgress, type ProgressEvent } from '../../src/transfer/progress.js';

test('an empty file is complete when it is confirmed, and no number is NaN or infinite', () => {
  const seen: ProgressEvent[] = [];
  const files = [{ pointer: '/a', name: 'a', size: 0 }];
  const progress = createProgress(
    files,
    event => seen.push(event),
    () => 7,
  );
  progress.phase('uploading');
  progress.sent('/a', 0);
  progress.confirm('/a');
  expect(seen.at(-1)).toMatchObject({ sentBytes: 0, totalBytes: 0, files: { done: 1, total: 1 }, bytesPerSecond: 0 });
  for (const { sentBytes, bytesPerSecond } of seen)
    expect([sentBytes, bytesPerSecond].every(Number.isFinite)).toBe(true);
});
