import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isFilesError } from '../../src/errors/index.js';
import {
  authorizeUploadParams,
  fileObjectMethods,
  type JsonObject,
  olderCapabilities,
  readAuthorizedDownload,
  readAuthorizedUpload,
  readFileObject,
  readServerCapability,
  readUploadRefusal,
} from '../../src/protocol/index.js';

const URL_ = 'https://up.example.net/t?sig=secret';
const URI = 'mcp-file://server/file_01';
const DIGEST = { algorithm: 'sha-256', value: 'LPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ' } as const;
const ACCESS = { url: URL_, headers: [], credentials: 'omit' };

function upload(result: JsonObject) {
  const notes: string[] = [];
  return { ...readAuthorizedUpload(result, '/document', note => notes.push(note)), notes };
}

function refusal(work: () => unknown) {
  try {
    work();
  } catch (error) {
    if (isFilesError(error)) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('an authorised upload', () => {
  const file = { uri: URI, name: 'a.pdf', mimeType: 'application/pdf', size: 9, digest: DIGEST };

  test('as SEP-2631 has it', () => {
    const descriptor = { transport: 'https', method: 'PUT', url: URL_, expiresAt: '2026-07-28T12:00:00Z' };
    expect(upload({ file, upload: descriptor })).toEqual({
      file,
      target: { ...ACCESS, method: 'PUT', expiresAt: Date.UTC(2026, 6, 28, 12) },
      completion: { uri: URI },
      notes: [],
    });
  });

  test('a form, whose fields keep their order and are no guess', () => {
    const multipart = { fileField: 'upload', fields: { key: 'k/9', policy: 'p', token: 't' } };
    const headers = { 'Content-Type': 'multipart/form-data', 'x-token': 'x' };
    expect(
      upload({ file, upload: { transport: 'https', method: 'POST', url: URL_, headers, multipart } }),
    ).toMatchObject({
      target: {
        method: 'POST',
        headers: [
          ['Content-Type', 'multipart/form-data'],
          ['x-token', 'x'],
        ],
        form: {
          fileField: 'upload',
          fields: [
            ['key', 'k/9'],
            ['policy', 'p'],
            ['token', 't'],
          ],
        },
      },
      notes: [],
    });
  });

  test('a form without fields', () => {
    const multipart = { fileField: 'file' };
    expect(upload({ file, upload: { method: 'post', url: URL_, multipart } }).target).toMatchObject({
      method: 'POST',
      form: { fileField: 'file', fields: [] },
    });
  });

  test('the older spelling, with an id for the completion where it has one', () => {
    expect(upload({ file: { uri: URI }, transfer: { method: 'PUT', url: URL_ } })).toMatchObject({
      file: { uri: URI },
      target: { ...ACCESS, method: 'PUT' },
      completion: { uri: URI },
    });
    expect(upload({ file, transfer: { method: 'PUT', url: URL_ }, uploadId: 'u9' }).completion).toEqual({
      uri: URI,
      uploadId: 'u9',
    });
  });

  test('http as a transport is left to the target policy', () => {
    expect(upload({ file, upload: { transport: 'http', method: 'PUT', url: 'http://127.0.0.1/x' } }).target.url).toBe(
      'http://127.0.0.1/x',
    );
  });

  test.each<[string, JsonObject, RegExp]>([
    ['no file', { upload: { method: 'PUT', url: URL_ } }, /"file" has no "uri"/],
    ['a file without a uri', { file: { name: 'x' }, upload: { method: 'PUT', url: URL_ } }, /"file" has no "uri"/],
    ['an empty uri', { file: { uri: '' }, upload: { method: 'PUT', url: URL_ } }, /"file" has no "uri"/],
    ['no descriptor', { file }, /no "upload"/],
    ['a descriptor that is a text', { file, upload: URL_ }, /no "upload"/],
    ['another transport', { file, upload: { transport: 's3', method: 'PUT', url: URL_ } }, /its "transport" is not/],
    ['no url', { file, upload: { transport: 'https', method: 'PUT' } }, /neither "url" nor "path"/],
    ['PUT with a form', { file, upload: { method: 'PUT', url: URL_, multipart: {} } }, /form cannot be sent with PUT/],
    ['a method that is none', { file, upload: { method: 'A B', url: URL_ } }, /no HTTP method/],
    [
      'a field that is no text',
      { file, upload: { method: 'POST', url: URL_, multipart: { fields: { a: 1 } } } },
      /pair/,
    ],
  ])('%s is the server’s fault', (_, result, message) => {
    const error = refusal(() => upload(result));
    expect(error).toMatchObject({ code: 'server_violation', pointer: '/document' });
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain('secret');
  });
});

describe('an authorised download', () => {
  const read = (result: JsonObject, known = {}) => readAuthorizedDownload(result, known, () => {});

  test.each(['download', 'transfer'])('in "%s"; what the answer does not say is known from before', name => {
    const result = { file: { uri: URI, size: 9 }, [name]: { transport: 'https', method: 'GET', url: URL_ } };
    expect(read(result, { name: 'out/a.pdf', size: 3, digest: DIGEST })).toEqual({
      ...ACCESS,
      name: 'out/a.pdf',
      size: 9,
      digest: DIGEST,
    });
  });

  test('with headers, an expiry and no method', () => {
    const download = { url: URL_, headers: { 'x-transfer': 'c' }, expiresAt: '2026-07-28T12:00:00Z' };
    expect(read({ download })).toEqual({
      ...ACCESS,
      headers: [['x-transfer', 'c']],
      expiresAt: Date.UTC(2026, 6, 28, 12),
    });
  });

  test.each<[string, JsonObject]>([
    ['nothing', {}],
    ['an upload only', { upload: { url: URL_ } }],
    ['another method', { download: { method: 'POST', url: URL_ } }],
    ['another transport', { download: { transport: 'ftp', url: URL_ } }],
    ['no url', { download: { method: 'GET' } }],
  ])('%s fails the download', (_, result) => {
    const error = refusal(() => read(result));
    expect(error).toMatchObject({ code: 'download_failed', details: { reason: 'malformed_descriptor' } });
    expect(error.message).not.toContain('secret');
  });
});

describe('a FileValue', () => {
  test.each<[string, unknown, unknown]>([
    ['alone', { uri: URI }, { uri: URI }],
    ['opaque', { uri: '1password://x' }, { uri: '1password://x' }],
    ['of an earlier draft', { uri: URI, displayName: 'a' }, { uri: URI, name: 'a' }],
    ['both names', { uri: URI, displayName: 'a', name: 'b' }, { uri: URI, name: 'b' }],
    ['malformed facts', { uri: URI, size: '9', digest: 'x', mimeType: 1 }, { uri: URI }],
    ['more members', { uri: URI, sensitivity: 'secret' }, { uri: URI }],
    ['no uri', { name: 'a' }, undefined],
    ['a uri of another type', { uri: 5 }, undefined],
    ['a text', URI, undefined],
    ['a list', [URI], undefined],
    ['null', null, undefined],
  ])('%s', (_, value, read) => {
    expect(readFileObject(value, () => {})).toEqual(read);
  });
});

describe('a refusal of an upload', () => {
  test.each<[string, unknown, unknown]>([
    ['of SEP-2631', { reason: 'maxSizeExceeded', maxSize: 10, actualSize: 20 }, { kind: 'too_large', maxSize: 10 }],
    ['in snake case', { reason: 'max_size_exceeded' }, { kind: 'too_large' }],
    ['under "error"', { error: 'too_large', maxSize: -1 }, { kind: 'too_large' }],
    [
      'of a type',
      { reason: 'mimeTypeNotAccepted', accept: ['image/*', 5] },
      { kind: 'type_not_accepted', accept: ['image/*'] },
    ],
    ['a digest that is wanted', { reason: 'digestRequired' }, { kind: 'digest_required' }],
    ['a digest that is wrong', { reason: 'invalidDigest', supported: ['sha-256'] }, { kind: 'other' }],
    ['a quota', { error: 'quota_exhausted' }, { kind: 'other' }],
  ])('%s', (_, data, read) => {
    const { reason, error } = data as JsonObject;
    expect(readUploadRefusal(data)).toEqual({ reason: reason ?? error, ...(read as object) });
  });

  test.each<[string, unknown]>([
    ['no reason', { maxSize: 10 }],
    ['a reason that is no text', { reason: 5 }],
    ['no data', undefined],
  ])('%s is none that can be read', (_, data) => {
    expect(readUploadRefusal(data)).toBeUndefined();
  });
});

describe('the two spellings', () => {
  const methodsOf = (extensions: JsonObject | undefined) =>
    fileObjectMethods(readServerCapability(extensions, () => {}));
  const files = 'io.modelcontextprotocol/files';
  const newer = { authorizeUpload: 'files/authorizeUpload', authorizeDownload: 'files/authorizeDownload' };
  const older = { authorizeUpload: 'files/prepareUpload', authorizeDownload: 'files/getDownload' };
  const completing = { ...older, completeUpload: 'files/completeUpload' };
  test.each<[string, JsonObject | undefined, unknown]>([
    ['nothing declared', undefined, newer],
    ['the extension of today', { [files]: { maxInlineBytes: 9 } }, newer],
    ['the older draft', { [files]: { prepareUpload: true, completeUpload: true, getDownload: true } }, completing],
    ['the older draft without a completion', { [files]: { prepareUpload: true, completeUpload: false } }, older],
    ['the older draft in part', { [files]: { getDownload: true } }, completing],
    ['the older draft under a short name', { files: { prepareUpload: true } }, completing],
    ['another extension under the short name', { files: { list: true } }, newer],
  ])('%s', (_, extensions, methods) => {
    expect(methodsOf(extensions)).toEqual(methods);
  });
});

test('what is asked and declared', () => {
  const file = { name: 'a', mimeType: 'text/plain', size: 0 };
  expect(authorizeUploadParams(file)).toEqual(file);
  expect(authorizeUploadParams({ ...file, digest: DIGEST })).toEqual({ ...file, digest: DIGEST });
  expect(olderCapabilities()).toEqual({
    files: { upload: true, download: true, transports: ['https'] },
    fileInputs: {},
  });
});

test('no answer makes a reader throw anything but its own error', () => {
  const word = fc.constantFrom('file', 'uri', 'upload', 'download', 'transfer', 'transport', 'https', 'method', 'PUT');
  const more = fc.constantFrom(
    'url',
    'headers',
    'multipart',
    'fields',
    'fileField',
    'reason',
    'error',
    'maxSize',
    'GET',
  );
  const { json } = fc.letrec<{ json: unknown }>(tie => ({
    json: fc.oneof(
      { maxDepth: 5 },
      fc.oneof(word, more, fc.string(), fc.integer(), fc.constant(null)),
      fc.array(tie('json'), { maxLength: 3 }),
      fc.dictionary(fc.oneof(word, more), tie('json'), { maxKeys: 5 }),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(fc.oneof(word, more), json), result => {
      readUploadRefusal(result);
      readFileObject(result, () => {});
      for (const read of [() => upload(result), () => readAuthorizedDownload(result, {}, () => {})]) {
        try {
          read();
        } catch (error) {
          if (!isFilesError(error)) throw error;
        }
      }
    }),
  );
});
