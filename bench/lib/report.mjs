const MIB = 1024 * 1024;

/** The numbers a table can show: heading, and how a value is written. */
const COLUMNS = {
  mibPerSecond: ['MiB/s', value => value.toFixed(0)],
  seconds: ['s', value => value.toFixed(3)],
  milliseconds: ['ms', value => value.toFixed(2)],
  microseconds: ['us a call', value => value.toFixed(0)],
  cpuSeconds: ['CPU s', value => value.toFixed(2)],
  cpuOfWork: ['CPU s of the work', value => value.toFixed(2)],
  peakBytes: ['peak MiB', value => (value / MIB).toFixed(1)],
  connections: ['connections', value => value.toFixed(0)],
};

export function printWork({ title, rows, columns }) {
  const shown = columns.filter(name => rows.some(row => row[name] !== undefined));
  const head = ['', ...shown.map(name => COLUMNS[name][0])];
  const lines = rows.map(row => [row.name, ...shown.map(name => withSpread(row[name], COLUMNS[name][1]))]);
  console.log(`\n${title}\n\n${table([head, ...lines])}`);
}

export function printTargets(targets) {
  const head = ['target', 'measured', 'goal', 'at least', ''];
  const lines = targets.map(({ what, value, goal, least, atMost, verdict }) => {
    const sign = atMost ? '<=' : '>=';
    return [what, number(value), `${sign} ${number(goal)}`, `${sign} ${number(least)}`, verdict];
  });
  console.log(`\nTargets\n\n${table([head, ...lines])}`);
}

/** Median, and in brackets the least and the largest of the rounds. */
function withSpread(summary, write) {
  if (summary === undefined) return '-';
  const { median, min, max } = summary;
  return write(min) === write(max) ? write(median) : `${write(median)} (${write(min)}..${write(max)})`;
}

function number(value) {
  if (!Number.isFinite(value)) return '-';
  return Number.isInteger(value) ? String(value) : value.toFixed(2);
}

function table(lines) {
  const widths = lines[0].map((_, column) => Math.max(...lines.map(line => line[column].length)));
  return lines
    .map(line => line.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))))
    .map(line => line.join('   ').trimEnd())
    .join('\n');
}
