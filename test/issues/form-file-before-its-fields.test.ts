// minio/minio#17725, rpldy/react-uploady#103: S3 ignores every field behind the file, so a form with the file first, or with
// its fields in another order, is refused.
import { expect, test } from 'vitest';
import { fromBytes } from '../../src/source/from-bytes.js';
import { sendForm } from './support/form.js';

test('fields come in their order, twice where they are given twice, and the file comes last', async () => {
  const fields = [
    ['z', '1'],
    ['10', 'ten'],
    ['policy', 'eyJ'],
    ['2', 'two'],
    ['z', '2'],
  ] as const;
  const { parts } = await sendForm(fromBytes('content', { name: 'a.txt' }), { fields, fileField: 'upload' });
  expect(parts).toEqual([...fields.map(([name, value]) => [name, undefined, value]), ['upload', 'a.txt', 'content']]);
});
