import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { awsSigner } from '../signers/aws.js';
import { breakingRelay, fetchFile, fetchRefusal } from '../support/fetch.js';
import { FILES, FIVE_MEGABYTES, ODD_NAME, sha256 } from '../support/files.js';
import { peer } from '../support/peers.js';
import { row } from '../support/row.js';
import { ENGINES, send } from '../support/send.js';

row({ name: 'Amazon S3 presigned GET', kind: 'real peer', peer: 'Ceph RADOS Gateway, AWS signer' }, () => {
  const { url: endpoint, accessKeyId = '', secretAccessKey = '' } = peer('rgw');
  const region = 'us-east-1';
  const signer = awsSigner({ endpoint, region, accessKeyId, secretAccessKey });
  const bucket = 'presigned-get';
  beforeAll(async () => {
    await signer.createBucket(bucket);
    for (const file of FILES) await send({ url: await signer.presignPut({ bucket, key: file.name }) }, file);
  });
  afterAll(() => signer.close());

  test.each(FILES.flatMap(file => ENGINES.map(kind => ({ file, kind, label: file.label }))))(
    'fetches $label ($kind engine)',
    async ({ file, kind }) => {
      const digest = { algorithm: 'sha-256', value: sha256(file.bytes) };
      const url = await signer.presignGet({ bucket, key: file.name });
      const bytes = await fetchFile({ url, size: file.bytes.byteLength, digest }, kind);
      expect(sha256(bytes)).toBe(sha256(file.bytes));
    },
  );

  test.each(ENGINES)('goes on where the connection broke (%s engine)', async kind => {
    const relay = await breakingRelay(endpoint, 2_000_000);
    // Signed for the relay, since the host is part of what is signed.
    const near = awsSigner({ endpoint: relay.origin, region, accessKeyId, secretAccessKey });
    try {
      const url = await near.presignGet({ bucket, key: FIVE_MEGABYTES.name });
      expect(sha256(await fetchFile({ url, size: 5_000_000 }, kind))).toBe(sha256(FIVE_MEGABYTES.bytes));
      expect(relay.connections()).toBe(3);
    } finally {
      near.close();
      await relay.close();
    }
  });

  test('is reached through a redirect, which takes no header of the first target along', async () => {
    const location = await signer.presignGet({ bucket, key: ODD_NAME.name });
    const server = createServer((_, response) => void response.writeHead(302, { location }).end());
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/report`;
    try {
      // The gateway refuses an Authorization beside the signature.
      const headers = { Authorization: 'Bearer of-the-first' };
      expect(sha256(await fetchFile({ url, headers }))).toBe(sha256(ODD_NAME.bytes));
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test.each(ENGINES)(
    'is refused when it has expired, was tampered with, or there is no object (%s engine)',
    async kind => {
      const failed = { code: 'download_failed', reason: 'http_status' };
      const signingDate = new Date(Date.now() - 3_600_000);
      const late = await signer.presignGet({ bucket, key: ODD_NAME.name, signingDate, expiresIn: 60 });
      expect(await fetchRefusal({ url: late }, kind)).toEqual({ ...failed, status: 403, serviceCode: 'AccessDenied' });
      const other = (await signer.presignGet({ bucket, key: 'mine' })).replace('/mine?', '/yours?');
      expect(await fetchRefusal({ url: other }, kind)).toEqual({
        ...failed,
        status: 403,
        serviceCode: 'SignatureDoesNotMatch',
      });
      const none = await signer.presignGet({ bucket, key: 'none' });
      expect(await fetchRefusal({ url: none }, kind)).toEqual({ ...failed, status: 404, serviceCode: 'NoSuchKey' });
    },
  );

  test('an object that is stored compressed is refused, and undone by fetch', async () => {
    const file = { ...ODD_NAME, bytes: new Uint8Array(gzipSync(ODD_NAME.bytes)) };
    const key = 'compressed';
    await send({ url: await signer.presignPut({ bucket, key }), headers: { 'Content-Encoding': 'gzip' } }, file);
    const url = await signer.presignGet({ bucket, key });
    expect(await fetchRefusal({ url })).toMatchObject({ code: 'download_failed', reason: 'content_encoded' });
    expect(sha256(await fetchFile({ url }, 'fetch'))).toBe(sha256(ODD_NAME.bytes));
  });
});
