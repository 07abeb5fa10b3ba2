import { medianOf, target } from '../lib/goals.mjs';

const MIB = 1024 * 1024;
const PARALLEL = 6;

/** Peak memory of the client process: it must not grow with the file, and hardly with the number of transfers at once. */
export async function memory(bench) {
  const [small, large] = bench.quick ? [128, 512] : [1024, 4096];
  const one = files => ({ way: 'library', files });
  const rows = await bench.compare([
    bench.own('a host that is connected, no more', { way: 'library', kind: 'connectOnly' }),
    bench.transfer('1 MiB', one([bench.file(MIB)])),
    bench.transfer(`${small} MiB`, one([bench.file(small * MIB)])),
    bench.transfer(`${large} MiB`, one([bench.file(large * MIB)])),
    bench.transfer(`${PARALLEL} x ${small} MiB at once`, {
      way: 'library',
      files: Array(PARALLEL).fill(bench.file(small * MIB)),
      concurrency: PARALLEL,
    }),
  ]);
  const peaks = rows.slice(2).map(({ name }) => medianOf(rows, name, 'peakBytes') / MIB);
  // Against the larger file: what V8's heap grows to while gigabytes pass is not the transfers' own.
  const added = (peaks[2] - peaks[1]) / (PARALLEL - 1);
  return {
    id: 'memory',
    title: 'Peak memory of the process that sends',
    columns: ['peakBytes', 'mibPerSecond', 'cpuSeconds', 'cpuOfWork'],
    rows,
    targets: [
      target(`peak MiB, ${small} MiB`, peaks[0], { goal: 100, least: 140, atMost: true }),
      target(`peak MiB, ${large} MiB`, peaks[1], { goal: 100, least: 140, atMost: true }),
      target('MiB that each further transfer at once adds', added, { goal: 2, atMost: true }),
    ],
  };
}
