import { createHmac, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { FILES, ODD_NAME, ONE_BYTE, sha256, type TestFile } from '../support/files.js';
import { get, peer } from '../support/peers.js';
import { row, stores } from '../support/row.js';
import { refusal, send, type WireTarget } from '../support/send.js';

row(
  { name: "PUT with the target's own Authorization, one write", kind: 'real peer', peer: 'Prosody file share' },
  () => {
    const { url: origin, secret = '' } = peer('prosody');

    /** What Prosody's component signs when it gives out a slot. */
    function slotTarget(file: TestFile, { seconds = 300, size = file.bytes.byteLength } = {}): WireTarget {
      const slot = randomUUID();
      const now = Math.floor(Date.now() / 1000);
      const claims = {
        sub: 'someone@localhost',
        iat: now,
        exp: now + seconds,
        slot,
        filename: file.name,
        filesize: size,
        filetype: file.type,
      };
      const signed = [{ typ: 'JWT', alg: 'HS256' }, claims].map(part => base64url(JSON.stringify(part))).join('.');
      const signature = createHmac('sha256', secret).update(signed).digest('base64url');
      return {
        url: `${origin}/file_share/${slot}/${encodeURIComponent(file.name)}`,
        headers: { Authorization: `Bearer ${signed}.${signature}`, 'Content-Type': file.type },
      };
    }

    stores(async file => {
      const wire = slotTarget(file);
      return { wire, status: 201, stored: () => get(wire.url) };
    }, FILES);

    test('takes one file only: a second is refused, and the first stays', async () => {
      const wire = slotTarget(ODD_NAME);
      await send(wire, ODD_NAME);
      expect(await refusal(wire, ODD_NAME)).toEqual({ status: 409, reason: 'http_status' });
      expect(sha256(await get(wire.url))).toBe(sha256(ODD_NAME.bytes));
    });

    test.each(['built-in', 'fetch'] as const)('is refused when it has expired (%s engine)', async kind => {
      const wire = slotTarget(ODD_NAME, { seconds: -60 });
      expect(await refusal(wire, ODD_NAME, kind)).toEqual({ status: 410, reason: 'http_status' });
    });

    test('is refused with another size than the one it was made for', async () => {
      const wire = slotTarget(ODD_NAME, { size: ODD_NAME.bytes.byteLength - 1 });
      expect(await refusal(wire, ODD_NAME)).toEqual({ status: 413, reason: 'http_status' });
    });

    test('is refused without the header, with a tampered one, and for another slot', async () => {
      const { url, headers } = slotTarget(ONE_BYTE);
      const { Authorization = '', ...rest } = headers ?? {};
      const tampered = Authorization.replace(/.$/, last => (last === 'A' ? 'B' : 'A')).replace(/\.(..)/, '.XX');
      const refused = { status: 401, reason: 'http_status' };
      expect(await refusal({ url, headers: rest }, ONE_BYTE)).toEqual(refused);
      expect(await refusal({ url, headers: { ...rest, Authorization: tampered } }, ONE_BYTE)).toEqual(refused);
      expect(await refusal({ url: slotTarget(ONE_BYTE).url, headers: headers! }, ONE_BYTE)).toEqual({
        status: 400,
        reason: 'http_status',
      });
    });
  },
);

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
