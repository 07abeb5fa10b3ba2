import { medianOf, ratio, target } from '../lib/goals.mjs';

const MIB = 1024 * 1024;
const PUT_PEERS = ['node:http', 'got', 'axios', 'undici fetch'];
const FORM_PEERS = ['form-data', 'undici fetch'];
const moduleOf = name => name.replaceAll(/[: ]/g, '-');

/** One large file, as a raw PUT and as a form. */
export async function largeFile(bench) {
  const files = [bench.file((bench.quick ? 128 : 1024) * MIB)];
  const way = (kind, label) => name => bench.transfer(`${label} ${name}`, { way: moduleOf(name), kind, files });
  const curl = bench.hasCurl ? ['curl'] : [];
  const rows = await bench.compare([
    ...[...curl, 'library', ...PUT_PEERS].map(way('put', 'PUT')),
    ...[...curl, 'library', ...FORM_PEERS].map(way('form', 'form')),
  ]);
  const fastestPeer = Math.max(...PUT_PEERS.map(name => medianOf(rows, `PUT ${name}`, 'mibPerSecond')));
  const speed = (name, other) => ratio(rows, 'mibPerSecond', name, other);
  const cpu = number => ratio(rows, number, 'PUT library', 'PUT curl');
  return {
    id: 'large-file',
    title: `One file of ${files[0].size / MIB} MiB from disk`,
    columns: ['mibPerSecond', 'cpuSeconds', 'cpuOfWork', 'peakBytes'],
    rows,
    targets: [
      target('PUT, speed of curl -T', speed('PUT library', 'PUT curl'), { goal: 1, least: 0.75 }),
      target('PUT, speed of the fastest library', medianOf(rows, 'PUT library', 'mibPerSecond') / fastestPeer, {
        goal: 1,
      }),
      target('form, speed of curl -F', speed('form library', 'form curl'), { goal: 1, least: 0 }),
      target('form, speed of our own PUT', speed('form library', 'PUT library'), { goal: 0.95 }),
      target('PUT, CPU of curl -T, start of the host left out', cpu('cpuOfWork'), { goal: 2, least: 3, atMost: true }),
      target('PUT, CPU of curl -T, whole process', cpu('cpuSeconds'), { goal: 2, least: 3, atMost: true }),
    ],
  };
}
