import { execFileSync } from 'node:child_process';
import { chmod, mkdir, rename, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fromPath } from '../../src/source/from-path.js';
import { planFile } from '../../src/source/plan-file.js';
import { type TemporaryFolder, temporaryFolder } from '../transfer/support/open-files.js';
import { failure } from '../transfer/support/upload.js';

const { signal } = new AbortController();
const MIB = 1024 * 1024;
let folder: TemporaryFolder;

beforeEach(async () => {
  folder = await temporaryFolder();
});

afterEach(async () => {
  expect(await folder.openFiles()).toEqual([]);
  await folder.remove();
});

const plan = (path: string, options?: Parameters<typeof fromPath>[1]) => planFile(fromPath(path, options), signal);
const refusal = (path: string, options?: Parameters<typeof fromPath>[1]) => failure(plan(path, options));

async function drained(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of chunks);
}

describe('a file on disk', () => {
  it.each([0, 1, MIB - 1, MIB, MIB + 1, 3 * MIB + 7])('of %i bytes is read in pieces of 1 MiB', async size => {
    const content = Buffer.alloc(size, 'abcdefghijk');
    const file = await plan(await folder.write('a.bin', content));
    const chunks: Uint8Array[] = [];
    for await (const chunk of file.chunks(signal)) chunks.push(chunk.slice()); // its memory is used again
    expect(file.size).toBe(size);
    expect(Buffer.concat(chunks).equals(content)).toBe(true);
    expect(chunks.length).toBe(Math.ceil(size / MIB));
    expect(Buffer.from(await file.bytes(signal)).equals(content)).toBe(true);
    expect((await file.blob(signal)).size).toBe(size);
  });

  it('has the name and type of its path, or those it is given', async () => {
    const path = await folder.write('Übersicht.CSV', 'a,b');
    expect(await plan(path)).toMatchObject({ name: 'Übersicht.CSV', type: 'text/csv', typeIsFallback: false });
    const options = { name: '../x', type: 'text/plain; charset=utf-8' };
    expect(await plan(path, options)).toMatchObject({ name: 'x', type: 'text/plain; charset=utf-8' });
    expect(await refusal(path, { type: 'text' })).toMatchObject({ code: 'argument_invalid' });
  });

  it('is found from where the process was when it was named', async () => {
    await folder.write('a.txt', 'x');
    const before = process.cwd();
    process.chdir(folder.path);
    const source = fromPath('a.txt');
    process.chdir(before);
    expect((await planFile(source, signal)).size).toBe(1);
  });

  it('is closed when its reader stops in the middle, and when it is aborted', async () => {
    const file = await plan(await folder.write('a.bin', Buffer.alloc(4 * MIB)));
    for await (const _chunk of file.chunks(signal)) break;
    expect(await folder.openFiles()).toEqual([]);
    const caller = new AbortController();
    const reading = (async () => {
      for await (const _chunk of file.chunks(caller.signal)) caller.abort('r');
    })();
    expect(await failure(reading)).toMatchObject({ code: 'aborted', cause: 'r' });
    expect(await folder.openFiles()).toEqual([]);
  });

  it('is read ahead when it fits into one piece, closed then, and sent as it was read', async () => {
    const path = await folder.write('a.bin', 'before');
    const file = await plan(path);
    await file.readAhead!();
    expect(await folder.openFiles()).toEqual([]);
    await writeFile(path, 'after!');
    for await (const chunk of file.chunks(signal)) expect(Buffer.from(chunk).toString()).toBe('before');
    // Only once: the next attempt reads anew.
    expect(await failure(drained(file.chunks(signal)))).toMatchObject({ code: 'file_changed' });
    expect((await plan(await folder.write('large.bin', Buffer.alloc(MIB + 1)))).readAhead).toBeUndefined();
  });

  it('that could not be read ahead says so to its reader; let go, it is read anew', async () => {
    const path = await folder.write('a.bin', 'x');
    const file = await plan(path);
    await rename(path, `${path}.away`);
    const letGo = await file.readAhead!();
    await rename(`${path}.away`, path);
    expect(await failure(drained(file.chunks(signal)))).toMatchObject({ code: 'file_unreadable' });
    letGo();
    const again = await plan(path);
    (await again.readAhead!())();
    await writeFile(path, 'longer');
    expect(await failure(drained(again.chunks(signal)))).toMatchObject({ code: 'file_changed' });
  });

  it('that is in two arguments is read into memory of its own for each', async () => {
    const file = await plan(await folder.write('a.bin', Buffer.alloc(MIB, 'a')));
    const reading = [file.readAhead!(), file.readAhead!()];
    const [one, two] = [file.chunks(signal), file.chunks(signal)].map(chunks => chunks[Symbol.asyncIterator]());
    const [first, second] = [(await one!.next()).value, (await two!.next()).value];
    expect(first.buffer).not.toBe(second.buffer);
    for (const letGo of await Promise.all(reading)) letGo();
    expect(Buffer.from(first).equals(Buffer.from(second))).toBe(true);
    for (const reader of [one, two]) await reader!.next();
  });

  it('leaves a piece alone that was given out before its reader stopped: a socket may still have it to send', async () => {
    const kept: Uint8Array[] = [];
    const abandoned = await plan(await folder.write('a.bin', Buffer.alloc(2 * MIB, 'a')));
    for await (const chunk of abandoned.chunks(signal)) {
      kept.push(chunk);
      break;
    }
    const other = await plan(await folder.write('b.bin', Buffer.alloc(3 * MIB, 'b')));
    for (let i = 0; i < 3; i++) for await (const chunk of other.chunks(signal)) expect(chunk[0]).toBe(0x62);
    expect(Buffer.from(kept[0]!).equals(Buffer.alloc(MIB, 'a'))).toBe(true);
  });

  it('is already closed when its last piece is given out: nothing is waited for then', async () => {
    const file = await plan(await folder.write('a.bin', Buffer.alloc(2 * MIB + 1)));
    let pieces = 0;
    for await (const _chunk of file.chunks(signal)) {
      pieces += 1;
      expect((await folder.openFiles()).length).toBe(pieces === 3 ? 0 : 1);
    }
    expect(pieces).toBe(3);
  });
});

