// What a caller without types mistakes one source for another: bytes for a Blob were sent as an empty file, a stream for
// the function that opens it failed as if the file could not be read.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { type FileSource, fromBlob, fromPath, fromStream } from '../../src/index.js';
import { planFile } from '../../src/source/index.js';
import { failure } from './support/transfer.js';
import { watchUncaught } from './support/uncaught.js';

const { signal } = new AbortController();
const meta = { name: 'a.txt', size: 3 };

async function read(make: () => FileSource): Promise<string> {
  return Buffer.from(await (await planFile(make(), signal)).bytes(signal)).toString();
}

test.each([
  ['bytes', Buffer.from('abc')],
  ['a string', 'x'],
  ['an ArrayBuffer', new ArrayBuffer(3)],
  ['nothing', undefined],
  ['null', null],
  ['an object with a size', { size: 3, name: 'x' }],
])('fromBlob does not take %s', async (_, value) => {
  const error = await failure(read(() => fromBlob(value as unknown as Blob)));
  expect(error.code).toBe('argument_invalid');
  expect(error.message).toContain('fromBytes');
});

test.each([
  ['a stream', Readable.from([Buffer.from('abc')]), 'argument_invalid', 'a function that opens'],
  ['a Blob', new Blob(['abc']), 'argument_invalid', 'a function that opens'],
  ['an async function', async () => Readable.from([Buffer.from('abc')]), 'file_unreadable', 'must not be async'],
  ['an async function that fails', () => Promise.reject(new Error('x')), 'file_unreadable', 'must not be async'],
  ['a function that gives nothing', () => undefined, 'file_unreadable', 'no stream'],
  ['a function that gives bytes', () => Buffer.from('abc'), 'file_unreadable', 'no stream'],
  ['a stream of text', () => Readable.from(['abc']), 'file_unreadable', 'without an encoding'],
  ['a stream of numbers', () => Readable.from([1, 2, 3]), 'file_unreadable', 'Uint8Array'],
])('fromStream says what is wrong with %s', async (_, open, code, words) => {
  const uncaught = watchUncaught();
  const error = await failure(read(() => fromStream(open as unknown as () => Readable, meta)));
  expect(error.code).toBe(code);
  expect(error.message).toContain(words);
  await new Promise(resolve => setImmediate(resolve));
  expect(uncaught).toEqual([]);
});

test('fromPath takes file: URLs, as objects and as text', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'source-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'a b%.txt');
  await writeFile(path, 'abc');
  const url = pathToFileURL(path);
  for (const given of [path, url, url.href]) {
    expect(fromPath(given).name).toBe('a b%.txt');
    expect(await read(() => fromPath(given))).toBe('abc');
  }
});

test.each([
  ['an empty path', ''],
  ['a path with NUL', 'a\0b'],
  ['a URL that is no file', new URL('https://x.example/a?token=secret')],
  ['a file on another host', 'file://elsewhere.example/a'],
  ['a file URL with an encoded slash', 'file:///a%2Fb'],
  ['nothing', undefined],
  ['a number', 5],
])('fromPath does not take %s', async (_, path) => {
  const error = await failure(read(() => fromPath(path as string)));
  expect(error.code).toBe('argument_invalid');
  expect(`${error.message} ${error.cause}`).not.toContain('secret');
});
