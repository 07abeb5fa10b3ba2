import { beforeAll, expect, test } from 'vitest';
import { azureSigner } from '../signers/azure.js';
import { ODD_NAME, ONE_BYTE } from '../support/files.js';
import { peer } from '../support/peers.js';
import { row, stores } from '../support/row.js';
import { refusal, send } from '../support/send.js';

row({ name: 'Azure Put Blob with SAS', kind: 'real peer', peer: 'Azurite, Azure signer' }, () => {
  const { url: endpoint, account = '', key = '' } = peer('azurite');
  const signer = azureSigner({ endpoint, account, key });
  const container = 'uploads';
  const headers = { 'x-ms-blob-type': 'BlockBlob' };
  beforeAll(() => signer.createContainer(container));

  stores(async (file, kind) => {
    const blob = `${kind}/${file.name}`;
    return {
      wire: { url: signer.signPut({ container, blob }), headers },
      status: 201,
      stored: () => signer.read(container, blob),
    };
  });

  test('keeps the type that a target header names', async () => {
    const url = signer.signPut({ container, blob: 'typed' });
    await send({ url, headers: { ...headers, 'x-ms-blob-content-type': 'text/csv; charset=utf-8' } }, ODD_NAME);
    expect(await signer.contentType(container, 'typed')).toBe('text/csv; charset=utf-8');
  });

  test.each(['built-in', 'fetch'] as const)('is refused when it has expired (%s engine)', async kind => {
    const url = signer.signPut({ container, blob: 'late', expiresOn: new Date(Date.now() - 60_000) });
    const refused = { status: 403, serviceCode: 'AuthorizationFailure', reason: 'http_status' };
    expect(await refusal({ url, headers }, ODD_NAME, kind)).toEqual(refused);
  });

  test.each(['built-in', 'fetch'] as const)('is refused when it was tampered with (%s engine)', async kind => {
    const url = signer.signPut({ container, blob: 'mine' });
    const refused = { status: 403, serviceCode: 'AuthorizationFailure', reason: 'http_status' };
    expect(await refusal({ url: url.replace('/mine?', '/yours?'), headers }, ODD_NAME, kind)).toEqual(refused);
    expect(await refusal({ url: url.replace('sp=cw', 'sp=cwd'), headers }, ODD_NAME, kind)).toEqual(refused);
  });

  test('is refused where the signature allows reading only', async () => {
    const url = signer.signPut({ container, blob: 'read-only', permissions: 'r' });
    const refused = { status: 403, serviceCode: 'AuthorizationPermissionMismatch', reason: 'http_status' };
    expect(await refusal({ url, headers }, ONE_BYTE)).toEqual(refused);
  });

  test('is refused without the header for the kind of blob', async () => {
    const url = signer.signPut({ container, blob: 'kind' });
    expect(await refusal({ url }, ONE_BYTE)).toEqual({ status: 400, reason: 'http_status' });
  });
});