describe('what is no readable regular file', () => {
  it.each<[string, (path: string) => unknown, string]>([
    ['is missing', () => {}, 'does not exist'],
    ['is a directory', path => mkdir(path), 'is a directory'],
    ['is a FIFO', path => execFileSync('mkfifo', [path]), 'is a FIFO'],
    ['is a device', () => '/dev/zero', 'is a device'],
    ['is in procfs', () => '/proc/self/status', 'says that it is empty'],
    ['is below a file', path => writeFile(path, '').then(() => join(path, 'x')), 'does not exist'],
    ['is a link to nothing', path => symlink('/nowhere', path), 'does not exist'],
    ['is a link to a directory', path => symlink('/tmp', path), 'is a directory'],
  ])('is refused at once when it %s', async (_, make, why) => {
    const path = join(folder.path, 'a');
    const elsewhere = await make(path);
    const error = await refusal(typeof elsewhere === 'string' ? elsewhere : path);
    expect(error).toMatchObject({ code: 'file_unreadable', outcome: 'not_run' });
    expect(error.message).toContain(why);
    expect(error.message).not.toContain(folder.path);
  });

  it('is refused when it is a socket', async () => {
    const path = join(folder.path, 's');
    const server = createServer().listen(path);
    await new Promise(resolve => server.once('listening', resolve));
    expect((await refusal(path)).message).toContain('is a socket');
    server.close();
  });

  it('is refused without permission', async () => {
    const path = await folder.write('a', 'x');
    await chmod(path, 0);
    // Root may read everything: the error then comes from nowhere, and the file is readable.
    if (process.getuid?.() === 0) expect((await plan(path)).size).toBe(1);
    else expect((await refusal(path)).message).toContain('may not be read');
  });
});

