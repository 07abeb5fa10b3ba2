// "holds a promise; await it first, which JSON cannot carry": the advice stood in the middle of the sentence.
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { copyArguments } from '../../src/call/arguments.js';

test.each([
  [Promise.resolve(1), 'holds a promise, which JSON cannot carry: await it first.'],
  [Readable.from(['x']), 'holds a stream, which JSON cannot carry: wrap it with fromStream.'],
  [new Map(), 'holds a collection, which JSON cannot carry.'],
])('%s', (document, words) => {
  expect(() => copyArguments({ document })).toThrow(words);
});
