import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GoogleSigner, googleSigner } from '../signers/google.js';
import { type GoogleStandIn, startGoogleStandIn } from '../stand-ins/google.js';
import { ODD_NAME, type TestFile } from '../support/files.js';
import { row, stores } from '../support/row.js';
import { ENGINES, refusal } from '../support/send.js';

/** Linear gives out a signed URL of Google Cloud Storage, and with it the headers that its signature covers. */
row({ name: 'Linear file upload', kind: 'official signer, stand-in', peer: 'V4 signature over every header' }, () => {
  const bucket = 'uploads';
  let storage: GoogleStandIn;
  let signer: GoogleSigner;
  beforeAll(async () => {
    storage = await startGoogleStandIn({ publicKey: () => signer.publicKey });
    signer = googleSigner({ endpoint: storage.origin });
  });
  afterAll(() => storage.close());

  const headersFor = ({ bytes, type, name }: TestFile) => ({
    'content-type': type,
    'cache-control': 'public, max-age=31536000',
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
    'x-goog-content-length-range': `${bytes.byteLength},${bytes.byteLength}`,
  });
  async function sign(name: string, file: TestFile) {
    const headers = headersFor(file);
    return { url: await signer.signPut({ bucket, name, headers }), headers };
  }

  stores(async (file, kind) => {
    const name = `${kind}/${file.name}`;
    const { url, headers } = await sign(name, file);
    return {
      wire: { url, headers },
      status: 200,
      async stored() {
        const names = storage.received.at(-1)?.headerNames ?? [];
        const needed = [...Object.keys(headers), 'host', 'content-length', 'connection'];
        // fetch adds headers of its own; the service looks at none of them.
        const added =
          kind === 'fetch' ? ['accept', 'accept-encoding', 'accept-language', 'sec-fetch-mode', 'user-agent'] : [];
        expect([...names].sort()).toEqual([...needed, ...added].sort());
        return storage.objects.get(`${bucket}/${name}`)!;
      },
    };
  });

  test.each(ENGINES)('is refused when any one of the signed headers is missing (%s engine)', async kind => {
    const { url, headers } = await sign('k', ODD_NAME);
    const refused = { status: 403, serviceCode: 'SignatureDoesNotMatch', reason: 'http_status' };
    for (const missing of Object.keys(headers)) {
      const fewer = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== missing));
      expect(await refusal({ url, headers: fewer }, ODD_NAME, kind), missing).toEqual(refused);
    }
  });

  test('is refused with a file of another size than the signed one', async () => {
    const { url, headers } = await sign('k', ODD_NAME);
    const longer = { ...ODD_NAME, bytes: new Uint8Array(3_001) };
    expect(await refusal({ url, headers }, longer)).toMatchObject({ status: 400, serviceCode: 'EntityTooLarge' });
  });
});
