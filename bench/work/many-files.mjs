import { medianOf, ratio, target } from '../lib/goals.mjs';

const KIB = 1024;

/** Many files at once against a storage that thinks for 20 ms about each. */
export async function manyFiles(bench) {
  const files = bench.files(bench.quick ? 200 : 2000, 256 * KIB);
  const shared = { files, concurrency: 16, delay: 20 };
  const rows = await bench.compare([
    ...(bench.hasCurl ? [bench.transfer('curl', shared)] : []),
    ...['library', 'got', 'axios'].map(way => bench.transfer(way, shared)),
    bench.transfer('node:http', { way: 'node-http', ...shared }),
    bench.transfer('undici fetch', { way: 'undici-fetch', ...shared }),
  ]);
  return {
    id: 'many-files',
    title: `${files.length} files of 256 KiB, 16 at once, 20 ms of server time each`,
    columns: ['seconds', 'cpuSeconds', 'peakBytes', 'connections'],
    rows,
    targets: [
      target('many files, speed of curl -Z', 1 / ratio(rows, 'seconds', 'library', 'curl'), { goal: 1, least: 0.9 }),
    ],
  };
}

/** Files that come one by one, a call for each: the connection is kept. */
export async function oneByOne(bench) {
  const files = bench.files(bench.quick ? 50 : 200, 256 * KIB);
  const rows = await bench.compare([
    ...(bench.hasCurl ? [bench.transfer('curl', { files })] : []),
    ...['library', 'got', 'axios'].map(way => bench.transfer(way, { files })),
    bench.transfer('node:http', { way: 'node-http', files }),
  ]);
  return {
    id: 'one-by-one',
    title: `${files.length} files of 256 KiB, one after another (the library with a tool call for each)`,
    columns: ['seconds', 'cpuSeconds', 'peakBytes', 'connections'],
    rows,
    targets: [
      target('connections for files in turn', medianOf(rows, 'library', 'connections'), { goal: 1, atMost: true }),
    ],
  };
}
