import { afterAll, beforeAll, expect, test } from 'vitest';
import { type StandIn, startStandIn, xmlError } from '../stand-ins/stand-in.js';
import { FILES } from '../support/files.js';
import { row } from '../support/row.js';
import { ENGINES, refusal } from '../support/send.js';

row({ name: 'Cloudflare R2 form POST (not offered)', kind: 'stand-in', peer: '501 to every POST' }, () => {
  let storage: StandIn;
  beforeAll(async () => {
    // developers.cloudflare.com/r2/api/s3/presigned-urls: POST with form-data is not supported.
    storage = await startStandIn(({ method }) =>
      method === 'POST' ? xmlError(501, 'NotImplemented', 'POST') : { status: 200 },
    );
  });
  afterAll(() => storage.close());

  test.each(ENGINES.flatMap(kind => FILES.map(file => ({ kind, file, label: file.label }))))(
    'is a failure that names status and code: $label ($kind engine)',
    async ({ kind, file }) => {
      const wire = { url: `${storage.origin}/bucket`, form: { fields: [{ name: 'key', value: 'some/long/key' }] } };
      const refused = { status: 501, serviceCode: 'NotImplemented', reason: 'http_status' };
      expect(await refusal(wire, file, kind)).toEqual(refused);
    },
  );
});
