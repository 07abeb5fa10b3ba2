import { generateKeyPairSync } from 'node:crypto';
import { Storage } from '@google-cloud/storage';

/** Targets as a server makes them with the Google SDK, offline, by a key pair that lives as long as the test. */
export function googleSigner({ endpoint }) {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const storage = new Storage({
    projectId: 'peers',
    credentials: { client_email: 'peers@peers.example', private_key: privateKey },
  });
  return {
    publicKey,
    async signPut({ bucket, name, contentType, headers, expires = Date.now() + 600_000 }) {
      const [url] = await storage.bucket(bucket).file(name).getSignedUrl({
        version: 'v4',
        action: 'write',
        host: endpoint,
        contentType,
        extensionHeaders: headers,
        expires,
      });
      return url;
    },
    async signPost({ bucket, name, fields = {}, conditions = [], expires = Date.now() + 600_000 }) {
      const [policy] = await storage
        .bucket(bucket)
        .file(name)
        .generateSignedPostPolicyV4({
          bucketBoundHostname: `${endpoint}/${bucket}`,
          fields,
          conditions,
          expires,
        });
      return { url: policy.url, fields: Object.entries(policy.fields).map(([name, value]) => ({ name, value })) };
    },
  };
}
