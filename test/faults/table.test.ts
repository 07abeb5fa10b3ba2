import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const rows = readFileSync(join(root, 'docs/faults.md'), 'utf8')
  .split('\n')
  .filter(line => line.startsWith('| ') && !/^\| (?:fault|name|header of|host|rule) /.test(line));

/** A file below `test/` and a text that stands in it: the title of a test, or its row in a table of such. */
const REFERENCE = /`([\w/-]+)` › “([^”]+)”/g;

describe('docs/faults.md', () => {
  it.each(rows.map(row => [row.split(' | ')[0]!.slice(2), row]))('shows %s by tests that exist', (_, row) => {
    const shown = row.split(' | ').at(-1)!;
    const references = [...shown.matchAll(REFERENCE)];
    // Nothing is left of the cell but what was understood.
    expect(shown.replace(REFERENCE, '').replace(/[;|\s]/g, '')).toBe('');
    expect(references.length).toBeGreaterThan(0);
    for (const [, file, text] of references) {
      const test = readFileSync(join(root, 'test', `${file}.test.ts`), 'utf8');
      expect(test.includes(text!), `${file} › ${text}`).toBe(true);
    }
  });

  it('has every fault and every rule', () => {
    expect(rows).toHaveLength(97);
  });
});
