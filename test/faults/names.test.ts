import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fromBlob, fromBytes, fromPath, fromStream } from '../../src/index.js';
import { FLAVOURS } from '../support/clients.js';
import { done, inputRequired, uploadEntry } from '../support/scripted-server.js';
import { PARSERS, type Reading } from '../transfer/support/form-readers.js';
import { type TemporaryFolder, temporaryFolder } from '../transfer/support/open-files.js';
import { type Storage, storage } from '../transfer/support/server.js';
import { call, ENGINES, MODES, succeeds } from './support/world.js';

const bytes = randomBytes(70_000);
const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');

/** The name a host gives, and the one that the server and the form get. */
const NAMES: ReadonlyArray<[given: string, cleaned: string]> = [
  ['naïve "q".bin', 'naïve "q".bin'],
  ['two\r\nlines.bin', 'twolines.bin'],
  ['a\r\nContent-Type: text/html\r\n\r\n<b>.bin', 'html<b>.bin'],
  ['emoji 🗂️👩‍👩‍👧.bin', 'emoji 🗂️👩‍👩‍👧.bin'],
  [`${'x'.repeat(296)}.bin`, `${'x'.repeat(251)}.bin`],
  [`${'é'.repeat(300)}.bin`, `${'é'.repeat(125)}.bin`],
  ['..', 'file'],
  ['.', 'file'],
  ['C:\\dir\\x', 'x'],
  ['../../etc/passwd', 'passwd'],
  ['', 'file'],
  ['   ', 'file'],
  ['"; filename="evil.exe', '"; filename="evil.exe'],
  ['fdp\u202eexe.bin', 'fdpexe.bin'],
  ['null\0byte.bin', 'nullbyte.bin'],
  ['%22%0d%0a.bin', '%22%0d%0a.bin'],
];
/** In the title of a test. */
const shown = (name: string) => JSON.stringify(name.slice(0, 44)).replaceAll('\u202e', '\\u202e');

/** By the WHATWG form encoding. */
const encoded = (name: string) => name.replaceAll('"', '%22');

let server: Storage;
beforeEach(async () => {
  server = await storage();
});
afterEach(() => server.close());

describe.each(ENGINES)('a name, by the %s engine', engine => {
  it.each(NAMES.map(([given, cleaned]) => [shown(given), shown(cleaned), given, cleaned] as const))(
    '%s is %s to the server, in the form, and in the report',
    async (_, __, given, cleaned) => {
      const seen: unknown[] = [];
      const { result, error } = await call({
        engine,
        files: [fromBytes(bytes, { name: given }), fromBytes(bytes, { name: given })],
        storage: server,
        onCall: ({ params }, index) => {
          seen.push(...params.arguments.assets.map(({ name }: { name: string }) => name));
          if (index > 0) return done();
          const targets = {
            '/assets/0': { url: `${server.origin}/put`, ...MODES.PUT },
            '/assets/1': { url: `${server.origin}/form`, ...MODES.form },
          };
          return inputRequired({ up: uploadEntry(targets) }, 'state');
        },
      });
      expect(error).toBeUndefined();
      expect(seen).toEqual([cleaned, cleaned, cleaned, cleaned]);
      expect(result!.transfers.map(({ name }) => name)).toEqual([cleaned, cleaned]);

      const put = server.requests.find(({ line }) => line.includes('/put'))!;
      expect(put.body.equals(bytes)).toBe(true);
      // Nothing of the name is in a raw upload.
      expect(put.headers.some(([name]) => /disposition|filename/i.test(name))).toBe(false);

      const { body } = server.requests.find(({ line }) => line.includes('/form'))!;
      const start = body.indexOf('Content-Disposition: form-data; name="upload"');
      const head = body.subarray(start, body.indexOf('\r\n\r\n', start)).toString();
      expect(head.split('\r\n')).toEqual([
        `Content-Disposition: form-data; name="upload"; filename="${encoded(cleaned)}"`,
        expect.stringMatching(/^Content-Type: [\w/.-]+$/),
      ]);
      const content = body.indexOf('\r\n\r\n', start) + 4;
      expect(body.subarray(content, content + bytes.length).equals(bytes)).toBe(true);
    },
  );
});

describe('a name from elsewhere', () => {
  let folder: TemporaryFolder;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  it.each(
    ['naïve "q".bin', 'two\r\nlines.bin', 'emoji 🗂️.bin', 'C:\\dir\\x', `${'x'.repeat(251)}.bin`].map(name => [
      shown(name),
      name,
    ]),
  )('the file on disk %s is read, and named cleanly', async (_, name) => {
    const path = await folder.write(name, bytes);
    const cleaned = NAMES.find(([given]) => given === name)?.[1] ?? name;
    const { transfers } = await succeeds({ files: [fromPath(path)], storage: server, target: () => MODES.form });
    expect(transfers[0]!.name).toBe(cleaned);
    expect(server.requests[0]!.body.includes(`filename="${encoded(cleaned)}"`)).toBe(true);
    expect(server.requests[0]!.body.includes(bytes)).toBe(true);
  });

  it('of a picked File, of a Blob without one, and of a stream is cleaned too', async () => {
    const file = new File([bytes], 'dir/na\nme.txt');
    async function* source() {
      yield bytes;
    }
    const stream = fromStream(source, { name: '..\\s.bin', size: bytes.length });
    const { transfers } = await succeeds({ files: [file, fromBlob(new Blob(['x'])), stream], storage: server });
    expect(transfers.map(({ name }) => name)).toEqual(['name.txt', 'file', 's.bin']);
  });
});

describe.each(FLAVOURS)('on %s', flavour => {
  it('the names of the list come through the MCP client unharmed', async () => {
    const files = NAMES.map(([name]) => fromBytes('x', { name }));
    let seen: string[] = [];
    const { error } = await call({
      flavour,
      files,
      storage: server,
      options: { inlineLimit: 1_000 },
      onCall: ({ params }) => {
        seen = params.arguments.assets.map(({ name }: { name: string }) => name);
        return done();
      },
    });
    expect(error).toBeUndefined();
    expect(seen).toEqual(NAMES.map(([, cleaned]) => cleaned));
  });
});

describe.each(Object.keys(PARSERS))('a form as %s reads it', parser => {
  // Some undo the encoding of form names, which makes one of two names of a name with a `%22` of its own.
  const names = NAMES.filter(([name]) => !name.includes('%'));

  it('has the names and bytes of the list, each in one file of its own', async () => {
    const readings: Reading[] = [];
    const reader = createServer((request, response) => {
      PARSERS[parser]!.read(request).then(
        reading => {
          readings.push(reading);
          response.end();
        },
        () => response.writeHead(400).end(),
      );
    });
    await new Promise<void>(resolve => reader.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(reader.address() as AddressInfo).port}`;
    try {
      const target = (index: number) => ({ url: `${origin}/${index}`, ...MODES.form });
      const files = names.map(([name]) => fromBytes(bytes, { name }));
      await succeeds({ files, storage: server, target, options: { concurrency: 1 } });
    } finally {
      reader.closeAllConnections();
      reader.close();
    }
    const digest = sha256(bytes);
    expect(readings.map(({ fields, files }) => [fields, files.map(({ name, sha256: sum }) => [name, sum])])).toEqual(
      names.map(([, cleaned]) => [[['key', 'v/1']], [[PARSERS[parser]!.shownName(encoded(cleaned)), digest]]]),
    );
  });
});
