import { readFileSync } from 'node:fs';

/** The JSON report of vitest, by row: the title of the outermost group is `row | verified against`. */
export function rowsOf(reportFile) {
  const { testResults } = JSON.parse(readFileSync(reportFile, 'utf8'));
  const rows = new Map();
  for (const file of testResults) {
    if (file.assertionResults.length === 0) rows.set(file.name, { against: file.message, passed: 0, failed: 1 });
    for (const { ancestorTitles, status } of file.assertionResults) {
      const [title] = ancestorTitles;
      const row = rows.get(title) ?? { against: '', passed: 0, failed: 0 };
      if (status === 'passed') row.passed++;
      else row.failed++;
      rows.set(title, row);
    }
  }
  return [...rows].sort().map(([title, { against, passed, failed }]) => {
    const [name, how = against] = title.split(' | ');
    return [name, how, String(passed + failed), failed === 0 ? 'ok' : `${failed} failed`];
  });
}

/** Lines with the columns under each other. */
export function formatTable(head, rows) {
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map(row => row[at].length)));
  const line = cells =>
    cells
      .map((cell, at) => cell.padEnd(widths[at]))
      .join('  ')
      .trimEnd();
  return [line(head), line(widths.map(width => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
