// Found here: `--file branding/logo=x` was taken for an argument with a slash in its name, and the error said "/branding~1logo".
import { expect, test } from 'vitest';
import { buildArguments } from '../../src/cli/arguments.js';

const tool = {
  fileArguments: [{ pointer: '/branding/logo' }, { pointer: '/pages/*/scans/*' }],
  inputSchema: {
    type: 'object',
    properties: {
      branding: { type: 'object', properties: { logo: { type: 'object' }, colour: { type: 'string' } } },
      'own/name': { type: 'string' },
      own: { type: 'object', properties: { name: { type: 'string' } } },
    },
  },
};
const build = (flags: { arg?: string[]; argJson?: string[]; file?: string[] }) =>
  buildArguments(tool, { arg: [], argJson: [], file: [], ...flags }, path => `<${path}>`);

test.each([
  [{ file: ['branding/logo=x'] }, '"/branding/logo"'],
  [{ file: ['pages/0/scans=x'] }, '"/pages/0/scans"'],
  [{ file: ['pages/0/scans/0=x'] }, '"/pages/0/scans/0"'],
  [{ arg: ['branding/colour=red'] }, '"/branding/colour"'],
  [{ argJson: ['branding/colour="red"'] }, '"/branding/colour"'],
])('%j is told how it is written', (flags, hint) => {
  expect(() => build(flags)).toThrow(hint);
});

test('a slash in a name is kept where no place inside is meant', () => {
  expect(build({ arg: ['own/name=a', 'else/where=b'] })).toEqual({ 'own/name': 'a', 'else/where': 'b' });
  expect(build({ file: ['/branding/logo=x'] })).toEqual({ branding: { logo: '<x>' } });
});
