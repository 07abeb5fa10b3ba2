import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { FilesClient } from '../../src/index.js';
import { all, thrown } from './scripted.js';

/** A server that nobody here wrote: resources, templates and subscriptions, of protocol 2025-11-25. */
const require = createRequire(import.meta.url);
const PACKAGE = dirname(require.resolve('@modelcontextprotocol/server-everything/package.json'));
const SCRIPT = join(PACKAGE, 'dist/index.js');

let http: ChildProcess;
let url: URL;

beforeAll(async () => {
  const port = await freePort();
  url = new URL(`http://127.0.0.1:${port}/mcp`);
  http = spawn(process.execPath, [SCRIPT, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: 'ignore',
  });
  await vi.waitFor(async () => expect((await fetch(url, { method: 'GET' })).status).toBeGreaterThan(0), {
    timeout: 60_000,
    interval: 100,
  });
}, 90_000);
afterAll(() => void http.kill());

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return port;
}

const stdio = { command: process.execPath, args: [SCRIPT, 'stdio'], stderr: 'ignore' as const };
const info = { name: 'test-host', version: '1' };

describe.each([
  ['v2 over stdio', () => new ClientV2(info, { versionNegotiation: { mode: 'auto' } }), () => new StdioV2(stdio)],
  [
    'v2 over Streamable HTTP',
    () => new ClientV2(info, { versionNegotiation: { mode: 'auto' } }),
    () => new HttpV2(url),
  ],
  ['v1 over stdio', () => new ClientV1(info), () => new StdioV1(stdio)],
  ['v1 over Streamable HTTP', () => new ClientV1(info), () => new HttpV1(url)],
] as const)('server-everything, %s', (_, newClient, newTransport) => {
  it('is listed, read, expanded and followed, and offers no more than it has', { timeout: 60_000 }, async () => {
    const mcp = newClient();
    const transport = newTransport();
    const files = new FilesClient(mcp, { transport });
    try {
      await mcp.connect(transport as never);
      const { resources } = files;
      expect(await resources.supported()).toEqual({ create: false, delete: false, subscribe: true, listChanged: true });
      expect(await thrown(resources.create({ name: 'x', content: 'x' }))).toMatchObject({
        code: 'resource_unsupported',
      });

      const listed = await all(resources.list());
      expect(listed.length).toBeGreaterThan(2);
      for (const { uri, mimeType } of listed) {
        const [content] = await resources.read(uri);
        expect(content).toMatchObject({ uri, mimeType });
        expect(content?.text?.length).toBeGreaterThan(10);
      }

      const templates = await all(resources.templates());
      const template = (kind: string) => templates.find(each => each.uriTemplate.includes(kind))!;
      const textUri = await resources.expand(template('text'), { resourceId: 7 });
      expect(textUri).toBe('demo://resource/dynamic/text/7');
      expect(await resources.read(textUri)).toMatchObject([
        { uri: textUri, text: expect.stringContaining('Resource 7') },
      ]);
      const [blob] = await resources.read(await resources.expand(template('blob'), { resourceId: 8 }));
      expect(Buffer.from(blob!.bytes!).toString()).toContain('Resource 8');
      expect(await thrown(resources.read('demo://no/such/resource'))).toMatchObject({ code: 'resource_not_found' });

      const listener = vi.fn();
      await using _subscription = await resources.subscribe(textUri, listener);
      await files.callToolWithFiles({ name: 'toggle-subscriber-updates' });
      await vi.waitFor(() => expect(listener).toHaveBeenCalledWith({ uri: textUri }), { timeout: 30_000 });
      await files.callToolWithFiles({ name: 'toggle-subscriber-updates' });
    } finally {
      await files.close();
      await mcp.close();
    }
  });
});
