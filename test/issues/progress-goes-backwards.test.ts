// AudiusProject/apps#9888, 6529-Collections/6529seize-frontend#1755: after a retry the bytes were counted from 0 again, or a
// second time: the bar jumped back, or past 100 %.
import { expect, test } from 'vitest';
import { createProgress } from '../../src/transfer/progress.js';

test('a second attempt moves the sum neither back nor past the total', () => {
  const seen: number[] = [];
  const files = [
    { pointer: '/a', name: 'a', size: 100 },
    { pointer: '/b', name: 'b', size: 100 },
  ];
  const progress = createProgress(files, ({ sentBytes }) => seen.push(sentBytes));
  for (const bytes of [40, 90, 10, 50, 99, 100]) progress.sent('/a', bytes);
  progress.confirm('/a');
  progress.sent('/a', 5);
  progress.confirm('/a');
  for (const bytes of [60, 3, 100]) progress.sent('/b', bytes);
  progress.confirm('/b');
  expect(seen).toEqual([...seen].sort((one, other) => one - other));
  expect(seen.at(-1)).toBe(200);
});
