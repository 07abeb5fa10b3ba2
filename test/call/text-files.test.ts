import { afterEach, describe, expect, it } from 'vitest';
import { type FilesClientOptions, fromBytes, memoryRegistry } from '../../src/index.js';
import { linksIn } from '../../src/model/index.js';
import { connect, FLAVOURS } from '../support/clients.js';
import { done, startScriptedServer } from '../support/scripted-server.js';
import { publish } from '../support/tools.js';

const post = {
  name: 'post',
  inputSchema: { type: 'object', properties: { body: { type: 'string' }, file: { type: 'string', 'x-mcp-file': {} } } },
};

it.each<[string, string[]]>([
  ['![alt](diagram.png)', ['diagram.png']],
  ['[text](a.pdf "title") and ![](<b c.png>)', ['a.pdf', 'b c.png']],
  ['![a][id]\n\n[id]: out/ref.png', ['out/ref.png']],
  ['[![x](in.png)](out.pdf)', ['in.png', 'out.pdf']],
  ['`![x](code.png)`\n\n    ![x](block.png)\n\n```\n![x](fence.png)\n```', []],
  ['\\![x\\](escaped.png)', []],
  ['[a](https://example.com/a.png) [b](#part) [c](/abs.png) [d](mailto:x@y) <https://x.y> [e](?q) [f]()', []],
  ['diagram.png, "diagram.png", (diagram.png)', []],
])('the names that links of %j lead to', async (text, names) => {
  const links = await linksIn(text);
  expect(links.map(({ name }) => name)).toEqual(names);
  for (const { from, to, name } of links) expect(text.slice(from, to)).toBe(name);
});

describe.each(FLAVOURS)('registered files in free text on %s', flavour => {
  const open: AsyncDisposable[] = [];
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]();
  });
  const start = async (options: FilesClientOptions = {}) => {
    const server = await startScriptedServer({ tools: [publish, post], onCall: () => done(), capability: null });
    open.push(server);
    const host = await connect(flavour, server.url, { textFiles: 'registered', ...options });
    open.push(host);
    const { files } = host;
    return { server, files, bodyOf: () => (server.calls.at(-1)!.params.arguments as any).body };
  };
  const diagram = fromBytes('pixels', { name: 'diagram.png' });
  const uri = `data:image/png;base64,${Buffer.from('pixels').toString('base64')}`;

  it('puts them in the place of their names, and changes nothing else', async () => {
    const asked: object[] = [];
    const { files, bodyOf } = await start({
      approve: ({ pointer, name, via }) => {
        asked.push({ pointer, name, via });
        return true;
      },
    });
    await files.registry.add(fromBytes('old', { name: 'diagram.png' }), { scope: 's' });
    await files.registry.add(diagram, { scope: 's' });
    await files.registry.add(fromBytes('%PDF', { name: 'a.pdf' }), { scope: 's' });
    const body =
      'See ![the  plan](diagram.png "t"), `![x](diagram.png)`,\r\n[this](a.pdf) and [that](none.pdf): diagram.png.';
    const result = await files.callToolWithFiles({ name: 'post', arguments: { body } }, { scope: 's' });
    const pdf = 'data:application/pdf;base64,JVBERg==';
    expect(bodyOf()).toBe(body.replace('diagram.png "t"', `${uri} "t"`).replace('a.pdf', pdf));
    expect(result.transfers).toMatchObject([
      { pointer: '/body', name: 'diagram.png', size: 6, mode: 'data-uri', bytes: 6 },
      { pointer: '/body/1', name: 'a.pdf', mode: 'data-uri' },
    ]);
    expect(asked).toEqual([
      { pointer: '/body', name: 'diagram.png', via: 'inline' },
      { pointer: '/body/1', name: 'a.pdf', via: 'inline' },
    ]);
  });

  it.each<[string, FilesClientOptions, object, object]>([
    ['unless the host wants that', { textFiles: 'off' }, {}, {}],
    ['of another conversation', {}, { scope: 'a' }, { scope: 'b' }],
    ['of a conversation, in a call without', {}, { scope: 'a' }, {}],
    ['that have expired', {}, { expiresIn: 0 }, {}],
    ['for another server', {}, { servers: ['https://other.example'] }, {}],
  ])('leaves the names alone of files %s', async (_, options, added, called) => {
    const { files, bodyOf } = await start(options);
    await files.registry.add(diagram, added);
    const body = '![x](diagram.png)';
    const { transfers } = await files.callToolWithFiles({ name: 'post', arguments: { body } }, called);
    expect(bodyOf()).toBe(body);
    expect(transfers).toEqual([]);
  });

  it('sends nothing that is over the inline limit, each time counted', async () => {
    const { server, files } = await start({ inlineLimit: 10 });
    await files.registry.add(diagram);
    const call = { name: 'post', arguments: { body: '![1](diagram.png) ![2](diagram.png)' } };
    await expect(files.callToolWithFiles(call)).rejects.toMatchObject({
      code: 'file_too_large',
      outcome: 'not_run',
      details: { limit: 'inline' },
    });
    expect(server.calls).toHaveLength(0);
  });

  it('sends nothing that is not approved', async () => {
    const { server, files } = await start({ approve: () => false });
    await files.registry.add(diagram);
    const call = { name: 'post', arguments: { body: '![1](diagram.png)' } };
    await expect(files.callToolWithFiles(call)).rejects.toMatchObject({ code: 'approval_denied', pointer: '/body' });
    expect(server.calls).toHaveLength(0);
  });

  it('leaves a text alone that stands where a file is declared', async () => {
    const { server, files } = await start();
    await files.registry.add(diagram);
    await files.callToolWithFiles({ name: 'post', arguments: { file: '![1](diagram.png)' } });
    expect(server.calls[0]!.params.arguments).toEqual({ file: '![1](diagram.png)' });
  });

  it('needs a registry that can look names up', async () => {
    const { findByName: _, ...registry } = memoryRegistry();
    await expect(start({ registry })).rejects.toBeInstanceOf(TypeError);
  });
});
