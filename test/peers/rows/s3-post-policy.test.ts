import { afterAll, beforeAll, expect, test } from 'vitest';
import { awsSigner } from '../signers/aws.js';
import { FIVE_MEGABYTES, NAME_OF_PART, ODD_NAME, ONE_BYTE, sha256 } from '../support/files.js';
import { peer } from '../support/peers.js';
import { row, stores } from '../support/row.js';
import { refusal, send } from '../support/send.js';

row({ name: 'Amazon S3 POST policy', kind: 'real peer', peer: 'Ceph RADOS Gateway, AWS signer' }, () => {
  const { url: endpoint, accessKeyId = '', secretAccessKey = '' } = peer('rgw');
  const signer = awsSigner({ endpoint, region: 'us-east-1', accessKeyId, secretAccessKey });
  const bucket = 'form-uploads';
  beforeAll(() => signer.createBucket(bucket));
  afterAll(() => signer.close());

  stores(async (file, kind) => {
    const key = `${kind}/${file.name}`;
    const { url, fields } = await signer.presignPost({ bucket, key, fields: { 'Content-Type': file.type } });
    return { wire: { url, form: { fields } }, status: 204, stored: () => signer.read(bucket, key) };
  });

  test('answers 201 with an XML body where the policy asks for it', async () => {
    const fields = { success_action_status: '201' };
    const target = await signer.presignPost({ bucket, key: 'asked-for-201', fields });
    expect(await send({ url: target.url, form: { fields: target.fields } }, ODD_NAME)).toMatchObject({ status: 201 });
    expect(sha256(await signer.read(bucket, 'asked-for-201'))).toBe(sha256(ODD_NAME.bytes));
  });

  test('takes the name of the file from its part, quotes percent-encoded', async () => {
    const { url, fields } = await signer.presignPost({ bucket, key: `named/${NAME_OF_PART}` });
    await send({ url, form: { fields } }, ODD_NAME);
    const key = `named/${ODD_NAME.name.replaceAll('"', '%22')}`;
    expect(sha256(await signer.read(bucket, key))).toBe(sha256(ODD_NAME.bytes));
  });

  test('is refused over the size of the policy', async () => {
    const conditions = [['content-length-range', 0, 1_000_000]];
    const { url, fields } = await signer.presignPost({ bucket, key: 'large', conditions });
    const refused = { status: 400, serviceCode: 'EntityTooLarge', reason: 'http_status' };
    expect(await refusal({ url, form: { fields } }, FIVE_MEGABYTES)).toEqual(refused);
  });

  test.each(['built-in', 'fetch'] as const)('is refused when the policy has expired (%s engine)', async kind => {
    const { url, fields } = await signer.presignPost({ bucket, key: 'late', expires: -60 });
    const refused = await refusal({ url, form: { fields } }, ODD_NAME, kind);
    expect(refused).toEqual({ status: 403, serviceCode: 'AccessDenied', reason: 'http_status' });
  });

  test.each(['Policy', 'X-Amz-Signature', 'key'])('is refused with another %s than the signed one', async name => {
    const { url, fields } = await signer.presignPost({ bucket, key: 'mine-and-no-other' });
    const other = await signer.presignPost({ bucket, key: 'yours-and-no-other', expires: 1_200 });
    const value = other.fields.find(field => field.name === name)?.value ?? '';
    const tampered = fields.map(field => (field.name === name ? { name, value } : field));
    expect(tampered).not.toEqual(fields);
    const refused = await refusal({ url, form: { fields: tampered } }, ONE_BYTE);
    expect(refused).toEqual({ status: 403, serviceCode: 'AccessDenied', reason: 'http_status' });
  });

  test('is refused when a field is missing', async () => {
    const { url, fields } = await signer.presignPost({ bucket, key: 'k', fields: { 'Content-Type': 'text/plain' } });
    const fewer = fields.filter(({ name }) => name !== 'Content-Type');
    expect(await refusal({ url, form: { fields: fewer } }, ONE_BYTE)).toEqual({
      status: 403,
      serviceCode: 'AccessDenied',
      reason: 'http_status',
    });
  });
});
