import { medianOf, ratio, target } from '../lib/goals.mjs';

/** What happens before a byte moves: files found in the arguments, opened, measured, and the way of each decided. */
export async function preparing(bench) {
  const paths = bench.files(1000, 1024).map(({ path }) => path);
  const plan = count => bench.own(`${count}`, { way: 'prepare', kind: 'plan', paths, count });
  const rows = await bench.compare((bench.quick ? [1000, 10_000] : [1, 10, 100, 1000, 10_000]).map(plan));
  return {
    id: 'preparing',
    title: 'File arguments prepared and planned, until the first request of the call',
    columns: ['milliseconds', 'cpuSeconds', 'peakBytes'],
    rows,
    targets: [
      target('10,000 file arguments, time of 1,000', ratio(rows, 'milliseconds', '10000', '1000'), {
        goal: 10,
        least: 12,
        atMost: true,
      }),
    ],
  };
}

export async function importing(bench) {
  const rows = await bench.compare([bench.own('library', { way: 'import', kind: 'library' })], bench.rounds * 3);
  return {
    id: 'importing',
    title: 'Importing the library',
    columns: ['milliseconds', 'peakBytes'],
    rows,
    targets: [
      target('importing, ms', medianOf(rows, 'library', 'milliseconds'), { goal: 15, least: 30, atMost: true }),
    ],
  };
}
