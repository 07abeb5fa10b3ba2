import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { destinationAt, destinationIn } from '../../../src/transfer/destination.js';
import { saveFile } from '../../../src/transfer/save-file.js';
import { type TemporaryFolder, temporaryFolder } from '../support/open-files.js';
import { failure } from '../support/upload.js';

// The real module, with calls that a test can make fail as a disk would.
const faults = vi.hoisted(() => ({
  link: undefined as string | undefined,
  rename: undefined as string | undefined,
  write: undefined as string | undefined,
  sync: undefined as string | undefined,
  shortWrites: false,
}));
vi.mock('node:fs/promises', async importOriginal => {
  const real = await importOriginal<typeof fs>();
  const fail = (code: string | undefined): void => {
    if (code !== undefined) throw Object.assign(new Error(`${code}: /secret/path`), { code });
  };
  return {
    ...real,
    async link(from: string, to: string) {
      fail(faults.link);
      return real.link(from, to);
    },
    async rename(from: string, to: string) {
      fail(faults.rename);
      return real.rename(from, to);
    },
    async open(path: string, flags: string) {
      const handle = await real.open(path, flags);
      const { write, sync } = handle;
      handle.write = (async (bytes: Uint8Array, at: number) => {
        fail(faults.write);
        const length = faults.shortWrites ? 1 : bytes.byteLength - at;
        return write.call(handle, bytes as never, at as never, length as never);
      }) as never;
      handle.sync = async () => {
        fail(faults.sync);
        return sync.call(handle);
      };
      return handle;
    },
  };
});

let folder: TemporaryFolder;
const at = (name: string): string => join(folder.path, name);
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  Object.assign(faults, { link: undefined, rename: undefined, write: undefined, sync: undefined, shortWrites: false });
  expect(await folder.openFiles()).toEqual([]);
  await folder.remove();
});

async function* content(between: () => unknown = () => {}): AsyncGenerator<Uint8Array> {
  yield Buffer.from('con');
  await between();
  yield Buffer.from('tent');
}
const never = new AbortController().signal;
const save = (name: string, overwrite = false, between?: () => unknown) =>
  saveFile(destinationAt(at(name), name, overwrite), content(between), never);

describe.each(['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP'])('on a file system that answers %s to a link', code => {
  beforeEach(() => {
    faults.link = code;
  });

  it('a file is saved', async () => {
    expect(await fs.readFile(await save('a'), 'utf8')).toBe('content');
    expect(await fs.readdir(folder.path)).toEqual(['a']);
  });

  it('what comes meanwhile is not overwritten', async () => {
    const error = await failure(save('a', false, () => fs.writeFile(at('a'), 'before')));
    expect(error.code).toBe('destination_exists');
    expect(await fs.readFile(at('a'), 'utf8')).toBe('before');
    expect(await fs.readdir(folder.path)).toEqual(['a']);
  });

  it('nothing is left where the file cannot be moved', async () => {
    faults.rename = 'EIO';
    expect(await failure(save('a'))).toMatchObject({ details: { reason: 'write_failed' }, cause: { code: 'EIO' } });
    expect(await fs.readdir(folder.path)).toEqual([]);
  });
});

describe.each<[string, 'write' | 'sync' | 'rename', string]>([
  ['is full', 'write', 'ENOSPC'],
  ['is full by quota', 'write', 'EDQUOT'],
  ['fails late', 'sync', 'EIO'],
  ['fails at the last', 'rename', 'EROFS'],
])('a disk that %s', (_, call, code) => {
  it('ends the download with its code, and leaves nothing', async () => {
    faults[call] = code;
    await fs.writeFile(at('a'), 'before');
    const error = await failure(save('a', true));
    expect(error).toMatchObject({ code: 'download_failed', details: { reason: 'write_failed' }, cause: { code } });
    expect(JSON.stringify(error) + error.stack + String(error.cause)).not.toContain('secret');
    expect(await fs.readdir(folder.path)).toEqual(['a']);
    expect(await fs.readFile(at('a'), 'utf8')).toBe('before');
  });
});

it('a folder that was made is removed again when the disk is full', async () => {
  faults.write = 'ENOSPC';
  await failure(saveFile(destinationIn(at('dir'), 'out/a', false), content(), never));
  expect(await fs.readdir(folder.path)).toEqual([]);
});

it('a disk that writes a byte at a time gets all of them', async () => {
  faults.shortWrites = true;
  expect(await fs.readFile(await save('a'), 'utf8')).toBe('content');
});
