import { expect, onTestFinished, test } from 'vitest';
import { startCloudflareStandIn } from '../stand-ins/cloudflare.js';
import { ODD_NAME, ONE_BYTE, someBytes } from '../support/files.js';
import { row, stores } from '../support/row.js';
import { ENGINES, refusal, send } from '../support/send.js';

for (const service of ['images', 'stream'] as const) {
  const name = service === 'images' ? 'Cloudflare Images direct upload' : 'Cloudflare Stream direct upload';
  row({ name, kind: 'stand-in', peer: 'documented rules' }, () => {
    async function cloudflare() {
      const standIn = await startCloudflareStandIn(service);
      onTestFinished(() => standIn.close());
      return standIn;
    }

    stores(async file => {
      const { uploadURL, file: part } = await cloudflare();
      return {
        wire: { url: uploadURL, form: { fields: [] } },
        status: 200,
        async stored() {
          expect(part()).toMatchObject({ name: 'file', filename: file.name.replaceAll('"', '%22'), type: file.type });
          return part()!.bytes;
        },
      };
    });

    test.each(ENGINES)('takes one file only (%s engine)', async kind => {
      const { uploadURL } = await cloudflare();
      const wire = { url: uploadURL, form: { fields: [] } };
      await send(wire, ODD_NAME, kind);
      expect(await refusal(wire, ODD_NAME, kind)).toEqual({ status: 409, serviceCode: '5409', reason: 'http_status' });
    });

    test('is refused with a field, with another part name, and as a raw body', async () => {
      const { uploadURL: url } = await cloudflare();
      const withField = { url, form: { fields: [{ name: 'metadata', value: '{"some":"thing"}' }] } };
      const renamed = { url, form: { fields: [], fileField: 'upload' } };
      expect(await refusal(withField, ONE_BYTE)).toMatchObject({ status: 400, serviceCode: '5401' });
      expect(await refusal(renamed, ONE_BYTE)).toMatchObject({ status: 400, serviceCode: '5400' });
      expect(await refusal({ url, method: 'POST' }, ONE_BYTE)).toMatchObject({ status: 400, serviceCode: '5400' });
    });
  });
}

row({ name: 'Cloudflare Images over its limit', kind: 'stand-in', peer: 'documented rules' }, () => {
  test('more than 10 MB is refused', async () => {
    const standIn = await startCloudflareStandIn('images');
    onTestFinished(() => standIn.close());
    const wire = { url: standIn.uploadURL, form: { fields: [] } };
    const refused = { status: 413, serviceCode: '5413', reason: 'http_status' };
    expect(await refusal(wire, { ...ONE_BYTE, bytes: someBytes(10_000_001) })).toEqual(refused);
  });
});
