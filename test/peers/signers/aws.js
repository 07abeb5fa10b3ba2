import {
  CreateBucketCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';

/** Targets as a server makes them with the AWS SDK. */
export function awsSigner({ endpoint, region, accessKeyId, secretAccessKey }) {
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    // By default the SDK signs the checksum of an empty body into the URL, as it does not know the body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return {
    async createBucket(Bucket) {
      await client.send(new CreateBucketCommand({ Bucket }));
    },
    async read(Bucket, Key) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
      return Body.transformToByteArray();
    },
    async headers(Bucket, Key) {
      const { CacheControl, ContentType, Metadata } = await client.send(new HeadObjectCommand({ Bucket, Key }));
      return { cacheControl: CacheControl, contentType: ContentType, metadata: Metadata };
    },
    /** Content type and metadata are signed as headers, so they must be sent as they are. */
    presignPut({ bucket: Bucket, key: Key, contentType, metadata, signingDate = new Date(), expiresIn = 600 }) {
      const command = new PutObjectCommand({ Bucket, Key, ContentType: contentType, Metadata: metadata });
      const metadataHeaders = Object.keys(metadata ?? {}).map(name => `x-amz-meta-${name}`);
      return getSignedUrl(client, command, {
        signingDate,
        expiresIn,
        signableHeaders: new Set(['host', ...(contentType ? ['content-type'] : []), ...metadataHeaders]),
        unhoistableHeaders: new Set(metadataHeaders),
      });
    },
    presignGet({ bucket: Bucket, key: Key, signingDate = new Date(), expiresIn = 600 }) {
      return getSignedUrl(client, new GetObjectCommand({ Bucket, Key }), { signingDate, expiresIn });
    },
    async presignPost({
      bucket: Bucket,
      key: Key,
      fields: Fields = {},
      conditions: Conditions = [],
      expires: Expires = 600,
    }) {
      const { url, fields } = await createPresignedPost(client, { Bucket, Key, Fields, Conditions, Expires });
      return { url, fields: Object.entries(fields).map(([name, value]) => ({ name, value })) };
    },
    close: () => client.destroy(),
  };
}
