// seanmonstar/reqwest#838: an empty body was treated as no body and sent without Content-Length; Azure answers 411.
import { expect, test } from 'vitest';
import { ENGINES, send, storage } from './support/transfer.js';

const METHODS = ['PUT', 'POST'] as const;
const cases = ENGINES.flatMap(([name, engine]) => METHODS.map(method => [name, method, engine] as const));

test.each(cases)('a body of no bytes has the length 0: %s, %s', async (_, method, engine) => {
  const server = await storage();
  const receipt = await send(engine(), server.origin, { file: '', target: { method } });
  expect(server.requests[0]!.header('content-length')).toBe('0');
  expect(server.requests[0]!.header('transfer-encoding')).toBeUndefined();
  expect(receipt).toMatchObject({ status: 200, bytes: 0 });
});
