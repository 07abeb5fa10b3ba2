import { afterEach, describe, expect, it } from 'vitest';
import { type FilesClientOptions, fromBytes, newHandle, type Tool } from '../../src/index.js';
import { connect, FLAVOURS } from '../support/clients.js';
import { done, inputRequired, startScriptedServer, uploadEntry } from '../support/scripted-server.js';

/** Runs a tool of another server: what that one takes is in no schema that the client sees. */
const useTool = {
  name: 'UseTool',
  inputSchema: {
    type: 'object',
    properties: { tool_name: { type: 'string' }, inputs: { type: 'object' } },
    required: ['tool_name', 'inputs'],
  },
};

/** What the host knows of the inner tools. */
const describeArguments = (tool: Tool, args: { readonly [key: string]: unknown }) =>
  tool.name === 'UseTool' && args.tool_name === 'Drive.Upload'
    ? [
        { pointer: '/inputs/document', accept: ['.txt'], maxSize: 100 },
        { pointer: '/inputs/more/*', as: 'base64' as const, nameAt: '/inputs/title' },
      ]
    : [];

describe.each(FLAVOURS)('an executor tool on %s', flavour => {
  const open: AsyncDisposable[] = [];
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]();
  });
  const start = async (options: FilesClientOptions) => {
    const server = await startScriptedServer({
      tools: [useTool],
      capability: { maxInlineBytes: 10 },
      onCall: ({ params }, index) =>
        index === 0 && JSON.stringify(params).includes('"size":11')
          ? inputRequired({ up: uploadEntry({ '/inputs/document': { path: 'uploads/1' } }) }, 's')
          : done(),
    });
    open.push(server);
    const host = await connect(flavour, server.url, options);
    open.push(host);
    return { server, files: host.files, sent: () => server.calls.at(-1)!.params.arguments as any };
  };
  const call = (inputs: object, tool_name = 'Drive.Upload') => ({ name: 'UseTool', arguments: { tool_name, inputs } });
  const small = fromBytes('hello', { name: 'hi.txt' });

  it('takes handles and files where the host says that the inner tool does', async () => {
    const { files, sent } = await start({ describeArguments });
    const handle = await files.registry.add(small);
    const { transfers } = await files.callToolWithFiles(
      call({ document: handle, more: [small, handle], note: handle, title: '' }),
    );
    expect(sent().inputs).toEqual({
      document: { name: 'hi.txt', mimeType: 'text/plain', size: 5, data: 'aGVsbG8=' },
      more: ['aGVsbG8=', 'aGVsbG8='],
      note: handle,
      title: 'hi.txt',
    });
    expect(transfers.map(({ pointer }) => pointer)).toEqual(['/inputs/document', '/inputs/more/0', '/inputs/more/1']);
  });

  it('sends a large one to storage, from within the inner arguments', async () => {
    const { server, files, sent } = await start({ describeArguments });
    const handle = await files.registry.add(fromBytes('hello world', { name: 'hi.txt' }));
    await files.callToolWithFiles(call({ document: handle }));
    expect(sent().inputs).toEqual({ document: { name: 'hi.txt', mimeType: 'text/plain', size: 11 } });
    expect(server.stored.map(({ body }) => String(body))).toEqual(['hello world']);
    expect(server.calls).toHaveLength(2);
  });

  it('keeps to what the host says of the inner tool', async () => {
    const { server, files } = await start({ describeArguments });
    const picture = await files.registry.add(fromBytes('x', { name: 'x.png' }));
    const attempts: [object, string][] = [
      [call({ document: picture }), 'file_type_not_accepted'],
      [call({ document: newHandle() }), 'argument_invalid'],
      [call({ other: small }), 'argument_invalid'],
      [call({ document: small }, 'Drive.Delete'), 'argument_invalid'],
    ];
    for (const [each, code] of attempts) {
      await expect(files.callToolWithFiles(each as never)).rejects.toMatchObject({ code, outcome: 'not_run' });
    }
    expect(server.calls).toEqual([]);
  });

  it('takes handles at any depth where the host wants that, and the host’s own word before it', async () => {
    const { files, sent } = await start({ resolveHandles: 'anywhere', describeArguments });
    const handle = await files.registry.add(small, { scope: 's' });
    const inputs = { more: [handle], deep: { list: [{ file: handle }] }, text: `about ${handle}` };
    await files.callToolWithFiles(call(inputs), { scope: 's' });
    expect(sent().inputs).toEqual({
      more: ['aGVsbG8='],
      title: 'hi.txt',
      deep: { list: [{ file: { name: 'hi.txt', mimeType: 'text/plain', size: 5, data: 'aGVsbG8=' } }] },
      text: `about ${handle}`,
    });
    // A file itself, unlike a handle, is put where it stands by the host's own code.
    await expect(files.callToolWithFiles(call({ deep: small }))).rejects.toMatchObject({ code: 'argument_invalid' });
  });
});
