import { expect, it } from 'vitest';
import { fromBytes, memoryRegistry } from '../../src/index.js';
import { connect, FLAVOURS } from '../support/clients.js';
import { done, startScriptedServer } from '../support/scripted-server.js';
import { publish } from '../support/tools.js';

const post = {
  name: 'post',
  inputSchema: { type: 'object', properties: { body: { type: 'string' }, file: { type: 'string', 'x-mcp-file': {} } } },
};

it.each(FLAVOURS)('a name in a text that is a handle elsewhere leaves both what they are on %s', async flavour => {
  await using server = await startScriptedServer({ tools: [publish, post], onCall: () => done(), capability: null });
  await using host = await connect(flavour, server.url, { textFiles: 'registered' });
  const handle = await host.files.registry.add(fromBytes('pixels', { name: 'd.png' }));
  for (const args of [
    { body: `![x](${handle})`, file: handle },
    { file: handle, body: `![x](${handle})` },
  ]) {
    await host.files.callToolWithFiles({ name: 'post', arguments: args });
    const sent = server.calls.at(-1)!.params.arguments as { body: string; file: unknown };
    expect(sent.body).toBe(`![x](${handle})`);
    expect(sent.file).not.toBe(handle);
  }
});

it('a text that names a file of another client goes as it is', async () => {
  const registry = memoryRegistry();
  const returned = { type: 'image', mimeType: 'image/png', data: 'AAAA', name: 'logo.png' };
  await using first = await startScriptedServer({
    tools: [publish],
    onCall: () => done('made', { content: [returned] }),
    capability: null,
  });
  await using second = await startScriptedServer({ tools: [publish, post], onCall: () => done(), capability: null });
  await using one = await connect('v2 modern', first.url, { registry });
  await using other = await connect('v2 modern', second.url, { registry, textFiles: 'registered' });
  const { files } = await one.files.callToolWithFiles({ name: 'publish', arguments: { site: 's' } });
  const { name } = files[0]!;
  await registry.add(files[0]!);
  const body = `![x](${name})`;
  await other.files.callToolWithFiles({ name: 'post', arguments: { body } });
  expect(second.calls.at(-1)!.params.arguments).toEqual({ body });
});
