import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type GoogleSigner, googleSigner } from '../signers/google.js';
import { type GoogleStandIn, startGoogleStandIn } from '../stand-ins/google.js';
import { FIVE_MEGABYTES, NAME_OF_PART, ODD_NAME, ONE_BYTE, type TestFile } from '../support/files.js';
import { row, stores } from '../support/row.js';
import { ENGINES, refusal, send } from '../support/send.js';

const bucket = 'a-bucket';
let storage: GoogleStandIn;
let signer: GoogleSigner;

beforeAll(async () => {
  storage = await startGoogleStandIn({ publicKey: () => signer.publicKey });
  signer = googleSigner({ endpoint: storage.origin });
});
afterAll(() => storage.close());

/** The same service an hour later, when every signature made now has expired. */
async function startLater() {
  const later = await startGoogleStandIn({ publicKey: () => signer.publicKey, now: () => Date.now() + 3_600_000 });
  onTestFinished(() => later.close());
  return later.origin;
}

row(
  { name: 'Google Cloud Storage signed PUT', kind: 'official signer, stand-in', peer: 'V4 signature verified' },
  () => {
    const headersFor = ({ bytes }: TestFile) => ({ 'x-goog-content-length-range': `0,${bytes.byteLength}` });
    const sign = (name: string, file: TestFile) =>
      signer.signPut({ bucket, name, contentType: file.type, headers: headersFor(file) });
    const sent = (file: TestFile) => ({ 'Content-Type': file.type, ...headersFor(file) });

    stores(async (file, kind) => {
      const name = `${kind}/${file.name}`;
      return {
        wire: { url: await sign(name, file), headers: sent(file) },
        status: 200,
        stored: async () => storage.objects.get(`${bucket}/${name}`)!,
      };
    });

    test.each(ENGINES)('is refused when it has expired (%s engine)', async kind => {
      const url = (await sign('late', ODD_NAME)).replace(storage.origin, await startLater());
      const refused = { status: 400, serviceCode: 'ExpiredToken', reason: 'http_status' };
      expect(await refusal({ url, headers: sent(ODD_NAME) }, ODD_NAME, kind)).toEqual(refused);
    });

    test.each(ENGINES)(
      'is refused when it was tampered with, or a signed header is missing (%s engine)',
      async kind => {
        const url = await sign('mine', ODD_NAME);
        const headers = sent(ODD_NAME);
        const refused = { status: 403, serviceCode: 'SignatureDoesNotMatch', reason: 'http_status' };
        expect(await refusal({ url: url.replace('/mine?', '/yours?'), headers }, ODD_NAME, kind)).toEqual(refused);
        expect(await refusal({ url, headers: headersFor(ODD_NAME) }, ODD_NAME, kind)).toEqual(refused);
        expect(await refusal({ url, headers: { ...headers, 'Content-Type': 'text/plain' } }, ODD_NAME, kind)).toEqual(
          refused,
        );
      },
    );

    test('is refused over the signed length, and with a header of the service that was not signed', async () => {
      const url = await sign('short', ODD_NAME);
      const tooLarge = { status: 400, serviceCode: 'EntityTooLarge', reason: 'http_status' };
      expect(await refusal({ url, headers: sent(ODD_NAME) }, FIVE_MEGABYTES)).toEqual(tooLarge);
      const headers = { ...sent(ODD_NAME), 'x-goog-acl': 'public-read' };
      expect(await refusal({ url, headers }, ODD_NAME)).toMatchObject({ serviceCode: 'MalformedSecurityHeader' });
    });
  },
);

row(
  {
    name: 'Google Cloud Storage POST policy',
    kind: 'official signer, stand-in',
    peer: 'policy and signature verified',
  },
  () => {
    const sign = (name: string, extra: { conditions?: unknown[]; fields?: Record<string, string> } = {}) =>
      signer.signPost({ bucket, name, ...extra });

    stores(async (file, kind) => {
      const name = `${kind}/${file.name}`;
      const fields = { 'Content-Type': file.type, success_action_status: '201', 'x-ignore-note': 'a "b"\r\nc' };
      const target = await sign(name, { fields, conditions: [['content-length-range', 0, 5_000_000]] });
      return {
        wire: { url: target.url, form: { fields: target.fields } },
        status: 201,
        async stored() {
          // The order of the target, values untouched, and the file last.
          const arrived = storage.parts.map(({ name, filename, bytes }) =>
            filename === undefined ? { name, value: bytes.toString() } : name,
          );
          expect(arrived).toEqual([...target.fields, 'file']);
          return storage.objects.get(`${bucket}/${name}`)!;
        },
      };
    });

    test.each(ENGINES)('is refused when the policy has expired (%s engine)', async kind => {
      const { url, fields } = await sign('late');
      const wire = { url: url.replace(storage.origin, await startLater()), form: { fields } };
      const refused = { status: 400, serviceCode: 'InvalidPolicyDocument', reason: 'http_status' };
      expect(await refusal(wire, ODD_NAME, kind)).toEqual(refused);
    });

    test('is refused when a field was tampered with, is missing, or has no condition', async () => {
      const { url, fields } = await sign('mine', { fields: { acl: 'private' } });
      const invalid = { status: 400, serviceCode: 'InvalidPolicyDocument', reason: 'http_status' };
      const changed = fields.map(field => (field.name === 'key' ? { name: 'key', value: 'yours' } : field));
      const fewer = fields.filter(({ name }) => name !== 'acl');
      const more = [...fields, { name: 'Cache-Control', value: 'no-store' }];
      for (const tampered of [changed, fewer, more]) {
        expect(await refusal({ url, form: { fields: tampered } }, ONE_BYTE)).toEqual(invalid);
      }
    });

    test('is refused with a policy of another signature, and over the size of the policy', async () => {
      const { url, fields } = await sign('mine', { conditions: [['content-length-range', 0, 1_000]] });
      const other = await sign('yours');
      const policy = other.fields.find(({ name }) => name === 'policy')!;
      const swapped = fields.map(field => (field.name === 'policy' ? policy : field));
      const forged = { status: 403, serviceCode: 'SignatureDoesNotMatch', reason: 'http_status' };
      expect(await refusal({ url, form: { fields: swapped } }, ONE_BYTE)).toEqual(forged);
      const tooLarge = { status: 400, serviceCode: 'EntityTooLarge', reason: 'http_status' };
      expect(await refusal({ url, form: { fields } }, ODD_NAME)).toEqual(tooLarge);
    });

    test('takes a condition that a value starts with, and the name of the file from its part', async () => {
      const { url, fields } = await sign(`up/${NAME_OF_PART}`, { conditions: [['starts-with', '$key', 'up/']] });
      await send({ url, form: { fields } }, ODD_NAME);
      expect(storage.objects.get(`${bucket}/up/${ODD_NAME.name.replaceAll('"', '%22')}`)).toHaveLength(3_000);
    });
  },
);
