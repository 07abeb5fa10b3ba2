import { afterAll, beforeAll, expect, test } from 'vitest';
import { awsSigner } from '../signers/aws.js';
import { EMPTY, FILES, ODD_NAME, ONE_BYTE, sha256 } from '../support/files.js';
import { peer } from '../support/peers.js';
import { row, stores } from '../support/row.js';
import { ENGINES, refusal, send } from '../support/send.js';

row({ name: 'Amazon S3 presigned PUT', kind: 'real peer', peer: 'Ceph RADOS Gateway, AWS signer' }, () => {
  const { url: endpoint, accessKeyId = '', secretAccessKey = '' } = peer('rgw');
  const signer = awsSigner({ endpoint, region: 'us-east-1', accessKeyId, secretAccessKey });
  const bucket = 'presigned-put';
  beforeAll(() => signer.createBucket(bucket));
  afterAll(() => signer.close());

  stores(async (file, kind) => {
    const key = `${kind}/${file.name}`;
    return {
      wire: { url: await signer.presignPut({ bucket, key }) },
      status: 200,
      stored: () => signer.read(bucket, key),
    };
  }, FILES);

  const signed = { contentType: 'application/pdf', metadata: { origin: 'a "peer" + test' } };
  const signedHeaders = { 'Content-Type': signed.contentType, 'x-amz-meta-origin': signed.metadata.origin };

  test('stores with a signed Content-Type and a signed metadata header', async () => {
    const key = 'signed headers.pdf';
    const url = await signer.presignPut({ bucket, key, ...signed });
    await send({ url, headers: signedHeaders }, ODD_NAME);
    expect(sha256(await signer.read(bucket, key))).toBe(sha256(ODD_NAME.bytes));
    const kept = { contentType: signed.contentType, metadata: signed.metadata };
    expect(await signer.headers(bucket, key)).toMatchObject(kept);
  });

  test.each(ENGINES)('an object keeps nothing that the target did not name (%s engine)', async kind => {
    const key = `bare ${kind}`;
    await send({ url: await signer.presignPut({ bucket, key }) }, ONE_BYTE, kind);
    expect(await signer.headers(bucket, key)).toMatchObject({ cacheControl: undefined, metadata: {} });
  });

  test('a key with dot segments goes out as it was signed, and not at all through fetch', async () => {
    const key = "dots/../../it's/./here";
    const url = await signer.presignPut({ bucket, key });
    expect(url).toContain('/../');
    await send({ url }, ODD_NAME);
    expect(sha256(await signer.read(bucket, key))).toBe(sha256(ODD_NAME.bytes));
    const refused = { code: 'target_refused', details: { reason: 'url_not_verbatim' } };
    await expect(send({ url }, ODD_NAME, 'fetch')).rejects.toMatchObject(refused);
  });

  test('is refused with another Content-Type than the signed one, or none', async () => {
    const url = await signer.presignPut({ bucket, key: 'k', ...signed });
    const other = { ...signedHeaders, 'Content-Type': 'application/json' };
    const none = { 'x-amz-meta-origin': signed.metadata.origin };
    const refused = { status: 403, serviceCode: 'SignatureDoesNotMatch', reason: 'http_status' };
    expect(await refusal({ url, headers: other }, ONE_BYTE)).toEqual(refused);
    expect(await refusal({ url, headers: none }, ONE_BYTE)).toEqual(refused);
  });

  test.each(['built-in', 'fetch'] as const)('is refused when it has expired (%s engine)', async kind => {
    const signingDate = new Date(Date.now() - 3_600_000);
    const url = await signer.presignPut({ bucket, key: 'late', signingDate, expiresIn: 60 });
    const refused = { status: 403, serviceCode: 'AccessDenied', reason: 'http_status' };
    expect(await refusal({ url }, ODD_NAME, kind)).toEqual(refused);
  });

  test.each(['built-in', 'fetch'] as const)(
    'is refused when its signature or its key was tampered with (%s engine)',
    async kind => {
      const url = await signer.presignPut({ bucket, key: 'mine' });
      const refused = { status: 403, serviceCode: 'SignatureDoesNotMatch', reason: 'http_status' };
      const signature = /X-Amz-Signature=(.)/.exec(url)?.[1] === '0' ? '1' : '0';
      const tampered = url.replace(/X-Amz-Signature=./, `X-Amz-Signature=${signature}`);
      expect(await refusal({ url: tampered }, ODD_NAME, kind)).toEqual(refused);
      expect(await refusal({ url: url.replace('/mine?', '/yours?') }, EMPTY, kind)).toEqual(refused);
    },
  );

  test('is refused with an Authorization header beside the signature', async () => {
    const url = await signer.presignPut({ bucket, key: 'twice' });
    const wire = { url, headers: { Authorization: 'Bearer of-another-service' } };
    expect(await refusal(wire, ONE_BYTE)).toEqual({
      status: 400,
      serviceCode: 'InvalidArgument',
      reason: 'http_status',
    });
  });

  test('is refused in a bucket that does not exist', async () => {
    const url = await signer.presignPut({ bucket: 'no-such-bucket', key: 'k' });
    expect(await refusal({ url }, ONE_BYTE)).toEqual({
      status: 404,
      serviceCode: 'NoSuchBucket',
      reason: 'http_status',
    });
  });

  test('the storage does refuse a chunked body, which the library never sends', async () => {
    const url = await signer.presignPut({ bucket, key: 'chunked' });
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(ODD_NAME.bytes);
        controller.close();
      },
    });
    const { status } = await fetch(url, { method: 'PUT', body, duplex: 'half' } as RequestInit);
    expect(status).toBe(411);
  });
});
