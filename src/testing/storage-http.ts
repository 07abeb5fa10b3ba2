import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import type { Settings } from './options.js';
import type { PathSigner } from './signed-path.js';
import { type DownloadSlot, type Storage, StorageRefusal, type UploadSlot } from './storage.js';
import { FILE_FIELD } from './targets.js';

/** Answers requests to targets. `path` is what follows the storage's base, with its query, as it arrived. */
export type StorageHandler = (path: string, request: IncomingMessage, response: ServerResponse) => Promise<void>;

export function storageHandler(storage: Storage, signer: PathSigner, settings: Settings): StorageHandler {
  return async (path, request, response) => {
    // Targets are for whoever holds the signed URL, a page in a browser included.
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-expose-headers', 'etag, content-range, accept-ranges');
    try {
      if (request.method === 'OPTIONS') return preflight(response);
      const { route, id } = signer.verify(request.method ?? '', path);
      const slot = route === 'uploads' ? storage.upload(id) : storage.download(id);
      if (slot === undefined) throw new StorageRefusal(404, 'NotFound');
      checkCredentials(request, slot.credentials, settings.bearer);
      if ('mode' in slot) await receiveUpload(storage, slot, settings, request, response);
      else await sendDownload(storage, slot, settings, request, response);
    } catch (error) {
      refuse(request, response, error);
    }
  };
}

function preflight(response: ServerResponse): void {
  response
    .writeHead(204, {
      'access-control-allow-methods': 'PUT, POST, GET',
      'access-control-allow-headers': '*, authorization',
    })
    .end();
}

/** `include` demands the token; a credential where none belongs is refused, as S3 refuses a bearer on a signed URL. */
function checkCredentials(request: IncomingMessage, credentials: 'omit' | 'include', bearer: string | undefined): void {
  const { authorization } = request.headers;
  if (credentials === 'omit' && authorization !== undefined) throw new StorageRefusal(400, 'UnexpectedAuthorization');
  if (credentials === 'include' && authorization !== `Bearer ${bearer}`) throw new StorageRefusal(401, 'Unauthorized');
}

async function receiveUpload(
  storage: Storage,
  slot: UploadSlot,
  settings: Settings,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { tool, pointer, mode } = slot;
  if (await settings.hooks.onTransfer?.({ tool, pointer, mode }, request, response)) return;
  for (const [name, value] of Object.entries(slot.headers)) {
    if (request.headers[name] !== value) throw new StorageRefusal(403, 'SignedHeaderMismatch');
  }
  // No chunked bodies: S3 answers 501 to them, Azure and Ceph 411.
  const length = request.headers['content-length'];
  if (length === undefined) throw new StorageRefusal(411, 'MissingContentLength');
  if (mode !== 'form' && Number(length) !== slot.size) throw new StorageRefusal(400, 'SizeMismatch');
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  await storage.write(slot.id, async save => {
    if (mode === 'form') return { headers, fields: await receiveForm(request, slot.fields, save) };
    await save(request);
    return { headers };
  });
  if (mode === 'put') response.writeHead(200, { etag: `"${slot.id}"` }).end();
  else if (mode === 'post') response.writeHead(200, { 'content-type': 'text/plain' }).end('OK');
  else response.writeHead(201).end();
}

async function receiveForm(
  request: IncomingMessage,
  expected: UploadSlot['fields'],
  save: (body: import('node:stream').Readable) => Promise<void>,
): Promise<UploadSlot['fields']> {
  const contentType = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*;/i.test(contentType)) throw new StorageRefusal(400, 'MalformedPOSTRequest');
  const fields: Array<readonly [string, string]> = [];
  let saving: Promise<unknown> | undefined;
  let problem: string | undefined;
  const parser = new Busboy({ headers: { ...request.headers, 'content-type': contentType } });
  parser.on('field', (name, value) => {
    if (saving !== undefined) problem ??= 'FieldAfterFile';
    fields.push([name, value]);
  });
  parser.on('file', (name, body) => {
    if (saving !== undefined) problem ??= 'SecondFile';
    else if (name !== FILE_FIELD) problem ??= 'WrongFileField';
    else if (JSON.stringify(fields) !== JSON.stringify(expected)) problem ??= 'PolicyMismatch';
    if (problem !== undefined) return void body.resume();
    // Kept as a value, so that a failure here cannot go unhandled while the rest of the form is read.
    saving = save(body).then(
      () => undefined,
      (error: unknown) => error,
    );
  });
  try {
    await pipeline(request, parser);
  } catch {
    problem ??= 'MalformedPOSTRequest';
  }
  const failure = await saving;
  if (problem !== undefined) throw new StorageRefusal(400, problem);
  if (failure !== undefined) throw failure;
  return fields;
}

async function sendDownload(
  storage: Storage,
  slot: DownloadSlot,
  settings: Settings,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (await settings.hooks.onDownload?.({ name: slot.name }, request, response)) return;
  const etag = `"${slot.id}"`;
  // RFC 9110, 13.1.5: the rest of another file is of no use, so the whole is sent.
  const condition = request.headers['if-range'];
  const isSame = condition === undefined || condition === etag;
  const range = rangeOf(isSame ? request.headers.range : undefined, slot.size);
  if (range === undefined) {
    response.setHeader('content-range', `bytes */${slot.size}`);
    throw new StorageRefusal(416, 'InvalidRange');
  }
  const { start, end, partial } = range;
  response.writeHead(partial ? 206 : 200, {
    'content-type': slot.mimeType,
    'content-length': end - start + 1,
    'accept-ranges': 'bytes',
    etag,
    ...(partial ? { 'content-range': `bytes ${start}-${end}/${slot.size}` } : {}),
  });
  if (slot.size === 0) return void response.end();
  await pipeline(storage.read(slot.id, { start, end }), response);
}

/** One range as RFC 9110 has it; `undefined` if it cannot be satisfied. Anything else is answered with the whole. */
function rangeOf(header: string | undefined, size: number) {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (match === null || (match[1] === '' && match[2] === '')) return { start: 0, end: size - 1, partial: false };
  const suffix = match[1] === '';
  const start = suffix ? Math.max(0, size - Number(match[2])) : Number(match[1]);
  const end = suffix || match[2] === '' ? size - 1 : Math.min(size - 1, Number(match[2]));
  return start > end ? undefined : { start, end, partial: true };
}

/** An error as object stores word it. The rest of the body is read, so that its sender gets to the answer. */
function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy();
  const { status, code } = error instanceof StorageRefusal ? error : { status: 500, code: 'InternalError' };
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code></Error>`;
  response
    .writeHead(status, { 'content-type': 'application/xml', 'content-length': Buffer.byteLength(body) })
    .end(body);
  request.resume();
}
