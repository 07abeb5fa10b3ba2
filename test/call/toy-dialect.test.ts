import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, describe, expect, it } from 'vitest';
import { PortableFilesClient } from '../../src/client.js';
import type { FilesClientOptions } from '../../src/client-options.js';
import { fromBytes } from '../../src/index.js';
import { DIALECTS, type Dialect, isObject, type UploadTarget } from '../../src/protocol/index.js';
import { createFetchEngine } from '../../src/transfer/fetch-engine.js';
import { FLAVOURS, type Flavour } from '../support/clients.js';
import { done, inputRequired, type ScriptedServer, startScriptedServer } from '../support/scripted-server.js';

/**
 * A dialect of nobody, as docs/dialects.md shows how to add one: declared by a member of the keyword, hexadecimal inside
 * the call, and beside it to an address that the tool asks to be sent to, in words of its own.
 */
const toy: Dialect = {
  name: 'toy',
  reason: 'the keyword says toy',
  marks: all => all.filter(({ keyword }) => keyword.value?.toy === true),
  routes: (_, { server }) => (server.advertised ? ['inline', 'round'] : ['inline']),
  lookedFor: () => 'toy',
  inlineMode: 'inline',
  write: ({ name, data }) =>
    data === undefined ? `toy:${name}` : `toy:${name}:${Buffer.from(data, 'base64').toString('hex')}`,
  round: {
    split(inputRequests) {
      const [key, entry] = Object.entries(inputRequests)[0]!;
      return { upload: { key, entry: entry as { [key: string]: unknown } }, others: [] };
    },
    readTargets: (entry, files) =>
      new Map(
        files.map(({ pointer }): [string, UploadTarget] => [
          pointer,
          { url: String(entry.there), method: 'PUT', headers: [['x-toy', pointer]], credentials: 'omit' },
        ]),
      ),
    response: () => ({ thrown: true }),
  },
};

function newClient(flavour: Flavour, url: string) {
  const info = { name: 'test-host', version: '1.0.0' };
  if (flavour === 'v1') return [new ClientV1(info), new TransportV1(new URL(url))] as const;
  const mode = flavour === 'v2 modern' ? { pin: '2026-07-28' } : 'legacy';
  return [new ClientV2(info, { versionNegotiation: { mode } as never }), new TransportV2(new URL(url))] as const;
}

class ToyClient extends PortableFilesClient {
  constructor(client: never, options: FilesClientOptions) {
    super(client, options, {
      dialects: [toy, ...DIALECTS],
      createEngine: async () => createFetchEngine(fetch, {}),
      sha256: () => expect.unreachable('nothing is hashed here'),
      spool: () => expect.unreachable('nothing is kept here'),
    });
  }
}

describe.each(FLAVOURS)('a dialect that is added, on %s', flavour => {
  let server: ScriptedServer | undefined;
  const cleanUp: (() => PromiseLike<unknown>)[] = [];
  afterEach(async () => {
    for (const undo of cleanUp.splice(0).reverse()) await undo();
  });

  it.each([
    ['inline', 5],
    ['round', 100_000],
  ] as const)('takes a file by the route %s', async (route, size) => {
    server = await startScriptedServer({
      tools: [
        {
          name: 'throw',
          inputSchema: { type: 'object', properties: { ball: { type: 'string', 'x-mcp-file': { toy: true } } } },
        },
      ],
      onCall: (call, index) => {
        if (route === 'inline' || index > 0) return done();
        expect(isObject(call.params.arguments)).toBe(true);
        return inputRequired({ toy: { method: 'toy/throw', there: `${server!.origin}/catch` } }, 'state');
      },
    });
    cleanUp.push(() => server![Symbol.asyncDispose]());
    const [mcp, transport] = newClient(flavour, server.url);
    const files = new ToyClient(mcp as never, { serverUrl: server.url });
    cleanUp.push(() => files.close());
    await mcp.connect(transport as never);
    cleanUp.push(() => mcp.close());

    const bytes = Buffer.alloc(size, 'x');
    const ball = fromBytes(bytes, { name: 'ball' });
    const result = await files.callToolWithFiles({ name: 'throw', arguments: { ball } });
    const inline = route === 'inline';
    expect(server.calls.map(({ params }) => params.arguments.ball)).toEqual(
      inline ? [`toy:ball:${bytes.toString('hex')}`] : ['toy:ball', 'toy:ball'],
    );
    expect(result.transfers).toMatchObject([
      {
        pointer: '/ball',
        dialect: 'toy',
        mode: inline ? 'inline' : 'put',
        reason: expect.stringContaining('says toy'),
      },
    ]);
    if (inline) return;
    expect(server.calls[1]!.params.inputResponses).toEqual({ toy: { thrown: true } });
    expect(server.stored).toMatchObject([{ url: '/catch', method: 'PUT', headers: { 'x-toy': '/ball' } }]);
    expect(server.stored[0]!.body.equals(bytes)).toBe(true);
  });
});
