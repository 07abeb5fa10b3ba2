import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { fromBytes } from '../../src/source/from-bytes.js';
import { fromStream } from '../../src/source/from-stream.js';
import { cleanName } from '../../src/source/name.js';
import { planFile } from '../../src/source/plan-file.js';
import { createFetchEngine } from '../../src/transfer/fetch-engine.js';
import { PARSERS, type Reading } from './support/form-readers.js';
import { closeEngines, engine, send } from './support/upload.js';

const parserNames = Object.keys(PARSERS);

let server: Server;
let origin: string;
let reading: Reading | undefined;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    try {
      reading = await PARSERS[decodeURIComponent(request.url ?? '').slice(1)]?.read(request);
      response.writeHead(200).end();
    } catch {
      response.writeHead(400).end();
    }
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(closeEngines);

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

type Fields = readonly (readonly [string, string])[];
type File = { readonly name: string; readonly type?: string; readonly bytes: Uint8Array };

/** Sends a form over HTTP, and says what the parser read. */
async function readBack(parser: string, fields: Fields, { name, type, bytes }: File, fileField = 'file') {
  reading = undefined;
  const form = { fields, fileField };
  const file = fromBytes(bytes, { name, ...(type !== undefined && { type }) });
  await send(engine(), origin, { file, target: { form, requestPath: `/${encodeURIComponent(parser)}` } });
  return reading as Reading | undefined;
}

function expected(parser: string, fields: Fields, { name, type, bytes }: File, fileField = 'file'): Reading {
  const sent = cleanName(name).replaceAll('"', '%22');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return {
    fields: fields.map(([name, value]) => [name, value]),
    files: [
      {
        field: fileField,
        name: PARSERS[parser]!.shownName(sent),
        type: type ?? 'application/octet-stream',
        size: bytes.byteLength,
        sha256,
      },
    ],
    order: parser === 'multer' ? undefined : [...fields.map(([name]) => name), fileField],
  };
}

/** Of all values, with the beginnings of boundaries in it. */
function content(size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at++) bytes[at] = Math.imul(at + 1, 2654435761) >>> 24;
  for (let at = 100; at + 40 < size; at += 70_001)
    bytes.set(Buffer.from('\r\n----------------------------\r\n--\r\n'), at);
  return bytes;
}

const POLICY: Fields = [
  ['key', 'uploads/9'],
  ['Content-Type', 'application/pdf'],
  ['x-amz-credential', 'AKIA/20300101/us-east-1/s3/aws4_request'],
  ['policy', 'eyJleHBpcmF0aW9uIjoiMjAzMC0wMS0wMSJ9+/=='],
];

const NAMES = [
  'plain.pdf',
  'a "quoted" name.pdf',
  "an apostrophe's.pdf",
  'two\r\nlines.pdf',
  'naïve – Ünïcode – 名前.pdf',
  '🎈👩‍👩‍👧.pdf',
  'C:\\folder\\back\\slash.pdf',
  '50% off.pdf',
  'a; filename=b.pdf',
  `${'long '.repeat(60)}.pdf`,
  '.leading-dot',
  'no extension',
  'e\u0301 and \u00e9.pdf',
];

/** Values that a naive reader or writer of forms trips over. */
const VALUES = [
  '',
  ' ',
  'ä 名 🎈',
  'one\r\ntwo',
  '\r\n',
  'lone \n and \r',
  'back\\slash and "quotes"',
  '%22 %0D %41 + &amp; &#228;',
  '--boundary--\r\n\r\nContent-Disposition: form-data; name="x"\r\n\r\ny',
  '\0\u0001\u007f',
  'v'.repeat(300_000),
];

