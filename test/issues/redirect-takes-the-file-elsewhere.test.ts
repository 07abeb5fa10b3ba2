// IABTechLab/trusted-server#431: the body was sent again to whatever host a redirect named.
import { expect, test } from 'vitest';
import { answer, ENGINES, send, storage, transferFailure } from './support/transfer.js';

const STATUSES = [307, 308];
const cases = ENGINES.flatMap(([name, engine]) => STATUSES.map(status => [name, status, engine] as const));

test.each(cases)('another host gets nothing of the file: %s, %i', async (_, status, engine) => {
  const other = await storage();
  const server = await storage(() => answer(status, '', { Location: `${other.origin}/collect` }));
  expect(await transferFailure(send(engine(), server.origin))).toMatchObject({ reason: 'redirected', status });
  expect(other.connections).toBe(0);
});
