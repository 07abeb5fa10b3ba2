// axios GHSA-q8qp-cvcw-x6jj (loopingz/smtp-relay#222): an option that was not given was read from Object.prototype, so whoever had
// polluted that chose a proxy (or a transport) for every request.
import { expect, onTestFinished, test } from 'vitest';
import { fromBytes } from '../../src/index.js';
import { host, publishing, server, uploadThenDone } from './support/call.js';
import { tcpServer } from './support/transfer.js';

test('an option that the host did not give is not read from the prototype', async () => {
  const proxy = await tcpServer(socket => void socket.destroy());
  const scripted = await server({
    capability: { maxInlineBytes: 0 },
    onCall: uploadThenDone(() => ({ '/deck': { path: 'up/1' } })),
  });
  const { files } = await host(scripted.url);
  Object.defineProperty(Object.prototype, 'proxy', { value: proxy.origin, writable: true, configurable: true });
  onTestFinished(() => {
    delete (Object.prototype as Record<string, unknown>).proxy;
  });
  await files.callToolWithFiles(publishing({ deck: fromBytes('x', { name: 'x' }) })).catch(() => {});
  expect(proxy.connections).toBe(0);
  expect(scripted.stored).toHaveLength(1);
});
