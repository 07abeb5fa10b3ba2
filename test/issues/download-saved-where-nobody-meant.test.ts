// Found by a newcomer: `dir: ''` saved into the working directory, `to: 'folder/'` made a file of that name, and what was
// misspelt or of the wrong kind did nothing or met the engine.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { FilesClient as BrowserClient } from '../../src/client-browser.js';
import { type DownloadOptions, isFilesError } from '../../src/index.js';
import { host, server } from './support/call.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'saved-'));
  return () => rm(folder, { recursive: true });
});

async function download(options: DownloadOptions) {
  const { url } = await server();
  const { files } = await host(url);
  return files.download(files.remoteFile('data:text/plain,new', { name: 'a.txt' }), options);
}

test.each<[string, () => DownloadOptions]>([
  ['dir that is empty', () => ({ dir: '' })],
  ['to that is empty', () => ({ to: '' })],
  ['to that ends like a folder', () => ({ to: `${folder}/new/` })],
  ['to that ends like a folder of Windows', () => ({ to: `${folder}/new\\` })],
  ['to that names the folder itself', () => ({ to: `${folder}/new/.` })],
  ['to that is the folder above', () => ({ to: '..' })],
  ['both', () => ({ to: join(folder, 'x'), dir: folder })],
])('refused: %s', async (name, options) => {
  await expect(download(options())).rejects.toMatchObject({
    code: 'argument_invalid',
    outcome: 'completed',
    message: expect.stringMatching(name.startsWith('to') ? /folder goes with dir/ : /dir/),
  });
  expect(await readdir(folder)).toEqual([]);
});

test('only true overwrites', async () => {
  const to = join(folder, 'kept.txt');
  await writeFile(to, 'old');
  for (const overwrite of ['no', 'true', 1, {}, null, undefined, false] as never[]) {
    await expect(download({ to, overwrite })).rejects.toMatchObject({ code: 'destination_exists' });
    expect(await readFile(to, 'utf8')).toBe('old');
  }
  await download({ to, overwrite: true });
  expect(await readFile(to, 'utf8')).toBe('new');
});

test.each([{ overwite: true }, { maxBytse: 5 }])('a download refuses %j, before anything is fetched', async options => {
  const { url } = await server();
  const { files } = await host(url);
  const file = files.remoteFile('data:text/plain,x', { name: 'x' });
  await expect(files.download(file, options as never)).rejects.toMatchObject({
    code: 'argument_invalid',
    outcome: 'completed',
    message: `Download option ${Object.keys(options)[0]} is unknown; there are maxBytes, onProgress, signal, dir, overwrite, to.`,
  });
});

test('in a browser there is nothing to save to: "dir" is unknown there', async () => {
  const { url } = await server();
  const { mcp } = await host(url);
  await using files = new BrowserClient(mcp, { serverUrl: url });
  const file = files.remoteFile('data:text/plain,x', { name: 'x' });
  await expect(files.download(file, { dir: 'out' } as never)).rejects.toMatchObject({
    code: 'argument_invalid',
    message: 'Download option dir is unknown; there are maxBytes, onProgress, signal.',
  });
});

test.each<[string, unknown, RegExp]>([
  ['to', { to: 5 }, /Download option to must/],
  ['to', { to: new URL('file:///x') }, /Download option to must/],
  ['dir', { dir: {} }, /Download option dir must/],
  ['signal', { signal: {} }, /Download option signal must/],
  ['onProgress', { onProgress: 5 }, /Download option onProgress must/],
  ['all', null, /Download options must be an object/],
  ['all', './folder', /Download options must be an object/],
])('a download with a wrong option: %s', async (_, options, sentence) => {
  const { url } = await server();
  const { files } = await host(url);
  const file = files.remoteFile('data:text/plain,x', { name: 'x' });
  const error = await files.download(file, options as never).catch((thrown: unknown) => thrown);
  if (!isFilesError(error)) throw error;
  expect(error).toMatchObject({ code: 'argument_invalid', outcome: 'completed' });
  expect(error.message).toMatch(sentence);
});
