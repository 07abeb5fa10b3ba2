import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { barLine } from '../../src/cli/progress.js';
import { fitted, printable, printableLine, shownSize, shownTime, table, width, wrapped } from '../../src/cli/text.js';

it.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.0 KiB'],
  [1536, '1.5 KiB'],
  [8 * 1024 * 1024, '8.0 MiB'],
  [200 * 1000 * 1000, '190.7 MiB'],
  [3 * 1024 ** 4, '3.0 TiB'],
])('%i bytes are shown as %s', (bytes, shown) => {
  expect(shownSize(bytes)).toBe(shown);
});

it.each([
  [0, '0 ms'],
  [999.4, '999 ms'],
  [12_340, '12.3 s'],
])('%d milliseconds are shown as %s', (milliseconds, shown) => {
  expect(shownTime(milliseconds)).toBe(shown);
});

describe('what a server says cannot command the terminal', () => {
  it('keeps text, line ends and tabs, and no other control', () => {
    expect(printable('a\u001b[31mb\nc\td\u0007\u009b1m')).toBe('a\uFFFD[31mb\nc\td\uFFFD\uFFFD1m');
  });

  it('shows an override of the reading direction', () => {
    expect(printable('exe.\u202Efdp.txt')).toBe('exe.\uFFFDfdp.txt');
  });

  it('makes one line of several', () => {
    expect(printableLine(' a\n\n b\r\nc ')).toBe('a b\uFFFD c');
  });
});

describe('width', () => {
  it.each([
    ['plain', 5],
    ['R\u00e9sum\u00e9', 6],
    ['e\u0301', 1],
    ['\u8cc7\u6599.txt', 8],
    ['\u{1F600}', 2],
  ])('%s takes %i columns', (text, columns) => {
    expect(width(text)).toBe(columns);
  });

  it('fits any text into its columns and leaves short text alone', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 });
    fc.assert(
      fc.property(text, fc.integer({ min: 4, max: 30 }), (given, columns) => {
        const shown = fitted(given, columns);
        expect(width(shown)).toBeLessThanOrEqual(columns);
        if (width(given) <= columns) expect(shown).toBe(given);
      }),
    );
  });

  it('keeps the extension of a long name', () => {
    expect(fitted('quarterly-report-of-the-northern-branch.pdf', 20)).toBe('quarterly-rep\u2026ch.pdf');
  });
});

describe('table', () => {
  it('aligns columns and shortens the one that gives way', () => {
    const head = [{ title: 'name', gives: true }, { title: 'size', right: true }, { title: 'way' }];
    const rows = [
      ['a.txt', '5 B', 'inline'],
      ['a-name-that-is-much-too-long.pdf', '12.0 MiB', 'PUT'],
    ];
    expect(table(head, rows, 34)).toBe(
      ['name                  size  way', 'a.txt                  5 B  inline', 'a-name-tha\u2026g.pdf  12.0 MiB  PUT']
        .map(line => `${line}\n`)
        .join(''),
    );
  });
});

it('wraps at spaces and indents each line', () => {
  expect(wrapped('one two three four', 11, '  ')).toBe('  one two\n  three\n  four');
});

describe('the progress bar', () => {
  const progress = {
    phase: 'uploading',
    name: 'a-rather-long-name-of-a-file.pdf',
    sentBytes: 3 << 20,
    totalBytes: 12 << 20,
    bytesPerSecond: 5 << 20,
    files: { done: 0, total: 1 },
  };

  it('says how far, how fast and what', () => {
    const line = barLine(progress, 0.25, 100);
    expect(line).toMatch(/^\u2588{8}\u2591{22} {2}25% {2}3\.0 MiB of 12\.0 MiB {2}5\.0 MiB\/s {2}a-rather-long-name/);
  });

  it('counts files where several move at once', () => {
    expect(barLine({ ...progress, files: { done: 1, total: 3 } }, 0.25, 100)).toMatch(/ {2}1 of 3 files$/);
  });

  it.each([40, 60, 80, 120])('fits a terminal of %i columns', columns => {
    for (const share of [0, 0.33, 1]) expect(width(barLine(progress, share, columns))).toBeLessThan(columns);
  });
});
