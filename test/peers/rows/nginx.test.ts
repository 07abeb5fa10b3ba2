import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FIVE_MEGABYTES, ODD_NAME, ONE_BYTE } from '../support/files.js';
import { get, peer } from '../support/peers.js';
import { row, stores } from '../support/row.js';
import { refusal } from '../support/send.js';

const { url: origin, secret = '', elsewhereLog = '' } = peer('nginx');

row({ name: 'Plain PUT', kind: 'real peer', peer: 'nginx (WebDAV)' }, () => {
  stores(async (file, kind) => {
    const url = `${origin}/dav/${kind}/${encodeURIComponent(file.name)}`;
    return { wire: { url }, status: 201, stored: () => get(url) };
  });

  test.each(['built-in', 'fetch'] as const)('is refused over the limit of the server (%s engine)', async kind => {
    expect(await refusal({ url: `${origin}/small/x` }, ODD_NAME, kind)).toEqual({ status: 413, reason: 'http_status' });
  });

  test('is refused over the limit of the server while most of the file is still to come', async () => {
    const { status, reason } = await refusal({ url: `${origin}/small/x` }, FIVE_MEGABYTES);
    expect({ status, reason }).toEqual({ status: 413, reason: 'http_status' });
  });

  test('is refused with a Content-Range, which this server does not know', async () => {
    const wire = { url: `${origin}/dav/ranged`, headers: { 'Content-Range': 'bytes 0-0/1' } };
    expect(await refusal(wire, ONE_BYTE)).toEqual({ status: 501, reason: 'http_status' });
  });

  test.each([301, 302, 303, 307, 308])('a redirect is a failure and is not followed: %i', async status => {
    for (const kind of ['built-in', 'fetch'] as const) {
      const refused = await refusal({ url: `${origin}/r${status}/file?secret=of-this-url` }, ODD_NAME, kind);
      expect(refused).toEqual({ status, reason: 'redirected' });
    }
    expect(readFileSync(elsewhereLog, 'utf8')).toBe('');
  });
});

row({ name: 'PUT with a signed link', kind: 'real peer', peer: 'nginx (secure_link)' }, () => {
  function signedUrl(name: string, expires: number): string {
    const path = `/secure/${name}`;
    const md5 = createHash('md5').update(`${expires}${path} ${secret}`).digest('base64url');
    return `${origin}/secure/${encodeURIComponent(name)}?md5=${md5}&expires=${expires}`;
  }
  const now = Math.floor(Date.now() / 1000);

  stores(async (file, kind) => {
    const name = `${kind} ${file.name}`;
    return {
      wire: { url: signedUrl(name, now + 600) },
      status: 201,
      // The link is for any method.
      stored: () => get(signedUrl(name, now + 600)),
    };
  });

  test.each(['built-in', 'fetch'] as const)('is refused when it has expired (%s engine)', async kind => {
    expect(await refusal({ url: signedUrl('late', now - 60) }, ODD_NAME, kind)).toEqual({
      status: 410,
      reason: 'http_status',
    });
  });

  test('is refused when it was tampered with', async () => {
    const url = signedUrl('mine', now + 600).replace('/mine?', '/yours?');
    expect(await refusal({ url }, ODD_NAME)).toEqual({ status: 403, reason: 'http_status' });
  });
});
