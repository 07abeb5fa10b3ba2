import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const built = (name: string): string => new URL(`dist/${name}`, root).href;
const hooks = new URL('loaded-modules.mjs', import.meta.url).href;

/** What Node resolves while a program runs: the names of packages, each once. Not a time, so no machine is too slow. */
function packagesLoadedBy(program: string): string[] {
  const start = `import { loaded } from ${JSON.stringify(hooks)};\n${program}\nconsole.log(JSON.stringify(await loaded()));`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', start], {
    cwd: fileURLToPath(root),
    encoding: 'utf8',
    timeout: 30_000, // of a program that would never end
  });
  expect(status, stderr).toBe(0);
  const packages = (JSON.parse(stdout) as string[]).map(url => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]);
  return [...new Set(packages.filter(name => name !== undefined))].sort();
}

describe('what is loaded when', () => {
  it('notices what a program loads', () => {
    expect(packagesLoadedBy(`await import('mime'); await import('form-data');`)).toEqual(
      expect.arrayContaining(['form-data', 'mime']),
    );
  });

  it('loads no package with the library, but what a call needs with the first that does', () => {
    const packages = packagesLoadedBy(`await import(${JSON.stringify(built('index.js'))});`);
    expect(packages).toEqual([]);
  });

  it('loads the client for a proxy while the server answers that it wants the file', () => {
    // A client that answers the call once undici is there; a call that waits for the answer first never ends.
    const packages = packagesLoadedBy(`
      const { FilesClient, fromBytes } = await import(${JSON.stringify(built('index.js'))});
      const extensions = { 'io.modelcontextprotocol/files': {} };
      const inputSchema = { type: 'object', properties: { file: { type: 'object', 'x-mcp-file': {} } } };
      const client = new FilesClient({
        transport: { sessionId: '1' },
        registerCapabilities() {},
        getServerCapabilities: () => ({ extensions }),
        callTool() {},
        async request({ method }) {
          if (method === 'tools/list') return { tools: [{ name: 'save', inputSchema }] };
          while (!(await loaded()).some(url => url.includes('/node_modules/undici/'))) await new Promise(setImmediate);
          return { content: [{ type: 'text', text: 'kept nothing' }] };
        },
      }, { inlineLimit: 0, proxy: 'http://127.0.0.1:1' });
      await client.callToolWithFiles({ name: 'save', arguments: { file: fromBytes('x', { name: 'x.txt' }) } });
    `);
    expect(packages).toContain('undici');
  });
});
