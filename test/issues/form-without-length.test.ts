// nodejs/undici#1783: a form given to fetch went out chunked, since nobody counts it beforehand; S3 answers 411.
import { expect, test } from 'vitest';
import { ENGINES, send, storage } from './support/transfer.js';

test.each(ENGINES)('a form has its whole length on the wire: %s', async (_, engine) => {
  const server = await storage();
  const form = { fields: [['key', 'ключ']] as const, fileField: 'file' };
  await send(engine(), server.origin, { file: Buffer.alloc(2_000_000), target: { form } });
  const [request] = server.requests;
  expect(request!.header('transfer-encoding')).toBeUndefined();
  expect(request!.header('content-length')).toBe(String(request!.body.length));
  expect(request!.body.length).toBeGreaterThan(2_000_000);
  expect(request!.body.subarray(-4).toString()).toBe('--\r\n');
});
