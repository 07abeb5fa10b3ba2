// Node looks for `hostname` before `host`, on the prototype too: whoever had polluted that chose the host of every request.
import { expect, onTestFinished, test } from 'vitest';
import { builtInEngine, send, storage } from './support/transfer.js';

test('the host of a request is not read from the prototype', async () => {
  const server = await storage();
  Object.defineProperty(Object.prototype, 'hostname', { value: '127.0.0.2', writable: true, configurable: true });
  onTestFinished(() => {
    delete (Object.prototype as Record<string, unknown>).hostname;
  });
  await send(builtInEngine(), server.origin).catch(() => {});
  expect(server.requests).toHaveLength(1);
});
