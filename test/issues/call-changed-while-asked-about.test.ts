import { expect, it } from 'vitest';
import { fromBytes } from '../../src/index.js';
import { connect, FLAVOURS } from '../support/clients.js';
import { done, startScriptedServer } from '../support/scripted-server.js';
import { publish } from '../support/tools.js';

// The arguments were copied at entry, the rest of the call was not: a caller that used its object again had approval asked
// about one tool and another one called.
it.each(FLAVOURS)('on %s the call that was approved is the call that is made', async flavour => {
  const other = { ...publish, name: 'delete_all' };
  await using server = await startScriptedServer({ tools: [publish, other], onCall: () => done() });
  const call: any = {
    name: 'publish',
    arguments: { site: 's', deck: fromBytes('x', { name: 'x.txt' }) },
    _meta: { 'example.com/who': { id: 'me' } },
  };
  const options: any = { timeout: 20_000, scope: 'mine' };
  await using host = await connect(flavour, server.url, {
    approve: ({ tool }) => {
      expect(tool).toBe('publish');
      call.name = 'delete_all';
      call._meta['example.com/who'].id = 'you';
      call._meta.more = true;
      options.tool = other;
      options.timeout = 1;
      return true;
    },
  });
  await host.files.callToolWithFiles(call, options);
  expect(server.calls.map(({ params }) => params.name)).toEqual(['publish']);
  expect(server.calls[0]!.meta).toMatchObject({ 'example.com/who': { id: 'me' } });
  expect(server.calls[0]!.meta).not.toHaveProperty('more');
});
