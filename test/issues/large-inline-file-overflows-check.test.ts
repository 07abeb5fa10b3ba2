// Found here: the reference server's check of base64 overflowed the stack for inline files of some megabytes.
import { expect, test } from 'vitest';
import { checkedFiles } from '../../src/testing/checks.js';
import { toolNamed } from '../../src/testing/tools.js';

function check(data: string, size: number) {
  const document = { name: 'a.bin', mimeType: 'application/octet-stream', size, data };
  return checkedFiles(toolNamed('save_file')!, { folder: 'f', document });
}

test.each([30_000_000, 30_000_001, 30_000_002])('%i bytes inline', async size => {
  const data = Buffer.alloc(size, 0xa7).toString('base64');
  expect(await check(data, size)).toHaveLength(1);
  await expect(check(`${data.slice(0, -5)}-${data.slice(-4)}`, size)).rejects.toThrow('not standard base64');
});

test.each(['YQ', 'YQ=', 'YQ===', 'Y===', '====', 'YQ==YQ==', 'Y_-=', 'YQ==\n', ' YQ=', '='])(
  '%j is none',
  async data => {
    await expect(check(data, 1)).rejects.toThrow('not standard base64');
  },
);

test.each<[string, number]>([
  ['', 0],
  ['YQ==', 1],
  ['YWI=', 2],
  ['YWJj', 3],
  ['+/+/', 3],
])('%j is one of %i bytes', async (data, size) => {
  expect(await check(data, size)).toHaveLength(1);
});
