// Found by a newcomer: a misspelt `root` or `followSymlinks` was ignored, and the file opened.
import { expect, test } from 'vitest';
import { fromPath } from '../../src/index.js';

test.each([{ rooot: '/srv' }, { followSymLinks: false }])('fromPath refuses %j', options => {
  const make = () => fromPath('x', options as never);
  expect(make).toThrow(TypeError);
  expect(make).toThrow(
    `fromPath option ${Object.keys(options)[0]} is unknown; there are followSymlinks, name, root, type.`,
  );
});
