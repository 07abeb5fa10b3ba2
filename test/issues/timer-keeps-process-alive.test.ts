// openai/openai-node#1811: the timer of a finished request was left running, and the process waited for it.
import { expect, test } from 'vitest';
import { answer, ENGINES, send, storage, transferFailure } from './support/transfer.js';

const timers = (): number => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length;

test.each(ENGINES)('no timer outlives its transfer: %s', async (_, engine) => {
  const server = await storage(({ line }) => answer(line.includes('fail') ? 403 : 200));
  const timeouts = { stall: 500_000, response: 500_000 };
  const shared = engine();
  await send(shared, server.origin, { timeouts });
  const before = timers();
  for (let i = 0; i < 5; i++) {
    await send(shared, server.origin, { timeouts });
    await transferFailure(send(shared, server.origin, { timeouts, target: { requestPath: '/fail' } }));
  }
  // Those that are left are the HTTP client's own for idle connections, which hold no process.
  expect(timers()).toBeLessThanOrEqual(before + 1);
});
