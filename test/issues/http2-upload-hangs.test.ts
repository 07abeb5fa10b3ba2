// JuliaWeb/HTTP.jl#1325: over HTTP/2, negotiated unasked, an upload waited for ever for flow control once the server had answered
// early.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { cert, key } from '../transfer/support/certificate.js';
import { answer, builtInEngine, send } from './support/transfer.js';

test('uploads speak HTTP/1.1 although the server prefers HTTP/2', async () => {
  const spoken: unknown[] = [];
  const server = createServer({ cert, key, ALPNProtocols: ['h2', 'http/1.1'] }, socket => {
    spoken.push(socket.alpnProtocol);
    socket.on('error', () => {});
    socket.once('data', () => socket.end(answer(200)));
  });
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await send(builtInEngine({ tls: { ca: cert } }), `https://127.0.0.1:${port}`, { timeouts: { response: 5_000 } });
  expect(spoken).toEqual(['http/1.1']);
});
