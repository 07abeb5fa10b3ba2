import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, it } from 'vitest';
import { FilesClient } from '../../src/index.js';
import { cleanUps } from '../support/returned.js';

/** Files of a server that nobody here wrote. */
const require = createRequire(import.meta.url);
const SCRIPT = join(dirname(require.resolve('@modelcontextprotocol/server-everything/package.json')), 'dist/index.js');
const cleanUp = cleanUps();
const stdio = { command: process.execPath, args: [SCRIPT, 'stdio'], stderr: 'ignore' as const };
const info = { name: 'test-host', version: '1' };

it.each([
  ['v2', () => new ClientV2(info, { versionNegotiation: { mode: 'auto' } }), () => new StdioV2(stdio)],
  ['v1', () => new ClientV1(info), () => new StdioV1(stdio)],
] as const)(
  'images, embedded resources and links of server-everything are saved, with SDK %s',
  { timeout: 60_000 },
  async (_, newClient, newTransport) => {
    const mcp = newClient();
    const client = new FilesClient(mcp);
    await mcp.connect(newTransport() as never);
    cleanUp.push(() => mcp.close());
    cleanUp.push(() => client.close());
    const root = await mkdtemp(join(tmpdir(), 'returned-'));
    cleanUp.push(() => rm(root, { recursive: true }));
    const returned = async (name: string, args: Record<string, unknown> = {}) => {
      const { files } = await client.callToolWithFiles({ name, arguments: args });
      const dir = await mkdtemp(join(root, 'result-'));
      const saved = await Promise.all(files.map(file => client.download(file, { dir })));
      return Promise.all(saved.map(async ({ name, path }) => ({ name, content: await readFile(path!) })));
    };

    const [image] = await returned('get-tiny-image');
    expect(image!.name).toBe('image.png');
    expect(image!.content.subarray(1, 4).toString()).toBe('PNG');

    const [text] = await returned('get-resource-reference', { resourceType: 'Text', resourceId: 1 });
    expect(text!.content.toString()).toContain('Resource 1');
    const [blob] = await returned('get-resource-reference', { resourceType: 'Blob', resourceId: 2 });
    expect(blob!.content.toString()).toContain('Resource 2');

    const links = await returned('get-resource-links', { count: 4 });
    expect(links.map(({ name }) => name)).toEqual([1, 2, 3, 4].map(id => `${id % 2 ? 'Blob' : 'Text'} Resource ${id}`));
    for (const [index, { content }] of links.entries()) expect(content.toString()).toContain(`esource ${index + 1}`);

    const data = `data:text/plain;base64,${Buffer.from('to be packed').toString('base64')}`;
    for (const outputType of ['resource', 'resourceLink']) {
      const [packed] = await returned('gzip-file-as-resource', { name: `${outputType}.gz`, data, outputType });
      expect(packed!.name).toBe(`${outputType}.gz`);
      expect(gunzipSync(packed!.content).toString()).toBe('to be packed');
    }
  },
);