describe('links and the root', () => {
  it('are followed unless that is switched off', async () => {
    await folder.write('real.txt', 'content');
    const link = join(folder.path, 'link.txt');
    await symlink('real.txt', link);
    expect(await plan(link)).toMatchObject({ name: 'link.txt', size: 7 });
    expect((await refusal(link, { followSymlinks: false })).message).toContain('is a symbolic link');
    expect((await plan(join(folder.path, 'real.txt'), { followSymlinks: false })).size).toBe(7);
  });

  it('keep a file inside', async () => {
    const root = join(folder.path, 'root');
    await mkdir(join(root, 'sub'), { recursive: true });
    await mkdir(`${root}-beside`);
    await folder.write('outside.txt', 'secret');
    await folder.write('root/inside.txt', 'x');
    await folder.write('root/..name', 'x');
    await folder.write('root-beside/a', 'secret');
    await symlink(join(folder.path, 'outside.txt'), join(root, 'link'));
    await symlink(folder.path, join(root, 'up'));
    await symlink(join(root, 'inside.txt'), join(folder.path, 'way-in'));

    for (const inside of ['root/inside.txt', 'root/sub/../inside.txt', 'root/..name', 'way-in']) {
      expect((await plan(join(folder.path, inside), { root })).size).toBe(1);
    }
    for (const outside of ['outside.txt', 'root/../outside.txt', 'root/link', 'root/up/outside.txt', 'root-beside/a']) {
      const error = await refusal(join(folder.path, outside), { root });
      expect(error).toMatchObject({ code: 'file_unreadable' });
      expect(error.message).toContain('outside the root');
    }
  });

  it('count when the file is opened again', async () => {
    const root = join(folder.path, 'root');
    await mkdir(join(root, 'sub'), { recursive: true });
    await folder.write('root/sub/a.txt', 'x');
    const file = await plan(join(root, 'sub/a.txt'), { root });
    await rename(join(root, 'sub'), join(folder.path, 'moved'));
    await symlink(join(folder.path, 'moved'), join(root, 'sub'));
    expect(await failure(file.bytes(signal))).toMatchObject({ code: 'file_unreadable' });
  });
});

describe('a file that changed after it was planned', () => {
  const changes: ReadonlyArray<[string, (path: string) => Promise<void>]> = [
    ['grew', path => writeFile(path, 'more', { flag: 'a' })],
    ['shrank', path => truncate(path, 10)],
    ['was written again with as many bytes', path => writeFile(path, Buffer.alloc(4 * MIB, 'b'))],
    ['has another time', path => utimes(path, 1, 1)],
    [
      'was replaced by one of the same size',
      async path => {
        await writeFile(`${path}.new`, Buffer.alloc(4 * MIB, 'a'));
        await rename(`${path}.new`, path);
      },
    ],
  ];

  /** With an old modification time: the clock of a file system may stand still for some milliseconds. */
  const old = async (): Promise<string> => {
    const path = await folder.write('a.bin', Buffer.alloc(4 * MIB, 'a'));
    await utimes(path, 1_000, 1_000);
    return path;
  };

  it.each(changes)('is file_changed when it %s before it is read', async (_, change) => {
    const path = await old();
    const file = await plan(path);
    await change(path);
    expect(await failure(file.bytes(signal))).toMatchObject({ code: 'file_changed', details: { size: 4 * MIB } });
  });

  it.each(changes.slice(0, 4))(
    'is file_changed when it %s while it is read, before the last piece',
    async (_, change) => {
      const path = await old();
      let given = 0;
      const reading = (async () => {
        for await (const _chunk of (await plan(path)).chunks(signal)) {
          if (++given === 1) await change(path);
        }
      })();
      expect(await failure(reading)).toMatchObject({ code: 'file_changed' });
      expect(given).toBeLessThan(4);
    },
  );
});
