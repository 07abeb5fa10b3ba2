// Found in review: a returned file of unknown size was fetched to its end, 209 MB of it, before the 10 bytes that the tool takes
// were looked at; one without end filled the disk.
import { afterEach, expect, test } from 'vitest';
import { fromBytes, isFilesError, type RemoteFile } from '../../src/index.js';
import { connect, FLAVOURS } from '../support/clients.js';
import { done, startScriptedServer } from '../support/scripted-server.js';

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]();
});

const place = (maxSize?: number) => ({ type: 'object', 'x-mcp-file': maxSize === undefined ? {} : { maxSize } });
const take = {
  name: 'take',
  inputSchema: { type: 'object', properties: { small: place(10), large: place(100_000_000), any: place() } },
};

/** A client to whom a file without a size was returned: `bytes` of it, or no end. */
async function start(flavour: (typeof FLAVOURS)[number], bytes?: number) {
  let ended = false;
  const server = await startScriptedServer({
    tools: [take],
    onCall: ({ params }) =>
      Object.keys(params.arguments ?? {}).length > 0
        ? done('taken')
        : done('made', {
            _meta: { 'io.modelcontextprotocol/files': { downloads: [{ name: 'x.bin', path: 'dl/x' }] } },
          }),
    onStore: (_, response) => {
      if (bytes !== undefined) return void response.end(Buffer.alloc(bytes, 7));
      const piece = Buffer.alloc(64 * 1024);
      const more = (): void => {
        if (!ended && !response.destroyed) response.write(piece, () => setImmediate(more));
      };
      response.on('close', () => {
        ended = true;
      });
      more();
    },
  });
  open.push(server);
  const host = await connect(flavour, server.url);
  open.push(host);
  const { files } = await host.files.callToolWithFiles({ name: 'take', arguments: {} });
  return { server, client: host.files, file: files[0]! };
}

const taking = (args: { [place: string]: RemoteFile }) => ({ name: 'take', arguments: args });

test.each(FLAVOURS)('a file without end is given up at maxSize, on %s', async flavour => {
  const { server, client, file } = await start(flavour);
  const error = await client.callToolWithFiles(taking({ small: file })).catch((thrown: unknown) => thrown);
  if (!isFilesError(error)) throw error;
  expect(error).toMatchObject({
    code: 'file_too_large',
    outcome: 'not_run',
    pointer: '/small',
    details: { maxSize: 10 },
  });
  expect(server.calls).toHaveLength(1);
});

test('the strictest place counts for a file at two of them', async () => {
  const { client, file } = await start('v2 modern');
  await expect(client.callToolWithFiles(taking({ any: file, large: file, small: file }))).rejects.toMatchObject({
    code: 'file_too_large',
    details: { maxSize: 10 },
  });
});

test('one of just the size is sent', async () => {
  const { server, client, file } = await start('v2 modern', 10);
  await client.callToolWithFiles(taking({ small: file }));
  expect(server.calls[1]!.params.arguments.small).toMatchObject({ name: 'x.bin', size: 10 });
});

test('a file of the host keeps its own error', async () => {
  const { client } = await start('v2 modern', 1);
  const small = fromBytes(new Uint8Array(11), { name: 'a' }) as unknown as RemoteFile;
  await expect(client.callToolWithFiles(taking({ small }))).rejects.toMatchObject({
    code: 'file_too_large',
    details: { size: 11, maxSize: 10 },
  });
});
