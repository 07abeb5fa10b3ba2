import { beforeAll, expect, test } from 'vitest';
import { azureSigner } from '../signers/azure.js';
import { breakingRelay, fetchFile, fetchRefusal } from '../support/fetch.js';
import { FILES, FIVE_MEGABYTES, ODD_NAME, sha256 } from '../support/files.js';
import { peer } from '../support/peers.js';
import { row } from '../support/row.js';
import { ENGINES, send } from '../support/send.js';

row({ name: 'Azure Get Blob with SAS', kind: 'real peer', peer: 'Azurite, Azure signer' }, () => {
  const { url: endpoint, account = '', key = '' } = peer('azurite');
  const signer = azureSigner({ endpoint, account, key });
  const container = 'returned';
  const signGet = (blob: string, more: { expiresOn?: Date } = {}) =>
    signer.signPut({ container, blob, permissions: 'r', ...more });
  beforeAll(async () => {
    await signer.createContainer(container);
    const headers = { 'x-ms-blob-type': 'BlockBlob' };
    for (const file of FILES) await send({ url: signer.signPut({ container, blob: file.name }), headers }, file);
  });

  test.each(FILES.flatMap(file => ENGINES.map(kind => ({ file, kind, label: file.label }))))(
    'fetches $label ($kind engine)',
    async ({ file, kind }) => {
      const bytes = await fetchFile({ url: signGet(file.name), size: file.bytes.byteLength }, kind);
      expect(sha256(bytes)).toBe(sha256(file.bytes));
    },
  );

  test.each(ENGINES)('goes on where the connection broke (%s engine)', async kind => {
    const relay = await breakingRelay(endpoint, 2_000_000);
    try {
      const url = signGet(FIVE_MEGABYTES.name).replace(endpoint, relay.origin);
      expect(sha256(await fetchFile({ url, size: 5_000_000 }, kind))).toBe(sha256(FIVE_MEGABYTES.bytes));
      expect(relay.connections()).toBe(3);
    } finally {
      await relay.close();
    }
  });

  test.each(ENGINES)('is refused when it has expired, or may only be written (%s engine)', async kind => {
    const failed = { code: 'download_failed', reason: 'http_status', status: 403 };
    const late = signGet(ODD_NAME.name, { expiresOn: new Date(Date.now() - 60_000) });
    expect(await fetchRefusal({ url: late }, kind)).toEqual({ ...failed, serviceCode: 'AuthorizationFailure' });
    const write = signer.signPut({ container, blob: ODD_NAME.name, permissions: 'w' });
    expect(await fetchRefusal({ url: write }, kind)).toEqual({
      ...failed,
      serviceCode: 'AuthorizationPermissionMismatch',
    });
  });
});
