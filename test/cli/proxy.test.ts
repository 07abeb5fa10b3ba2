import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from 'vitest';
import { usesProxy } from '../../src/cli/proxy.js';
import { startEndlessServer } from './endless-server.js';
import { runCli } from './run-cli.js';

it.each([
  [{}, 'https://mcp.example.com/mcp', false],
  [{ HTTPS_PROXY: '' }, 'https://mcp.example.com/mcp', false],
  [{ HTTPS_PROXY: 'http://proxy:3128' }, 'https://mcp.example.com/mcp', true],
  [{ http_proxy: 'http://proxy:3128' }, undefined, true],
  [{ HTTP_PROXY: 'http://proxy:3128' }, 'http://localhost:3000/mcp', false],
  [{ HTTP_PROXY: 'http://proxy:3128' }, 'http://127.0.0.2/mcp', false],
  [{ HTTP_PROXY: 'http://proxy:3128' }, 'http://[::1]:3000/mcp', false],
  [{ HTTP_PROXY: 'http://proxy:3128' }, 'http://127.0.0.1.example.com/mcp', true],
])('%j for %s: %s', (env, url, expected) => {
  expect(usesProxy(env, url)).toBe(expected);
});

it('goes through the proxy that the environment names, but for servers on this computer', async () => {
  const server = await startEndlessServer();
  const asked: string[] = [];
  const proxy = createServer();
  proxy.on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    // The name is one that only the proxy knows.
    const upstream = connect(Number(new URL(server.url).port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
  });
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve));
  const env = { HTTP_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, NO_PROXY: '' };
  const through = await runCli(['tools', 'http://mcp.test/mcp'], { env });
  expect(through).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('\nwait\n') });
  expect(asked[0]).toBe('mcp.test:80');
  const before = asked.length;
  const direct = await runCli(['tools', server.url], { env });
  expect(direct.code).toBe(0);
  expect(asked).toHaveLength(before);
  proxy.close();
  server.http.close();
});
