// PrefectHQ/fastmcp#5026: an empty string is a cursor like any other (they are opaque), but was taken for the end of the list.
import { expect, test } from 'vitest';
import { publish } from '../support/tools.js';
import { host, server } from './support/call.js';

test('the page behind an empty cursor is read', async () => {
  const asked: unknown[] = [];
  const scripted = await server({
    onListTools: cursor => {
      asked.push(cursor);
      return cursor === undefined ? { tools: [], nextCursor: '' } : { tools: [publish] };
    },
  });
  const { files } = await host(scripted.url);
  expect((await files.listTools()).map(({ name }) => name)).toEqual(['publish']);
  expect(asked).toEqual([undefined, '']);
});
