import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly protocolVersion?: string };
}

/** A server of the era before the present one, whose tool never ends. */
export async function startEndlessServer() {
  let called = () => {};
  const running = new Promise<void>(resolve => {
    called = resolve;
  });
  const resultOf = ({ method, params }: Message): object | undefined => {
    if (method === 'tools/list') return { tools: [{ name: 'wait', inputSchema: { type: 'object' } }] };
    if (method !== 'initialize') return undefined;
    return {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'endless', version: '1' },
    };
  };
  const http = createServer(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end();
    const message = (await json(request)) as Message;
    if (message.method === 'tools/call') return called();
    if (message.id === undefined) return response.writeHead(202).end();
    const result = resultOf(message);
    const answer = result === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answer }));
  }).listen(0, '127.0.0.1');
  await new Promise(resolve => http.once('listening', resolve));
  return { http, running, url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp` };
}
