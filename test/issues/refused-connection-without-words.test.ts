// TimelordUK/jspurefix#182: where a name has several addresses and all refuse, Node's error is an AggregateError whose message is
// empty, and so was the report.
import { expect, test } from 'vitest';
import { builtInEngine, failure, send, tcpServer } from './support/transfer.js';

test('the failure says that the connection was refused', async () => {
  const closed = await tcpServer(() => {});
  await new Promise<void>(resolve => void closed.close().then(resolve));
  const addresses = ['127.0.0.1', '127.0.0.2'].map(address => ({ address, family: 4 }));
  const engine = builtInEngine({ lookup: (_name, _options, callback) => callback(null, addresses) });
  const error = await failure(send(engine, `http://storage.test:${closed.port}`));
  expect(error).toMatchObject({ failures: [{ reason: 'connection_refused' }] });
  expect(error.message).toMatch(/refused/);
});
