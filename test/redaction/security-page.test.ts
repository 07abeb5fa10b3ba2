import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const page = read('docs/security.md');

it('names only tests that there are', () => {
  const named = [...new Set(page.match(/test\/[\w./-]+\.test\.ts/g))];
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(path => !existsSync(new URL(`../../${path}`, import.meta.url)))).toEqual([]);
});

it('has every promise show its test', () => {
  const [, promises = ''] = /## Promises\n(.*?)\n## /s.exec(page) ?? [];
  const items = promises.split(/\n- /).slice(1);
  expect(items.length).toBeGreaterThan(20);
  expect(items.filter(item => !item.includes('.test.ts`')).map(item => item.slice(0, 60))).toEqual([]);
});

it('has a row for each member of the policy', () => {
  const [, members = ''] = /interface TargetPolicyOptions {\n(.*?)\n}/s.exec(read('src/transfer/target.ts')) ?? [];
  const names = [...members.matchAll(/readonly (\w+)\?:/g)].map(([, name]) => name!);
  expect(names.length).toBeGreaterThan(4);
  expect(names.filter(name => !page.includes(`| \`${name}\` |`))).toEqual([]);
});
