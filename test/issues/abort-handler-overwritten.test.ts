// langchain-ai/langchainjs#9905: a library assigned `signal.onabort`, one slot, and the caller's own handler was gone.
import { expect, test } from 'vitest';
import { ENGINES, failure, send, tcpServer } from './support/transfer.js';

test.each(ENGINES)("the caller's own onabort stays and is called: %s", async (_, engine) => {
  const caller = new AbortController();
  let called = 0;
  const own = () => {
    called += 1;
  };
  caller.signal.onabort = own;
  const server = await tcpServer(socket => socket.once('data', () => caller.abort()));
  expect(await failure(send(engine(), server.origin, { signal: caller.signal }))).toMatchObject({ code: 'aborted' });
  expect(caller.signal.onabort).toBe(own);
  expect(called).toBe(1);
});
