// A gateway's HTTP 502 to a request beside a tool call was thrown as the SDK's own error, whose message is the whole body of
// the answer; an expired session was explained as a permission or a storage that the server had not spoken of.
import { describe, expect, test } from 'vitest';
import { fromBytes } from '../../src/index.js';
import { all, scripted, thrown } from '../resources/scripted.js';
import { connect, FLAVOURS } from '../support/clients.js';
import { done, startScriptedServer } from '../support/scripted-server.js';

const PAGE = '<pre>/srv/app/private.js token=abcdef123456</pre>';
const upload = {
  type: 'object',
  properties: { file: { type: 'string', 'x-mcp-file': { transferModes: ['upload'] } } },
};
const call = { name: 'up', arguments: { file: fromBytes('abc', { name: 'a.txt' }) } };
const shown = (error: object): string =>
  JSON.stringify(error, ['message', 'details', 'stack', 'cause']) + String(error);

describe.each(FLAVOURS)('%s', flavour => {
  test.each(['list', 'read', 'subscribe', 'templates'] as const)('HTTP 502 to resources: %s', async what => {
    await using host = await scripted(flavour, () => {
      throw new Response(PAGE, { status: 502, headers: { 'content-type': 'text/html' } });
    });
    const { resources } = host.files;
    const asked = {
      list: () => all(resources.list()),
      templates: () => all(resources.templates()),
      read: () => resources.read('x:y'),
      subscribe: () => resources.subscribe('x:y', () => {}),
    };
    const error = await thrown(asked[what]());
    expect(error).toMatchObject({ name: 'OutcomeUnknownError', code: 'outcome_unknown' });
    if (what !== 'subscribe' || flavour !== 'v2 modern') expect(error.details).toMatchObject({ status: 502 });
    expect(shown(error)).not.toMatch(/private|abcdef/);
  });

  test.each([
    ['a connection that ends', undefined, 'connection_lost'],
    ['HTTP 500', 500, 'http_status'],
  ] as const)('%s instead of an authorisation', async (_, status, reason) => {
    await using server = await startScriptedServer({
      tools: [{ name: 'up', inputSchema: upload }],
      onCall: () => done(),
      capability: null,
      onRequest: method =>
        method === 'files/authorizeUpload'
          ? ({
              raw: (_request: unknown, response: import('node:http').ServerResponse) =>
                status === undefined ? response.destroy() : response.writeHead(status).end(PAGE),
            } as never)
          : undefined,
    });
    await using host = await connect(flavour, server.url);
    const error = await thrown(host.files.callToolWithFiles(call));
    expect(error).toMatchObject({
      code: 'transfer_failed',
      outcome: 'not_run',
      failures: [{ pointer: '/file', reason }],
    });
    expect(error.failures[0].status).toBe(status);
    expect(shown(error)).not.toMatch(/private|abcdef/);
  });

  test.each([
    [404, -32001, 'Session not found', null],
    [400, -32000, 'Bad Request: No valid session ID provided', null],
    [404, -32001, 'Session not found', 'server-error'],
  ])('HTTP %d, %d and the id of no request is the transport speaking', async (status, code, message, id) => {
    await using host = await scripted(flavour, () => {
      throw Response.json({ jsonrpc: '2.0', error: { code, message }, id }, { status });
    });
    const { resources } = host.files;
    for (const ask of [() => resources.create({ name: 'a.txt', content: 'abc' }), () => resources.delete('x:y')]) {
      const error = await thrown(ask());
      expect(String(error.code)).not.toMatch(/^resource_/);
      expect(String(error.message)).toContain(message);
    }
  });
});
