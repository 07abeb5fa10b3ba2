import { mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Destination, destinationAt, destinationIn, isFileName } from '../../../src/transfer/destination.js';
import { saveFile } from '../../../src/transfer/save-file.js';
import { type TemporaryFolder, temporaryFolder } from '../support/open-files.js';
import { failure } from '../support/upload.js';

let folder: TemporaryFolder;
const at = (...names: string[]): string => join(folder.path, ...names);
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  expect(await folder.openFiles()).toEqual([]);
  await folder.remove();
});

/** Pieces of a file; `between` runs before the second one. */
async function* pieces(between: () => unknown = () => {}, ...contents: string[]): AsyncGenerator<Uint8Array> {
  const all = contents.length === 0 ? ['con', 'tent'] : contents;
  for (const [index, text] of all.entries()) {
    if (index === 1) await between();
    yield Buffer.from(text);
  }
}
const never = new AbortController().signal;
const save = (destination: Destination, content: AsyncIterable<Uint8Array> = pieces(), signal = never) =>
  saveFile(destination, content, signal);
const tree = async (): Promise<string[]> => (await readdir(folder.path, { recursive: true })).sort();

describe('at a path', () => {
  it('saves the file, for this user alone, with nothing beside it', async () => {
    const path = await save(destinationAt(at('a.txt'), 'a.txt', false));
    expect(path).toBe(at('a.txt'));
    expect(await readFile(path, 'utf8')).toBe('content');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(path)).nlink).toBe(1);
    expect(await tree()).toEqual(['a.txt']);
  });

  it('saves an empty one', async () => {
    const none = (async function* () {})();
    expect(await readFile(await save(destinationAt(at('a'), 'a', false), none), 'utf8')).toBe('');
  });

  it('shows nothing under its name before the end', async () => {
    await save(
      destinationAt(at('a.txt'), 'a.txt', false),
      pieces(async () => {
        const [name, ...others] = await tree();
        expect(others).toEqual([]);
        expect(name).toMatch(/^\.[\da-f-]{36}\.part$/);
      }),
    );
  });

  it('resolves a relative one when it is called', async () => {
    const before = process.cwd();
    try {
      process.chdir(folder.path);
      const destination = destinationAt('a.txt', 'a.txt', false);
      process.chdir(before);
      expect(await save(destination)).toBe(at('a.txt'));
    } finally {
      process.chdir(before);
    }
  });

  it('does not make the folder it is in', async () => {
    let asked = false;
    const error = await failure(
      save(
        destinationAt(at('none', 'a'), 'a', false),
        (async function* () {
          asked = true;
          yield Buffer.from('x');
        })(),
      ),
    );
    expect(error).toMatchObject({
      code: 'download_failed',
      details: { reason: 'write_failed' },
      cause: { code: 'ENOENT' },
    });
    expect(asked).toBe(false);
  });
});

