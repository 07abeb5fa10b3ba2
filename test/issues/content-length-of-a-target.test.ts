// Some signers list Content-Length among a target's headers. It used to go out a second time beside the engine's own,
// and one that was wrong was noticed by the storage only, after sibling files had been sent.
import { afterEach, expect, it } from 'vitest';
import { fromBytes } from '../../src/index.js';
import { type Connected, connect } from '../support/clients.js';
import {
  done,
  inputRequired,
  type ScriptedServer,
  startScriptedServer,
  uploadEntry,
} from '../support/scripted-server.js';
import { publish } from '../support/tools.js';

let server: ScriptedServer;
let host: Connected;
afterEach(async () => {
  await host[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

async function send(lengthOfSecond: string): Promise<unknown> {
  server = await startScriptedServer({
    tools: [publish],
    onCall: (_, index) => {
      if (index > 0) return done();
      const second = { url: `${server.origin}/b`, headers: { 'Content-Length': lengthOfSecond } };
      return inputRequired({ up: uploadEntry({ '/deck': { url: `${server.origin}/a` }, '/assets/0': second }) }, 's');
    },
  });
  host = await connect('v2 modern', server.url, { inlineLimit: 0 });
  const [deck, asset] = [fromBytes('first', { name: 'a' }), fromBytes('second', { name: 'b' })];
  return host.files
    .callToolWithFiles({ name: 'publish', arguments: { site: 's', deck, assets: [asset] } })
    .catch((error: unknown) => error);
}

it('the right one goes to the wire once', async () => {
  await send('6');
  const { headers } = server.stored.find(({ url }) => url === '/b')!;
  expect(headers['content-length']).toBe('6');
});

it('a wrong one is refused before any byte of any file', async () => {
  expect(await send('7')).toMatchObject({
    code: 'target_refused',
    details: { reason: 'header_forbidden' },
    pointer: '/assets/0',
    outcome: 'not_run',
  });
  expect(server.stored).toEqual([]);
});
