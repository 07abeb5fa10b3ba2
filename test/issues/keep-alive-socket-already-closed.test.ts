// nodejs/undici#3492: a kept connection that the server had closed was used once more, and that request failed.
import { expect, test } from 'vitest';
import { answer, builtInEngine, send, storage } from './support/transfer.js';

test('a connection that was closed right behind its answer is not used again', async () => {
  const server = await storage((_request, socket) => {
    socket.end(answer(200));
    return undefined;
  });
  const engine = builtInEngine();
  for (let i = 0; i < 10; i++) await send(engine, server.origin);
  expect(server.requests.length).toBe(10);
});
