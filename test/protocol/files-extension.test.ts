import { describe, expect, test } from 'vitest';
import {
  clientCapability,
  FILES_EXTENSION,
  fileArgumentValue,
  isInlineTooLarge,
  isInvalidRequestState,
  readServerCapability,
  uploadResponse,
} from '../../src/protocol/index.js';

describe('client capability', () => {
  test('says whether credentials can go along', () => {
    expect(clientCapability({ include: false })).toEqual({ upload: {}, download: {} });
    expect(clientCapability({ include: true })).toEqual({ upload: { include: true }, download: {} });
  });
});

describe('server capability', () => {
  test.each<[string, unknown, object, number]>([
    ['nothing at all', undefined, { advertised: false, olderDraft: false }, 0],
    ['other extensions only', { 'com.example/other': {} }, { advertised: false, olderDraft: false }, 0],
    ['an empty object', { [FILES_EXTENSION]: {} }, { advertised: true, olderDraft: false }, 0],
    [
      'a limit',
      { [FILES_EXTENSION]: { maxInlineBytes: 1048576 } },
      { advertised: true, maxInlineBytes: 1048576, olderDraft: false },
      0,
    ],
    [
      'a limit of nothing',
      { [FILES_EXTENSION]: { maxInlineBytes: 0 } },
      { advertised: true, maxInlineBytes: 0, olderDraft: false },
      0,
    ],
    ['a null limit', { [FILES_EXTENSION]: { maxInlineBytes: null } }, { advertised: true, olderDraft: false }, 0],
    ['a negative limit', { [FILES_EXTENSION]: { maxInlineBytes: -1 } }, { advertised: true, olderDraft: false }, 1],
    ['a broken limit', { [FILES_EXTENSION]: { maxInlineBytes: 1.5 } }, { advertised: true, olderDraft: false }, 1],
    ['a limit in words', { [FILES_EXTENSION]: { maxInlineBytes: '1024' } }, { advertised: true, olderDraft: false }, 1],
    [
      'an endless limit',
      { [FILES_EXTENSION]: { maxInlineBytes: JSON.parse('1e999') } },
      { advertised: true, olderDraft: false },
      1,
    ],
    ['true', { [FILES_EXTENSION]: true }, { advertised: true, olderDraft: false }, 1],
    ['false', { [FILES_EXTENSION]: false }, { advertised: false, olderDraft: false }, 0],
    ['null', { [FILES_EXTENSION]: null }, { advertised: false, olderDraft: false }, 0],
    ['a list', { [FILES_EXTENSION]: [] }, { advertised: false, olderDraft: false }, 1],
    [
      'the older draft',
      { [FILES_EXTENSION]: { prepareUpload: {}, completeUpload: {}, getDownload: {} } },
      { advertised: false, olderDraft: true },
      1,
    ],
    [
      'one method of the older draft',
      { [FILES_EXTENSION]: { getDownload: true } },
      { advertised: false, olderDraft: true },
      1,
    ],
    [
      'both drafts',
      { [FILES_EXTENSION]: { getDownload: true, maxInlineBytes: 5 } },
      { advertised: true, maxInlineBytes: 5, olderDraft: false },
      0,
    ],
    ['extensions that are no object', ['x'], { advertised: false, olderDraft: false }, 0],
  ])('%s', (_, extensions, expected, notes) => {
    const said: string[] = [];
    expect(readServerCapability(extensions as never, message => said.push(message))).toEqual(expected);
    expect(said).toHaveLength(notes);
  });

  test('reads no prototype', () => {
    const extensions = Object.create({ [FILES_EXTENSION]: {} });
    expect(readServerCapability(extensions, () => {}).advertised).toBe(false);
  });
});

describe('file argument', () => {
  const value = { name: 'hi.txt', mimeType: 'text/plain', size: 5, data: 'aGVsbG8=' };

  test('is written in one order', () => {
    const written = fileArgumentValue({ data: 'aGVsbG8=', size: 5, mimeType: 'text/plain', name: 'hi.txt' }, undefined);
    expect(JSON.stringify(written)).toBe('{"name":"hi.txt","mimeType":"text/plain","size":5,"data":"aGVsbG8="}');
  });

  test('has no data out of band, and keeps the empty data of an empty file', () => {
    const { data: _, ...outOfBand } = value;
    expect(fileArgumentValue(outOfBand, undefined)).toEqual(outOfBand);
    expect(fileArgumentValue(outOfBand, undefined)).not.toHaveProperty('data');
    expect(fileArgumentValue({ ...value, size: 0, data: '' }, undefined)).toEqual({ ...value, size: 0, data: '' });
  });

  test('leaves out what a closed schema does not list', () => {
    expect(fileArgumentValue(value, new Set(['size', 'data', 'uri']))).toEqual({ size: 5, data: 'aGVsbG8=' });
    expect(fileArgumentValue(value, new Set())).toEqual({});
  });

  test('an upload request is answered with nothing', () => {
    expect(uploadResponse()).toEqual({});
  });
});

describe('error reasons', () => {
  const reasons = (reason: unknown) => [{ reason }, { [FILES_EXTENSION]: { reason } }];

  test.each([
    ...reasons('inline_too_large'),
    ...reasons(`${FILES_EXTENSION}/inline_too_large`),
    { [FILES_EXTENSION]: { reason: 'other' }, reason: 'inline_too_large' },
  ])('inline too large: %j', data => {
    expect(isInlineTooLarge(-32602, data)).toBe(true);
    expect(isInlineTooLarge(-32603, data)).toBe(false);
    expect(isInvalidRequestState(-32602, data)).toBe(false);
  });

  test.each([
    undefined,
    null,
    'inline_too_large',
    [],
    {},
    ...reasons('not_inline_too_large'),
    ...reasons(1),
    ...reasons(null),
  ])('not inline too large: %j', data => {
    expect(isInlineTooLarge(-32602, data)).toBe(false);
  });

  test('a refused request state', () => {
    expect(isInvalidRequestState(-32602, { reason: 'invalid_request_state' })).toBe(true);
    expect(isInvalidRequestState(-32600, { reason: 'invalid_request_state' })).toBe(false);
    expect(isInvalidRequestState(-32602, { reason: 'inline_too_large' })).toBe(false);
    expect(isInvalidRequestState(-32602, undefined)).toBe(false);
  });
});
