import { describe, expect, it } from 'vitest';
import { echoIn, HEAD_BYTES } from '../../src/transfer/echo.js';
import type { UploadRequest } from '../../src/transfer/upload-request.js';

/** A target as S3 and Azure have them, with the host's credential. */
const request = {
  target: {
    requestPath:
      '/bucket/reports/deck.pdf?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIDEXAMPLE%2F20260101%2Feu&X-Amz-Expires=300&X-Amz-Signature=3f2a9c',
    headers: [
      ['x-ms-blob-type', 'BlockBlob'],
      ['content-type', 'application/pdf'],
      ['authorization', 'Bearer target.credential'],
    ],
    form: { fields: [['policy', 'eyJleHBpcmF0aW9uIjoi']], fileField: 'file' },
  },
  credentialHeaders: [['x-token', 'Hunter2']],
} as unknown as UploadRequest;

const head = new TextEncoder().encode('Dear all, the merger is off. PIN: 4711. Cheers');
const isEcho = echoIn(request, head);

describe('echoIn', () => {
  it.each([
    '3f2a9c',
    '3F2A9C',
    'AKIDEXAMPLE',
    'target.credential',
    'credential',
    'hunter2',
    'eyJleHBpcmF0aW9uIjoi',
    'Bad-eyJleHBpcmF0aW9uIjoi',
    'merger',
    '4711',
  ])('knows %s again', code => {
    expect(isEcho(code)).toBe(true);
  });

  it.each([
    ...['AccessDenied', 'SignatureDoesNotMatch', 'EntityTooLarge', 'InvalidPolicyDocument', 'ExpiredToken', 'SlowDown'],
    ...['AuthenticationFailed', 'MissingRequiredHeader', 'InvalidBlobType', 'BlobAlreadyExists', 'UnsupportedHeader'],
    ...['invalidRange', 'NotAuthorizedOrNotFound', 'invalid_auth', 'PERMISSION_DENIED', '403', '10005', 'path', 'E-17'],
  ])('takes %s for a code', code => {
    expect(isEcho(code)).toBe(false);
  });

  it('looks no further into the body than its head', () => {
    expect(HEAD_BYTES).toBe(65_536);
    expect(echoIn(request, new Uint8Array())('merger')).toBe(false);
  });
});
