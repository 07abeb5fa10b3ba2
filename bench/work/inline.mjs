import { medianOf, ratio, target } from '../lib/goals.mjs';

const KIB = 1024;
const MIB = 1024 * KIB;

/** A small file in a call, against the same call written by hand for the SDK. */
export async function inlineCall(bench) {
  const job = { way: 'inline', calls: bench.quick ? 200 : 1000, size: KIB, path: bench.file(KIB).path };
  const rows = await bench.compare(
    [
      bench.own('by hand, bytes', { kind: 'byHand', from: 'bytes', ...job }),
      bench.own('library, bytes', { kind: 'library', from: 'bytes', ...job }),
      bench.own('by hand, path', { kind: 'byHand', from: 'path', ...job }),
      bench.own('library, path', { kind: 'library', from: 'path', ...job }),
    ],
    bench.quick ? bench.rounds : bench.rounds + 4,
  );
  return {
    id: 'inline-call',
    title: 'A call with 1 KiB inline',
    columns: ['microseconds', 'cpuSeconds', 'peakBytes'],
    rows,
    targets: [
      target(
        '1 KiB inline call, time of one by hand',
        ratio(rows, 'microseconds', 'library, bytes', 'by hand, bytes'),
        {
          goal: 1.05,
          least: 1.15,
          atMost: true,
        },
      ),
    ],
  };
}

/** A large file inline: what the library needs beyond the SDK, which is given a text of the same length. */
export async function inlineMemory(bench) {
  const size = 64 * MIB;
  const job = { way: 'inline', calls: 1, warmUp: 0, size, path: bench.file(size).path };
  const rows = await bench.compare([
    bench.own('SDK, text made of nothing', { kind: 'textOnly', ...job }),
    ...(bench.quick ? [] : [bench.own('by hand, path', { kind: 'byHand', from: 'path', ...job })]),
    bench.own('library, path', { kind: 'library', from: 'path', ...job }),
  ]);
  const extra = medianOf(rows, 'library, path', 'peakBytes') - medianOf(rows, 'SDK, text made of nothing', 'peakBytes');
  return {
    id: 'inline-memory',
    title: 'A call with 64 MiB inline (limit raised)',
    columns: ['peakBytes', 'milliseconds', 'cpuSeconds'],
    rows,
    targets: [
      target('64 MiB inline, extra peak memory in files', extra / size, { goal: 1.4, least: 2.4, atMost: true }),
    ],
  };
}
