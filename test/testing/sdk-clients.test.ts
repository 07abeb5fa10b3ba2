import { Client as V2Client, StreamableHTTPClientTransport as V2Http } from '@modelcontextprotocol/client';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as V1Http } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { startReferenceServer } from '../../src/testing/index.js';
import { bytesOf, CAPABILITIES, fileValue, type Json, send, sha256 } from './raw-client.js';

const BODY = bytesOf(50_000);
const PARAMS = { name: 'save_file', arguments: { folder: 'in', document: fileValue('a.bin', BODY) } };
const info = { name: 'host', version: '1' };

type Leg = (params: Json) => Promise<Json>;

/** What a host with nothing but its SDK would have to do. */
async function flow(leg: Leg): Promise<Json> {
  const first = await leg(PARAMS);
  const [[key, entry]] = Object.entries(first.inputRequests) as [[string, Json]];
  expect((await send(entry.params.targets['/document'], BODY)).ok).toBe(true);
  return await leg({ ...PARAMS, requestState: first.requestState, inputResponses: { [key]: {} } });
}

it('serves the clients of both SDKs', async () => {
  await using server = await startReferenceServer();
  const url = new URL(server.url);

  const modern = new V2Client(info, { capabilities: CAPABILITIES as never, versionNegotiation: { mode: 'auto' } });
  await modern.connect(new V2Http(url));
  expect(modern.getProtocolEra()).toBe('modern');
  const { tools } = await modern.listTools();
  const { outputSchema: _, ...definition } = tools.find(tool => tool.name === 'save_file') as (typeof tools)[number];
  const options = { allowInputRequired: true, toolDefinition: definition } as const;
  const results = [await flow(async params => (await modern.callTool(params as never, options)) as Json)];
  // A call without files, by the SDK alone.
  expect(await modern.callTool({ name: 'echo', arguments: { text: 'x' } })).toMatchObject({ content: [{ text: 'x' }] });
  await modern.close();

  const legacy = new V2Client(info);
  await legacy.connect(new V2Http(url));
  const anything = z.looseObject({});
  results.push(await flow(params => legacy.request({ method: 'tools/call', params } as never, anything)));
  await legacy.close();

  const v1 = new V1Client(info);
  await v1.connect(new V1Http(url) as never);
  results.push(await flow(params => v1.request({ method: 'tools/call', params } as never, anything)));
  await v1.close();

  for (const result of results) expect(result.structuredContent.files[0].sha256).toBe(sha256(BODY));
  expect(server.received()).toHaveLength(3);
});
