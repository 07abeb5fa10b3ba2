import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable, Writable } from 'node:stream';
import { type BusboyHeaders, Busboy as FastifyBusboy } from '@fastify/busboy';
import busboy from 'busboy';
import formidable from 'formidable';
import multer from 'multer';

/** What a parser made of a form. */
export interface Reading {
  fields: [name: string, value: string][];
  files: { field: string; name: string; type: string; size: number; sha256: string }[];
  /** Names of fields and files as they came; `undefined` where the parser keeps no order across the two. */
  order: string[] | undefined;
}

export interface Parser {
  read(request: IncomingMessage): Promise<Reading>;
  /** Names of files and of fields as the parser hands them out: some undo the percent-encoding of form names (WHATWG). */
  shownName(sent: string): string;
  shownField(sent: string): string;
}

const MANY = 64 * 1024 * 1024;
const asSent = (name: string) => name;
const decoded = (name: string) => name.replace(/%0A|%0D|%22/gi, decodeURIComponent);

function finished(emitter: { once(event: string, listener: (error?: unknown) => void): unknown }, event: string) {
  return new Promise<void>((resolve, reject) => {
    emitter.once(event, () => resolve());
    emitter.once('error', reject);
  });
}

async function digest(stream: Readable) {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of stream) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, sha256: hash.digest('hex') };
}

async function readWithBusboy(request: IncomingMessage): Promise<Reading> {
  const parser = busboy({ headers: request.headers, defParamCharset: 'utf8', limits: { fieldSize: MANY } });
  const fields: Reading['fields'] = [];
  const files: Promise<Reading['files'][number]>[] = [];
  const order: string[] = [];
  parser.on('field', (name, value) => {
    fields.push([name, value]);
    order.push(name);
  });
  parser.on('file', (field, stream, { filename: name = '', mimeType: type }) => {
    files.push(digest(stream).then(content => ({ field, name, type, ...content })));
    order.push(field);
  });
  request.pipe(parser);
  await finished(parser, 'close');
  return { fields, files: await Promise.all(files), order };
}

async function readWithFastifyBusboy(request: IncomingMessage): Promise<Reading> {
  const parser = new FastifyBusboy({ headers: request.headers as BusboyHeaders, limits: { fieldSize: MANY } });
  const fields: Reading['fields'] = [];
  const files: Promise<Reading['files'][number]>[] = [];
  const order: string[] = [];
  parser.on('field', (name, value) => {
    fields.push([name, value]);
    order.push(name);
  });
  parser.on('file', (field, stream, name, _encoding, type) => {
    files.push(digest(stream).then(content => ({ field, name, type, ...content })));
    order.push(field);
  });
  request.pipe(parser);
  await finished(parser, 'finish');
  return { fields, files: await Promise.all(files), order };
}

async function readWithFormidable(request: IncomingMessage): Promise<Reading> {
  const contents: Buffer[][] = [];
  const form = formidable({
    allowEmptyFiles: true,
    minFileSize: 0,
    maxFieldsSize: MANY,
    fileWriteStreamHandler: () => {
      const chunks: Buffer[] = [];
      contents.push(chunks);
      return new Writable({
        write(chunk, _encoding, done) {
          chunks.push(chunk);
          done();
        },
      });
    },
  });
  const fields: Reading['fields'] = [];
  const found: { field: string; name: string; type: string }[] = [];
  const order: string[] = [];
  form.on('field', (name, value) => {
    fields.push([name, value]);
    order.push(name);
  });
  form.on('file', (field, file) => {
    found.push({ field, name: file.originalFilename ?? '', type: file.mimetype ?? '' });
    order.push(field);
  });
  await form.parse(request);
  const files = found.map(async (file, at) => ({ ...file, ...(await digest(Readable.from(contents[at] ?? []))) }));
  return { fields, files: await Promise.all(files), order };
}

async function readWithMulter(request: IncomingMessage): Promise<Reading> {
  const storage = multer.memoryStorage();
  const middleware = multer({ storage, defParamCharset: 'utf8', limits: { fieldSize: MANY } }).any();
  await new Promise<void>((resolve, reject) => {
    middleware(request as never, {} as never, error => (error ? reject(error) : resolve()));
  });
  const { body, files } = request as unknown as { body: Record<string, string>; files: Express.Multer.File[] };
  const read = files.map(async ({ fieldname: field, originalname: name, mimetype: type, buffer }) => ({
    field,
    name,
    type,
    ...(await digest(Readable.from([buffer]))),
  }));
  return { fields: Object.entries(body), files: await Promise.all(read), order: undefined };
}

/** None of them is of this project. */
export const PARSERS: Readonly<Record<string, Parser>> = {
  busboy: { read: readWithBusboy, shownName: asSent, shownField: asSent },
  '@fastify/busboy': { read: readWithFastifyBusboy, shownName: asSent, shownField: asSent },
  formidable: { read: readWithFormidable, shownName: decoded, shownField: asSent },
  multer: { read: readWithMulter, shownName: decoded, shownField: decoded },
};
