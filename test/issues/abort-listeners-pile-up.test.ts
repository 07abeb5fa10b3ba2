// nodejs/undici#3157, #5285: every request left a listener on the caller's signal (MaxListenersExceededWarning).
import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { answer, ENGINES, send, storage, transferFailure } from './support/transfer.js';

test.each(ENGINES)('nothing is left on a signal that many transfers share: %s', async (_, engine) => {
  const server = await storage(({ line }) => answer(line.includes('fail') ? 403 : 200));
  const { signal } = new AbortController();
  const shared = engine();
  for (let i = 0; i < 15; i++) {
    await send(shared, server.origin, { signal });
    await transferFailure(send(shared, server.origin, { signal, target: { requestPath: '/fail' } }));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  }
});
