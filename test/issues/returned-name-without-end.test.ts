// Found in review: a returned file's name of 120,000 characters, every second a slash, took more memory than a process has,
// as each of its folders was written out from the root.
import { expect, test } from 'vitest';
import { namesOf } from '../../src/model/returned-names.js';

const namesFor = (...names: string[]) =>
  namesOf(names.map(name => ({ name, source: { kind: 'inline', content: { text: '' } }, places: [] })));

test.each([
  ['folders', 'a/'.repeat(60_000)],
  ['long folders', `${'b'.repeat(250)}/`.repeat(400)],
  ['dots', '../'.repeat(30_000)],
  ['empty folders', '/'.repeat(100_000)],
])('of a name of many %s the end is kept', async (_, folders) => {
  const [name] = await namesFor(`${folders}report.pdf`);
  expect(name).toMatch(/(^|\/)report\.pdf$/);
  expect(name!.length).toBeLessThanOrEqual(1000);
  expect(name!.split('/').length).toBeLessThanOrEqual(33);
  expect(await namesFor(name!)).toEqual([name]);
});

test('names that only their lost beginnings told apart are numbered', async () => {
  const deep = 'a/'.repeat(100);
  const [first, second] = await namesFor(`x/${deep}r.pdf`, `y/${deep}r.pdf`);
  expect(second).toBe(first!.replace('r.pdf', 'r (2).pdf'));
});

test('a name of usual depth stays whole', async () => {
  const name = `${Array.from({ length: 24 }, (_, at) => `folder-${at}`).join('/')}/Main.java`;
  expect(await namesFor(name)).toEqual([name]);
});