describe.each(parserNames)('a form read by %s', parser => {
  it.each(NAMES)('has its file under the name %j', async name => {
    const file = { name, type: 'application/pdf', bytes: content(1_000) };
    expect(await readBack(parser, POLICY, file)).toEqual(expected(parser, POLICY, file));
  });

  it.each([0, 1, 65_536, 1_048_577, 5_000_000])('has the bytes of a file of %i bytes', async size => {
    const file = { name: 'x.bin', bytes: content(size) };
    expect(await readBack(parser, POLICY, file)).toEqual(expected(parser, POLICY, file));
  });

  it.each(VALUES.map(value => ({ value, shown: JSON.stringify(value.slice(0, 40)) })))(
    'has the value $shown as it was given',
    async ({ value }) => {
      const fields: Fields = [
        ['before', '1'],
        ['value', value],
        ['after', '2'],
      ];
      const file = { name: 'x.bin', bytes: content(10) };
      expect(await readBack(parser, fields, file)).toEqual(expected(parser, fields, file));
    },
  );

  it('has fields and file under names that are no plain words', async () => {
    const fields: Fields = [
      ['x-amz-meta-ä 名', '1'],
      ['semi;colon=1', '2'],
      ["apostrophe's", '3'],
      ['50%', '4'],
    ];
    const file = { name: 'x.bin', bytes: content(10) };
    expect(await readBack(parser, fields, file, 'die Datei ü')).toEqual(expected(parser, fields, file, 'die Datei ü'));
  });

  it('has no line break or quote of a field name in its header: they are percent-encoded', async () => {
    const fields: Fields = [['a "quoted"\r\nname', '1']];
    const sent: Fields = [['a %22quoted%22%0D%0Aname', '1']];
    const file = { name: 'x.bin', bytes: content(10) };
    const { shownField } = PARSERS[parser]!;
    const shown = sent.map(([name, value]) => [shownField(name), value] as const);
    expect(await readBack(parser, fields, file)).toEqual(expected(parser, shown, file));
  });

  it('needs no field but the file', async () => {
    const file = { name: 'x.bin', bytes: content(10) };
    expect(await readBack(parser, [], file)).toEqual(expected(parser, [], file));
  });

  it('has any values, names and bytes whatever they are', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 });
    const anyForm = fc.record({
      values: fc.array(text, { maxLength: 6 }),
      name: text,
      bytes: fc.uint8Array({ maxLength: 2_000 }),
    });
    await fc.assert(
      fc.asyncProperty(anyForm, async ({ values, name, bytes }) => {
        const fields = values.map((value, at) => [`field-${at}`, value] as const);
        const file = { name, type: 'image/png', bytes };
        expect(await readBack(parser, fields, file)).toEqual(expected(parser, fields, file));
      }),
      { numRuns: 60 },
    );
  });

  it('is the same form when fetch sends it, and when the file is a stream', async () => {
    const bytes = content(200_000);
    const file = { name: 'naïve "q".bin', bytes };
    const target = { form: { fields: POLICY, fileField: 'file' }, requestPath: `/${encodeURIComponent(parser)}` };
    const stream = fromStream(() => new Blob([bytes as Uint8Array<ArrayBuffer>]).stream(), {
      name: file.name,
      size: bytes.byteLength,
    });
    const byFetch = createFetchEngine(globalThis.fetch, {});
    for (const used of [byFetch, engine()]) {
      reading = undefined;
      await send(used, origin, { file: stream, target });
      expect(reading).toEqual(expected(parser, POLICY, file));
    }
    await byFetch.close();
  });
});

describe('a form that the platform encodes, as in a browser', () => {
  afterEach(() => {
    vi.doUnmock('form-data');
    vi.resetModules();
  });

  it.each(parserNames)('is read by %s as the other one is', async parser => {
    vi.resetModules();
    vi.doMock('form-data', () => ({ default: FormData }));
    const { makeBody } = await import('../../src/transfer/body.js');
    const { signal } = new AbortController();
    for (const name of NAMES) {
      const file = { name, type: 'application/pdf', bytes: content(1_000) };
      const planned = await planFile(fromBytes(file.bytes, file), signal);
      const body = await makeBody(planned, { fields: POLICY, fileField: 'file' });
      const headers = { 'content-type': body.contentType! };
      reading = undefined;
      await fetch(`${origin}/${encodeURIComponent(parser)}`, {
        method: 'POST',
        headers,
        body: await body.blob(signal),
      });
      expect(reading).toEqual(expected(parser, POLICY, file));
    }
  });
});
