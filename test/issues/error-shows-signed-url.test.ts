// flyteorg/flyte-sdk#1339, vm0-ai/vm0#16277, deepnote/deepnote-toolkit#113: the signed URL stood in the error; where it was taken
// out for HTTP errors, those of the connection still had it.
import { expect, test } from 'vitest';
import { fromBytes } from '../../src/index.js';
import { host, publishing, server, uploadThenDone } from './support/call.js';
import { everything } from './support/showing.js';
import { tcpServer } from './support/transfer.js';

const secret = 'X-Amz-Signature=5ec2e7';

test.each([
  ['an HTTP error', undefined],
  ['a lost connection', 'lost'],
  ['a URL that is none', 'malformed'],
  ['an answer that is none', 'garbage'],
])('no query of a target is in the error of %s', async (_, kind) => {
  const raw = await tcpServer(socket => {
    socket.once('data', () => (kind === 'garbage' ? socket.end('garbage\r\n\r\n') : socket.destroy()));
  });
  const origins: Record<string, string> = { malformed: 'https://x y', lost: raw.origin, garbage: raw.origin };
  const scripted = await server({
    capability: { maxInlineBytes: 0 },
    onCall: uploadThenDone(() => ({ '/deck': { url: `${origins[kind ?? ''] ?? scripted.origin}/key?${secret}` } })),
    onStore: (_request, response) => void response.writeHead(403).end(),
  });
  const events: unknown[] = [];
  const { files } = await host(scripted.url, { logger: event => events.push(event) });
  const error = await files.callToolWithFiles(publishing({ deck: fromBytes('x', { name: 'x' }) })).catch(e => e);
  expect(['transfer_failed', 'target_refused']).toContain(error.code);
  expect(everything([error, events]) + everything(error)).not.toContain('5ec2e7');
});
