import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OracleStandIn, startOracleStandIn } from '../stand-ins/oracle.js';
import { ODD_NAME } from '../support/files.js';
import { row, stores } from '../support/row.js';
import { ENGINES, refusal } from '../support/send.js';

row({ name: 'Oracle pre-authenticated request', kind: 'stand-in', peer: 'documented rules' }, () => {
  let storage: OracleStandIn;
  beforeAll(async () => {
    storage = await startOracleStandIn();
  });
  afterAll(() => storage.close());

  stores(async (file, kind) => {
    const object = `${kind}/${file.name}`;
    return {
      wire: { url: storage.url(object) },
      status: 200,
      async stored() {
        expect(storage.received.at(-1)?.headers['content-length']).toBe(String(file.bytes.byteLength));
        return storage.objects.get(object)!;
      },
    };
  });

  test.each(ENGINES)('is not found when it is expired, deleted or tampered with (%s engine)', async kind => {
    const url = storage.url('late').replace('/p/Z', '/p/Y');
    const refused = { status: 404, serviceCode: 'NotAuthorizedOrNotFound', reason: 'http_status' };
    expect(await refusal({ url }, ODD_NAME, kind)).toEqual(refused);
  });

  test('the stand-in does refuse a body without a length, which the library never sends', async () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(ODD_NAME.bytes);
        controller.close();
      },
    });
    const { status } = await fetch(storage.url('chunked'), { method: 'PUT', body, duplex: 'half' } as RequestInit);
    expect(status).toBe(411);
  });
});
