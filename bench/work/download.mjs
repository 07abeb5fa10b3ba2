import { ratio, target } from '../lib/goals.mjs';

const MIB = 1024 * 1024;

/** One large file from storage to disk; the library checks its size, writes beside its place and moves it there. */
export async function download(bench) {
  const file = { size: (bench.quick ? 128 : 1024) * MIB };
  const way = name => bench.transfer(`GET ${name}`, { way: name.replaceAll(/[: ]/g, '-'), kind: 'get', files: [file] });
  const rows = await bench.compare([...(bench.hasCurl ? ['curl'] : []), 'library', 'undici fetch'].map(way));
  const speed = other => ratio(rows, 'mibPerSecond', 'GET library', other);
  return {
    id: 'download',
    title: `One file of ${file.size / MIB} MiB from storage to disk`,
    columns: ['mibPerSecond', 'cpuSeconds', 'cpuOfWork', 'peakBytes'],
    rows,
    targets: [
      target('download, speed of curl -o', speed('GET curl'), { goal: 1, least: 0 }),
      target('download, speed of fetch to a file', speed('GET undici fetch'), { goal: 1, least: 0 }),
    ],
  };
}
