import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { normalSha256 } from '../../../src/transfer/digest.js';
import { type Fetching, fetchFailure, fetching, fetchText } from '../support/download.js';
import { answer, type Storage, storage } from '../support/server.js';
import { closeEngines, engine, failure } from '../support/upload.js';

let server: Storage | undefined;
const start = async (respond: Parameters<typeof storage>[0]) => {
  server = await storage(respond);
  return server.origin;
};

afterEach(async () => {
  await closeEngines();
  await server?.close();
  server = undefined;
});

const digest = createHash('sha256').update('content').digest();
const chunked = (text: string): string =>
  `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;

/** What a reader had seen when the download failed. */
async function seenBefore(origin: string, how: Fetching) {
  let seen = '';
  const error = await failure(
    (async () => {
      for await (const piece of fetching(engine(), origin, how)) seen += Buffer.from(piece).toString();
    })(),
  );
  return { seen, code: error.code, details: error.details };
}

describe('the size', () => {
  it.each([6, 8])('announced as %i of 7 fails on the length alone, before the body', async size => {
    const origin = await start(() => 'HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n');
    expect(await seenBefore(origin, { size })).toEqual({
      seen: '',
      code: 'size_mismatch',
      details: { size, received: 7, origin },
    });
  });

  it('that is not reached fails at the end', async () => {
    const origin = await start(() => chunked('content'));
    expect(await seenBefore(origin, { size: 8 })).toMatchObject({
      seen: 'content',
      code: 'size_mismatch',
      details: { size: 8, received: 7 },
    });
  });

  it('that is passed fails before the surplus is handed on', async () => {
    const origin = await start(() => chunked('content'));
    expect(await seenBefore(origin, { size: 6 })).toMatchObject({ seen: '', code: 'size_mismatch' });
  });
});

describe('the digest', () => {
  it.each([
    ['base64url', digest.toString('base64url')],
    ['base64', digest.toString('base64')],
    ['hex', digest.toString('hex')],
    ['HEX', digest.toString('hex').toUpperCase()],
  ])('in %s is right', async (_, value) => {
    expect(await fetchText(engine(), await start(() => answer(200, 'content')), { sha256: normalSha256(value) })).toBe(
      'content',
    );
  });

  it.each([
    ['of something else', createHash('sha256').update('Content').digest('base64url')],
    ['that is none', 'AAAA'],
    ['that is empty', ''],
  ])('%s fails at the end', async (_, sha256) => {
    const origin = await start(() => answer(200, 'content'));
    expect(await seenBefore(origin, { sha256 })).toEqual({
      seen: 'content',
      code: 'digest_mismatch',
      details: { algorithm: 'sha-256', origin },
    });
  });

  it('of an empty file', async () => {
    const sha256 = createHash('sha256').digest('base64url');
    expect(await fetchText(engine(), await start(() => answer(200)), { sha256 })).toBe('');
  });
});

describe('maxBytes', () => {
  it('takes a file of just that size', async () => {
    expect(await fetchText(engine(), await start(() => answer(200, 'content')), { maxBytes: 7 })).toBe('content');
  });

  it('refuses a larger one by its length, before the body', async () => {
    const origin = await start(() => 'HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n');
    expect(await fetchFailure(engine(), origin, { maxBytes: 6 })).toEqual({
      code: 'download_too_large',
      maxBytes: 6,
      size: 7,
    });
    await server!.idle();
  });

  it('stops one without a length as soon as it is over', async () => {
    const origin = await start(() => 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7\r\ncontent\r\n');
    expect(await fetchFailure(engine(), origin, { maxBytes: 6 })).toEqual({ code: 'download_too_large', maxBytes: 6 });
    await server!.idle();
  });

  it('of 0 takes an empty file only', async () => {
    const origin = await start(({ line }) => answer(200, line.includes('empty') ? '' : 'x'));
    expect(await fetchText(engine(), origin, { maxBytes: 0, target: { requestPath: '/empty' } })).toBe('');
    expect(await fetchFailure(engine(), origin, { maxBytes: 0 })).toMatchObject({ code: 'download_too_large' });
  });
});
