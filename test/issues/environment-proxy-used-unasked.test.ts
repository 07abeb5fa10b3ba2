// axios/axios#3689: proxy variables of the environment were honoured unasked: uploads went to a host that nobody had named.
import { expect, onTestFinished, test, vi } from 'vitest';
import { fromBytes } from '../../src/index.js';
import { host, publishing, server, uploadThenDone } from './support/call.js';
import { tcpServer } from './support/transfer.js';

test('the environment is not read unless the host says so', async () => {
  const proxy = await tcpServer(socket => void socket.destroy());
  for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'ALL_PROXY']) {
    vi.stubEnv(name, proxy.origin);
  }
  onTestFinished(() => void vi.unstubAllEnvs());
  const scripted = await server({
    capability: { maxInlineBytes: 0 },
    onCall: uploadThenDone(() => ({ '/deck': { path: 'up/1' } })),
  });
  const { files } = await host(scripted.url);
  await files.callToolWithFiles(publishing({ deck: fromBytes('x', { name: 'x' }) }));
  expect(scripted.stored).toHaveLength(1);
  expect(proxy.connections).toBe(0);
});
