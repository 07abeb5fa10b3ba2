// axios/axios#2460, NAMD/pypln.web#139: a redirected POST became a GET without a body, which ended with 200: a success for a
// file that was never sent.
import { expect, test } from 'vitest';
import { answer, ENGINES, send, storage, transferFailure } from './support/transfer.js';

const STATUSES = [301, 302, 303];
const cases = ENGINES.flatMap(([name, engine]) => STATUSES.map(status => [name, status, engine] as const));

test.each(cases)('a redirect is a failure, and is not followed: %s, %i', async (_, status, engine) => {
  const server = await storage(({ line }) =>
    line.includes('/elsewhere') ? answer(200) : answer(status, '', { Location: '/elsewhere' }),
  );
  const failed = await transferFailure(send(engine(), server.origin, { target: { method: 'POST' } }));
  expect(failed).toMatchObject({ code: 'transfer_failed', reason: 'redirected', status });
  expect(server.requests.length).toBe(1);
});