describe('what is there already', () => {
  const kinds: [string, () => Promise<unknown>][] = [
    ['a file', () => writeFile(at('a'), 'before')],
    ['a folder', () => mkdir(at('a'))],
    [
      'a link',
      async () => {
        await writeFile(at('other'), 'before');
        await symlink(at('other'), at('a'));
      },
    ],
    ['a link that leads nowhere', () => symlink(at('nowhere'), at('a'))],
  ];

  it.each(kinds)('%s is found before anything is fetched', async (_, make) => {
    await make();
    const before = await tree();
    let asked = false;
    const content = (async function* () {
      asked = true;
      yield Buffer.from('x');
    })();
    expect((await failure(save(destinationAt(at('a'), 'a', false), content))).code).toBe('destination_exists');
    expect(asked).toBe(false);
    expect(await tree()).toEqual(before);
  });

  it.each(kinds)('%s that comes meanwhile stays as it is', async (_, make) => {
    const error = await failure(save(destinationAt(at('a'), 'a', false), pieces(make)));
    expect(error.code).toBe('destination_exists');
    expect((await tree()).filter(name => name.endsWith('.part'))).toEqual([]);
    if ((await tree()).includes('other')) expect(await readFile(at('other'), 'utf8')).toBe('before');
  });

  it('is replaced with overwrite: a file', async () => {
    await writeFile(at('a'), 'before');
    await save(destinationAt(at('a'), 'a', true));
    expect(await readFile(at('a'), 'utf8')).toBe('content');
    expect(await tree()).toEqual(['a']);
  });

  it('is replaced with overwrite: a link, and not what it leads to', async () => {
    await writeFile(at('other'), 'before');
    await symlink(at('other'), at('a'));
    await save(destinationAt(at('a'), 'a', true));
    expect(await readFile(at('other'), 'utf8')).toBe('before');
    expect(await readFile(at('a'), 'utf8')).toBe('content');
  });

  it('is never a folder that is replaced', async () => {
    await mkdir(at('a'));
    expect((await failure(save(destinationAt(at('a'), 'a', true)))).code).toBe('destination_exists');
    await rm(at('a'), { recursive: true });
    const error = await failure(
      save(
        destinationAt(at('a'), 'a', true),
        pieces(() => mkdir(at('a'))),
      ),
    );
    expect(error).toMatchObject({ code: 'download_failed', details: { reason: 'write_failed' } });
    expect(await tree()).toEqual(['a']);
  });

  it('is kept with overwrite until the new one is whole', async () => {
    await writeFile(at('a'), 'before');
    const broken = pieces(() => {
      throw new Error('lost');
    });
    await failure(save(destinationAt(at('a'), 'a', true), broken));
    expect(await readFile(at('a'), 'utf8')).toBe('before');
    expect(await tree()).toEqual(['a']);
  });

  it('of many at once for one place, one is saved', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `content ${index}`);
    const outcomes = await Promise.allSettled(
      names.map(name => save(destinationAt(at('a'), 'a', false), pieces(undefined, name))),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const winner = outcomes.findIndex(({ status }) => status === 'fulfilled');
    expect(await readFile(at('a'), 'utf8')).toBe(names[winner]);
    expect(await tree()).toEqual(['a']);
  });
});

describe('in a folder', () => {
  it('makes it, and folders below', async () => {
    const path = await save(destinationIn(at('new', 'dir'), 'out/deep/a.txt', false));
    expect(path).toBe(at('new', 'dir', 'out', 'deep', 'a.txt'));
    expect(await readFile(path, 'utf8')).toBe('content');
  });

  it('takes real folders that are there, and a link to the folder itself', async () => {
    await mkdir(at('real', 'out'), { recursive: true });
    await symlink(at('real'), at('dir'));
    expect(await save(destinationIn(at('dir'), 'out/a', false))).toBe(at('dir', 'out', 'a'));
    expect(await readFile(at('real', 'out', 'a'), 'utf8')).toBe('content');
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      'a link out of it',
      async () => {
        await mkdir(at('outside'));
        await symlink(at('outside'), at('dir', 'out'));
      },
    ],
    [
      'a link within it',
      async () => {
        await mkdir(at('dir', 'inner'));
        await symlink(at('dir', 'inner'), at('dir', 'out'));
      },
    ],
    ['a link that leads nowhere', () => symlink(at('nowhere'), at('dir', 'out'))],
    ['a file', () => writeFile(at('dir', 'out'), '')],
  ])('does not go through %s', async (_, make) => {
    await mkdir(at('dir'));
    await make();
    const before = await tree();
    let asked = false;
    const content = (async function* () {
      asked = true;
      yield Buffer.from('x');
    })();
    expect(await failure(save(destinationIn(at('dir'), 'out/a', false), content))).toMatchObject({
      code: 'download_failed',
      details: { reason: 'unsafe_destination' },
    });
    expect(asked).toBe(false);
    expect(await tree()).toEqual(before);
  });

  it('notices a folder that becomes a link while the file is written', async () => {
    await mkdir(at('dir', 'out'), { recursive: true });
    await mkdir(at('outside'));
    const swap = async (): Promise<void> => {
      await rename(at('dir', 'out'), at('dir', 'moved'));
      await symlink(at('outside'), at('dir', 'out'));
    };
    const error = await failure(save(destinationIn(at('dir'), 'out/a', false), pieces(swap)));
    expect(error.code).toBe('download_failed');
    expect(await readdir(at('outside'))).toEqual([]);
  });

  it('notices a link that is put where the folder is about to be made', async () => {
    await mkdir(at('dir'));
    await mkdir(at('outside'));
    const content = (async function* () {
      await symlink(at('outside'), at('dir', 'out'));
      yield Buffer.from('x');
    })();
    expect(await failure(save(destinationIn(at('dir'), 'out/a', false), content))).toMatchObject({
      details: { reason: 'unsafe_destination' },
    });
    expect(await readdir(at('outside'))).toEqual([]);
  });

  it.each(['../a', 'out/../../a', '/etc/passwd', 'out//a', '', '.', 'a\0b', 'out\\a'])(
    'has no place for %j',
    async name => {
      const error = await failure((async () => save(destinationIn(at('dir'), name, false)))());
      expect(error).toMatchObject({ code: 'download_failed', details: { reason: 'unsafe_destination' } });
      expect(await tree()).toEqual([]);
    },
  );

  it('never leaves it, whatever the name', async () => {
    const segment = fc.oneof(
      fc.constantFrom('..', '.', '', 'a', '~', '-rf', 'con', 'a:b'),
      fc.string({ maxLength: 6 }),
    );
    const name = fc.array(segment, { minLength: 1, maxLength: 4 }).map(segments => segments.join('/'));
    const dir = at('x', 'dir');
    await fc.assert(
      fc.asyncProperty(name, async given => {
        try {
          const { root, folders, file } = destinationIn(dir, given, false);
          expect(join(root, ...folders, file).startsWith(`${dir}/`)).toBe(true);
          expect(dirname(join(dir, 'z', file))).toBe(join(dir, 'z'));
        } catch (error) {
          expect(error).toMatchObject({ details: { reason: 'unsafe_destination' } });
        }
      }),
    );
  });

  it.each(['CON', 'con.txt', 'Lpt1', 'com¹.log', 'a:b', 'C:', 'a.', 'a ', 'a?', 'nul .txt', 'CONOUT$'])(
    'on Windows takes no file named %j',
    name => {
      expect(isFileName(name, 'win32')).toBe(false);
      expect(isFileName(name, 'linux')).toBe(true);
    },
  );

  it.each(['console.txt', 'a.con', 'com.txt', 'résumé (1).pdf', '.gitignore'])('on Windows takes %j', name => {
    expect(isFileName(name, 'win32')).toBe(true);
  });
});

