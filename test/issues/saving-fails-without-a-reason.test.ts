// "could not be written" said neither why nor that the folder is missing; a folder in the way was "not overwritten".
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { destinationAt, saveFile } from '../../src/transfer/save-file.js';
import { failure } from './support/transfer.js';

test.each([
  ['', 'destination_exists', 'by a folder'],
  ['nope/x', 'download_failed', 'its folder does not exist'],
  ['file/x', 'download_failed', 'is a file'],
])('saving at "%s": %s', async (at, code, words) => {
  const folder = await mkdtemp(join(tmpdir(), 'saving-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'file'), 'x');
  async function* content() {
    yield new Uint8Array(1);
  }
  const destination = destinationAt(join(folder, at), 'a.txt', true);
  const error = await failure(saveFile(destination, content(), new AbortController().signal));
  expect(error.code).toBe(code);
  expect(error.message).toContain(words);
});
