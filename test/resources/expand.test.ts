import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expandTemplate } from '../../src/resources/expand.js';

interface Group {
  readonly variables: Record<string, never>;
  readonly testcases: [template: string, expected: string | string[] | false][];
}

const require = createRequire(import.meta.url);
const folder = join(dirname(require.resolve('uri-templates/package.json')), 'test/uritemplate-test');
const groupsOf = (file: string) =>
  Object.entries(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, Group>);

/** Not about templates: the working group's file has variables that no JSON host would have. */
function ownVariables(template: string, variables: Record<string, never>): Record<string, never> {
  const expressions = [...template.matchAll(/\{[+#./;?&]?([^}]*)\}/g)].map(([, list = '']) => list);
  const named = new Set(expressions.flatMap(list => list.split(',').map(name => name.replace(/\*$|:\d+$/, ''))));
  return Object.fromEntries(Object.entries(variables).filter(([name]) => named.has(name)));
}

describe.each(['spec-examples.json', 'spec-examples-by-section.json', 'extended-tests.json'])(
  '%s of RFC 6570',
  file => {
    const cases = groupsOf(file).flatMap(([group, { variables, testcases }]) =>
      testcases.map(([template, expected]) => ({ group, template, expected, variables })),
    );

    it.each(cases)('$group: $template', async ({ template, expected, variables }) => {
      const expansion = expandTemplate(template, ownVariables(template, variables));
      if (expected === false) await expect(expansion).rejects.toMatchObject({ code: 'argument_invalid' });
      else expect([expected].flat()).toContain(await expansion);
    });
  },
);

it.each([
  ['{x', {}],
  ['{x}}', {}],
  ['{!x}', { x: 'a' }],
  ['{x:0}', { x: 'a' }],
  ['{}', {}],
])('refuses the malformed template %s', async (template, variables) => {
  await expect(expandTemplate(template, variables)).rejects.toMatchObject({ code: 'argument_invalid' });
});

it.each([
  ['a variable it does not name', { y: 'a' }],
  ['half a surrogate pair', { x: '\uD800' }],
  ['a number that is none', { x: Number.NaN }],
  ['a list in a list', { x: [['a']] }],
  ['a date', { x: new Date(0) }],
  ['a function', { x: () => 'a' }],
  ['a map of maps', { x: { a: { b: 'c' } } }],
])('refuses %s', async (_, variables) => {
  await expect(expandTemplate('a:{x}', variables as never)).rejects.toMatchObject({ code: 'argument_invalid' });
});

it('expands what is missing to nothing, and reads no prototype', async () => {
  expect(await expandTemplate('a:{x}{?y,z}', { x: undefined, y: null })).toBe('a:');
  expect(await expandTemplate('a:{constructor}{toString}', {})).toBe('a:');
});

it('cuts a prefix between characters, not inside one', async () => {
  expect(await expandTemplate('a:{x:1}', { x: '😀b' })).toBe('a:%F0%9F%98%80');
});

it('encodes the apostrophe, where reserved characters may not stand', async () => {
  expect(await expandTemplate("a:'{x}{?m*}{+x}", { x: "'", m: { "k'": "v'" } })).toBe("a:'%27?k%27=v%27'");
});

it('makes of any text one segment that decodes to it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), async text => {
      const uri = await expandTemplate('a:/{x}', { x: text });
      expect(uri).toMatch(/^a:\/[\w.~%-]*$/);
      expect(decodeURIComponent(uri.slice(3))).toBe(text);
    }),
  );
});
