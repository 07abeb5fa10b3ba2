import { execFileSync } from 'node:child_process';
import { appendFileSync, renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, symlink, utimes } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fromPath, fromStream } from '../../src/index.js';
import { FILE_SOURCE, type FileSource } from '../../src/source/file-source.js';
import { planFile } from '../../src/source/plan-file.js';
import { type TemporaryFolder, temporaryFolder } from '../transfer/support/open-files.js';
import { type Storage, storage, tcpServer } from '../transfer/support/server.js';
import { call, ENGINES, fails, MODES, type Mode } from './support/world.js';

const MIB = 1024 * 1024;
const modes = Object.keys(MODES) as Mode[];
let folder: TemporaryFolder;
let server: Storage;

beforeEach(async () => {
  folder = await temporaryFolder();
  server = await storage();
});

afterEach(async () => {
  await server.close();
  await folder.remove();
});

async function* parts(...contents: (string | Uint8Array)[]) {
  for (const content of contents) yield Buffer.from(content);
}

describe('a file that is not what was announced any more', () => {
  const SIZE = 8 * MIB;
  const CHANGES: Readonly<Record<string, (path: string) => void>> = {
    grew: path => appendFileSync(path, 'more'),
    shrank: path => truncateSync(path, 10),
    'shrank to nothing': path => truncateSync(path, 0),
    'was written over': path => writeFileSync(path, Buffer.alloc(SIZE, 'b')),
    'was touched': path => utimesSync(path, 5, 5),
    'was replaced under its name': path => {
      writeFileSync(`${path}.new`, Buffer.alloc(SIZE, 'a'));
      renameSync(`${path}.new`, path);
    },
  };

  const old = async (): Promise<string> => {
    const path = await folder.write('a.bin', Buffer.alloc(SIZE, 'a'));
    await utimes(path, 1_000, 1_000); // the clock of a file system may stand still for some milliseconds
    return path;
  };

  it.each(Object.entries(CHANGES).flatMap(([what, change]) => modes.map(mode => [what, mode, change] as const)))(
    'because it %s in the middle of its %s never arrives whole, and the tool is not called',
    async (_, mode, change) => {
      const path = await old();
      let changed = false;
      const { error, code, pointer } = await fails({
        files: [fromPath(path)],
        storage: server,
        target: () => MODES[mode],
        onProgress: ({ phase, sentBytes }) => {
          if (changed || phase !== 'uploading' || sentBytes < MIB) return;
          changed = true;
          change(path);
        },
      });
      expect(changed).toBe(true);
      expect([code, pointer]).toEqual(['file_changed', '/assets/0']);
      expect(error.message).toContain('a.bin');
      expect(server.requests).toEqual([]);
      expect(server.connections).toBe(1);
    },
  );

  it.each(Object.entries({ ...CHANGES, 'was deleted': (path: string) => rmSync(path) }))(
    'because it %s before the target was known is not begun',
    async (what, change) => {
      let received = 0;
      const silent = await tcpServer(socket => {
        socket.on('data', chunk => {
          received += chunk.length;
        });
      });
      const path = await old();
      const targets = { '/assets/0': { url: `${silent.origin}/put` } };
      const { code } = await fails({
        files: [fromPath(path)],
        storage: silent,
        onCall: () => {
          change(path);
          const up = { method: 'io.modelcontextprotocol/files/upload', params: { targets } };
          return { result: { resultType: 'input_required', inputRequests: { up } } };
        },
      });
      expect(code).toBe(what === 'was deleted' ? 'file_unreadable' : 'file_changed');
      expect(received).toBe(0);
      await silent.close();
    },
  );

  it('because it was deleted in the middle never arrives whole', async () => {
    const path = await old();
    const onProgress = ({ sentBytes }: { sentBytes: number }) => {
      if (sentBytes >= MIB) rmSync(path, { force: true });
    };
    const { code } = await fails({ files: [fromPath(path)], storage: server, onProgress });
    expect(code).toBe('file_changed');
    expect(server.requests).toEqual([]);
  });
});

