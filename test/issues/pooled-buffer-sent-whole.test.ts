// omnipin/omnipin#168, modesty/pdf2json#427: `bytes.buffer` of a small Buffer is a pool of many; other bytes than the file's were
// sent.
import { expect, test } from 'vitest';
import { fromBytes, fromStream } from '../../src/index.js';
import { host, publishing, server } from './support/call.js';

const pool = Buffer.from('-----content of the file-----');
const view = () => pool.subarray(5, 24);

test('a view into a larger buffer is sent as the bytes that it shows, inline', async () => {
  const scripted = await server();
  const { files } = await host(scripted.url);
  async function* content() {
    yield view();
  }
  const assets = [fromBytes(view(), { name: '1' }), fromStream(content, { name: '2', size: 19 })];
  await files.callToolWithFiles(publishing({ assets }));
  const sent = scripted.calls[0]!.params.arguments.assets as { data: string; size: number }[];
  expect(sent.map(({ data }) => Buffer.from(data, 'base64').toString())).toEqual(Array(2).fill('content of the file'));
  expect(sent.map(({ size }) => size)).toEqual([19, 19]);
});
