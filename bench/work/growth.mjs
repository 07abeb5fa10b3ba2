const KIB = 1024;
const MIB = 1024 * KIB;

const sizeName = size => (size >= MIB ? `${size / MIB} MiB` : `${size / KIB} KiB`);

/** How the cost of a call grows with the size of its file, and with the number of its files. */
export async function growth(bench) {
  const sizes = [KIB, 64 * KIB, MIB, 16 * MIB, 256 * MIB, 1024 * MIB, 4096 * MIB];
  const counts = [1, 10, 100, 1000];
  const rows = await bench.compare([
    ...sizes.map(size => bench.transfer(sizeName(size), { way: 'library', files: [bench.file(size)] })),
    ...counts.map(count =>
      bench.transfer(`${count} x 64 KiB, 6 at once`, {
        way: 'library',
        files: bench.files(count, 64 * KIB),
        concurrency: 6,
      }),
    ),
  ]);
  return {
    id: 'growth',
    title: 'How the cost grows',
    columns: ['seconds', 'mibPerSecond', 'cpuSeconds', 'cpuOfWork', 'peakBytes', 'connections'],
    rows,
    targets: [],
  };
}