describe('what cannot be read as a file', () => {
  const refusal = async (file: FileSource) => {
    // The arguments are looked at before the first request: the server hears nothing of the call.
    const { error, calls } = await call({ files: [file], storage: server });
    expect(calls).toHaveLength(0);
    expect(server.connections).toBe(0);
    expect(error).toMatchObject({ outcome: 'not_run', pointer: '/assets/0' });
    expect(error.message).not.toContain(folder.path);
    return [error.code, error.message] as const;
  };

  it.each<[string, (path: string) => unknown, RegExp]>([
    ['a directory', path => mkdir(path), /is a directory/],
    ['a link to a directory', path => symlink(folder.path, path), /is a directory/],
    ['a FIFO that nobody writes to', path => execFileSync('mkfifo', [path]), /is a FIFO/],
    ['a device', () => '/dev/zero', /is a device/],
    ['a file of procfs, which is empty by its size only', () => '/proc/self/status', /empty and is not/],
    ['a file of procfs that fails to be read', () => '/proc/self/mem', /could not be read/],
    ['nothing', () => {}, /does not exist/],
    ['a link to nothing', path => symlink('/nowhere', path), /does not exist/],
    ['a link to itself', path => symlink(path, path), /could not be opened|replaced/],
    ['a path through a file', () => folder.write('a', '').then(file => join(file, 'x')), /does not exist/],
  ])('%s is file_unreadable, before anything is sent', async (_, make, why) => {
    const path = join(folder.path, 'a');
    const made = await make(path);
    const [code, message] = await refusal(fromPath(typeof made === 'string' ? made : path));
    expect(code).toBe('file_unreadable');
    expect(message).toMatch(why);
  });

  it('a socket is file_unreadable', async () => {
    const path = join(folder.path, 's');
    const listening = createServer().listen(path);
    await new Promise(resolve => listening.once('listening', resolve));
    expect((await refusal(fromPath(path)))[1]).toContain('is a socket');
    listening.close();
  });

  it('a file without permission is file_unreadable', async () => {
    const path = await folder.write('a', 'x');
    await chmod(path, 0);
    await chmod(folder.path, 0o755);
    // Permissions do not count for root, so root becomes somebody else for a moment.
    const isRoot = process.geteuid!() === 0;
    if (isRoot) process.seteuid!(65_534);
    try {
      expect((await refusal(fromPath(path)))[1]).toContain('may not be read');
    } finally {
      if (isRoot) process.seteuid!(0);
    }
  });

  it('a stream that cannot be opened is file_unreadable, and its text stays inside', async () => {
    const open = () => {
      throw Object.assign(new Error('SECRET'), { code: 'E_OPEN' });
    };
    const { code, error } = await fails({ files: [fromStream(open, { name: 'a', size: 3 })], storage: server });
    expect(code).toBe('file_unreadable');
    expect(error.cause).toMatchObject({ message: 'E_OPEN' });
    expect(server.requests).toEqual([]);
  });

  it('a stream that fails in the middle is file_unreadable, and no whole body arrives', async () => {
    async function* source() {
      yield Buffer.alloc(100_000);
      throw new Error('SECRET');
    }
    const { code } = await fails({ files: [fromStream(source, { name: 'a', size: 200_000 })], storage: server });
    expect(code).toBe('file_unreadable');
    expect(server.requests).toEqual([]);
    expect(server.connections).toBe(1);
  });
});

describe.each(ENGINES)('a source that lies about its size, by the %s engine', engine => {
  const LIES: ReadonlyArray<[string, number[], number]> = [
    ['too short', [5], 6],
    ['too short by all of it', [], 6],
    ['too long, in one piece', [7], 6],
    ['too long, in a piece that follows', [6, 1], 6],
    ['too long, by much', [6, MIB, MIB], 6],
  ];

  it.each(LIES.flatMap(lie => modes.map(mode => [lie[0], mode, lie] as const)))(
    'is file_changed when it is %s, by %s; no whole body arrives',
    async (_, mode, [, sizes, size]) => {
      const file = fromStream(() => parts(...sizes.map(length => Buffer.alloc(length))), { name: 'a', size });
      const { code, details } = await fails({ engine, files: [file], storage: server, target: () => MODES[mode] });
      expect(code).toBe('file_changed');
      expect(details).toMatchObject({ size });
      expect(server.requests).toEqual([]);
    },
  );

  it.each([5, 7])('is stopped though it is of another make and checks nothing: %i of 6', async length => {
    const planned = await planFile(
      fromStream(() => parts('123456'), { name: 'a', size: 6 }),
      new AbortController().signal,
    );
    const chunks = () => parts(Buffer.alloc(length));
    const blob = async () => new Blob([new Uint8Array(length)]);
    const file = { name: 'a', [FILE_SOURCE]: async () => ({ ...planned, chunks, blob }) } as FileSource;
    const { code, details } = await fails({ engine, files: [file], storage: server });
    expect([code, details]).toEqual(['file_changed', { size: 6, received: length }]);
    expect(server.requests).toEqual([]);
  });
});