describe('a failure', () => {
  it('of the content leaves nothing, the folders it made included', async () => {
    const broken = pieces(() => {
      throw new Error('lost');
    });
    const error = await failure(save(destinationIn(at('new', 'dir'), 'out/deep/a.txt', false), broken));
    expect(error).toMatchObject({ code: 'download_failed', details: { reason: 'write_failed' } });
    expect(await tree()).toEqual([]);
  });

  it('leaves the folders that something else is in by now', async () => {
    const broken = pieces(async () => {
      await writeFile(at('dir', 'out', 'other'), 'mine');
      throw new Error('lost');
    });
    await failure(save(destinationIn(at('dir'), 'out/deep/a.txt', false), broken));
    expect(await tree()).toEqual(['dir', 'dir/out', 'dir/out/other']);
  });

  it('by an abort after the last byte leaves nothing', async () => {
    const caller = new AbortController();
    const content = pieces(() => caller.abort('late'));
    const error = await failure(save(destinationAt(at('a'), 'a', false), content, caller.signal));
    expect(error).toMatchObject({ code: 'aborted', cause: 'late' });
    expect(await tree()).toEqual([]);
  });

  it('ends the content that is not needed any more', async () => {
    let ended = false;
    const content = (async function* () {
      try {
        yield Buffer.from('x');
        await rm(folder.path, { recursive: true });
        await mkdir(folder.path);
        yield Buffer.from('x');
      } finally {
        ended = true;
      }
    })();
    await failure(save(destinationAt(at('a'), 'a', false), content));
    expect(ended).toBe(true);
    expect(await tree()).toEqual([]);
  });

  it('by a folder that is a file', async () => {
    await writeFile(at('folder'), '');
    const error = await failure(save(destinationIn(at('folder'), 'a', false)));
    expect(error).toMatchObject({ code: 'download_failed', details: { reason: 'write_failed' } });
    expect(await tree()).toEqual(['folder']);
  });

  it('names neither the path nor what the server may have put into the name', async () => {
    await writeFile(at('a'), '');
    const error = await failure(save(destinationAt(at('a'), 'a?sig=secret', false)));
    expect(error.message + JSON.stringify(error)).not.toMatch(/secret|mcp-files-/);
  });
});
