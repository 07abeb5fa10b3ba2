import { afterAll, beforeAll, expect, test } from 'vitest';
import { awsSigner } from '../signers/aws.js';
import { ODD_NAME } from '../support/files.js';
import { peer } from '../support/peers.js';
import { row, stores } from '../support/row.js';
import { refusal } from '../support/send.js';

row(
  { name: 'Cloudflare R2 presigned PUT', kind: 'real peer', peer: 'Ceph RADOS Gateway, AWS signer, region auto' },
  () => {
    const { url: endpoint, accessKeyId = '', secretAccessKey = '' } = peer('rgw');
    const signer = awsSigner({ endpoint, region: 'auto', accessKeyId, secretAccessKey });
    const bucket = 'r2-presigned-put';
    beforeAll(async () => {
      // R2's region is for signing only: there is no bucket to be made in it.
      const maker = awsSigner({ endpoint, region: 'us-east-1', accessKeyId, secretAccessKey });
      await maker.createBucket(bucket);
      maker.close();
    });
    afterAll(() => signer.close());

    stores(async (file, kind) => {
      const key = `${kind}/${file.name}`;
      return {
        wire: {
          url: await signer.presignPut({ bucket, key, contentType: file.type }),
          headers: { 'content-type': file.type },
        },
        status: 200,
        stored: () => signer.read(bucket, key),
      };
    });

    test('is refused when it has expired', async () => {
      const signingDate = new Date(Date.now() - 3_600_000);
      const url = await signer.presignPut({ bucket, key: 'late', signingDate, expiresIn: 60 });
      expect(await refusal({ url }, ODD_NAME)).toEqual({
        status: 403,
        serviceCode: 'AccessDenied',
        reason: 'http_status',
      });
    });
  },
);
