import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GoogleSigner, googleSigner } from '../signers/google.js';
import { type GoogleStandIn, startGoogleStandIn } from '../stand-ins/google.js';
import { ODD_NAME, ONE_BYTE } from '../support/files.js';
import { row, stores } from '../support/row.js';
import { refusal, send } from '../support/send.js';

const bucket = 'staged-uploads';
let storage: GoogleStandIn;
let signer: GoogleSigner;
beforeAll(async () => {
  storage = await startGoogleStandIn({ publicKey: () => signer.publicKey });
  signer = googleSigner({ endpoint: storage.origin });
});
afterAll(() => storage.close());

/** The order in which stagedUploadsCreate lists them. */
const ORDER = [
  'Content-Type',
  'success_action_status',
  'acl',
  'key',
  'x-goog-date',
  'x-goog-credential',
  'x-goog-algorithm',
  'x-goog-signature',
  'policy',
];

row(
  { name: 'Shopify staged upload, form', kind: 'official signer, stand-in', peer: 'policy and signature verified' },
  () => {
    async function sign(name: string, type: string) {
      const target = await signer.signPost({
        bucket,
        name,
        fields: { 'Content-Type': type, success_action_status: '201', acl: 'private' },
        conditions: [['content-length-range', 0, 20_000_000]],
      });
      const parameters = target.fields.toSorted((a, b) => ORDER.indexOf(a.name) - ORDER.indexOf(b.name));
      return { url: target.url, parameters };
    }

    stores(async (file, kind) => {
      const name = `tmp/1/products/${kind}/${file.name}`;
      const { url, parameters } = await sign(name, file.type);
      return {
        wire: { url, form: { fields: parameters } },
        status: 201,
        async stored() {
          expect(storage.parts.map(part => part.name)).toEqual([...ORDER, 'file']);
          return storage.objects.get(`${bucket}/${name}`)!;
        },
      };
    });

    test('is refused when a parameter is left out', async () => {
      const { url, parameters } = await sign('k', ONE_BYTE.type);
      for (const left of ['acl', 'success_action_status', 'x-goog-date']) {
        const fields = parameters.filter(({ name }) => name !== left);
        const refused = { status: 400, serviceCode: 'InvalidPolicyDocument', reason: 'http_status' };
        expect(await refusal({ url, form: { fields } }, ONE_BYTE)).toEqual(refused);
      }
    });
  },
);

row({ name: 'Shopify staged upload, PUT', kind: 'official signer, stand-in', peer: 'V4 signature verified' }, () => {
  /** shopify.dev names the parameters of a PUT `content_type` and `acl`, and sends both as headers under these names. */
  const parameters = { content_type: 'image/png', acl: 'private' };

  stores(async (file, kind) => {
    const name = `tmp/1/put/${kind}/${file.name}`;
    const url = await signer.signPut({ bucket, name });
    return {
      wire: { url, headers: parameters },
      status: 200,
      async stored() {
        expect(storage.received.at(-1)?.headers).toMatchObject(parameters);
        return storage.objects.get(`${bucket}/${name}`)!;
      },
    };
  });

  test('is refused when the URL was tampered with', async () => {
    const url = await signer.signPut({ bucket, name: 'mine' });
    await send({ url, headers: parameters }, ONE_BYTE);
    const refused = { status: 403, serviceCode: 'SignatureDoesNotMatch', reason: 'http_status' };
    expect(await refusal({ url: url.replace('/mine?', '/yours?') }, ODD_NAME)).toEqual(refused);
  });
});
