// InsForge/InsForge#1813: a reset on a reused connection was taken for "never processed" and the write was sent again.
import { expect, test } from 'vitest';
import { answer, builtInEngine, send, storage, transferFailure } from './support/transfer.js';

test('a request that the storage may have processed is not sent again, on a reused connection either', async () => {
  const server = await storage((_request, socket) => {
    if (server.requests.length === 1) return answer(200);
    socket.resetAndDestroy();
    return undefined;
  });
  const engine = builtInEngine();
  await send(engine, server.origin);
  expect(await transferFailure(send(engine, server.origin))).toMatchObject({ reason: 'connection_lost' });
  expect(server.requests.length).toBe(2);
  expect(server.connections).toBe(1);
});
