import { describe, expect, it } from 'vitest';
import {
  type FilesClient,
  fromBytes,
  isFilesError,
  resultForModel,
  type ToolCall,
  toolForModel,
} from '../../src/index.js';
import { connect, FLAVOURS } from '../support/clients.js';
import { done, inputRequired, startScriptedServer, uploadEntry } from '../support/scripted-server.js';
import { textsOf, watchOutput } from './everything.js';
import { type Json, World } from './world.js';

const EXTENSION = 'io.modelcontextprotocol/files';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const SCOPE = 'conversation';

/** A tool that takes files in every dialect, so that every declaration has to be masked. */
const tools = [
  {
    name: 'publish',
    description: 'Publishes.',
    inputSchema: {
      type: 'object',
      properties: {
        deck: { type: 'object', 'x-mcp-file': {} },
        note: { type: 'string', format: 'uri', 'x-mcp-file': {} },
        listed: { type: 'object' },
      },
    },
    _meta: { 'x-mcp-file': { listed: {} }, 'openai/fileParams': ['picture'] },
  },
];

/** Everything a server can say of a file in one result, with a secret in each place that may hold one. */
function telling(w: World, origin: string): Json {
  const url = `${origin}/files/${w.key('url path')}/report.pdf?X-Amz-Signature=${encodeURIComponent(w.secret('query'))}`;
  const inline = (place: string) => base64(`${w.secret(place)} `.repeat(20));
  const image = { type: 'image', mimeType: 'image/png', data: inline('image') };
  const blob = { type: 'resource', resource: { uri: 'file:///a.bin', blob: inline('blob') } };
  const link = { type: 'resource_link', name: 'l.pdf', uri: `${origin}/link?token=${w.key('link')}` };
  const value = {
    uri: `mcp-file://${w.key('file uri')}`,
    name: 'value.csv',
    mimeType: 'text/csv',
    size: 3,
  };
  const uri = `data:text/csv;base64,${inline('data uri')}`;
  const said = { url, again: url.replaceAll('&', '\\u0026'), html: `<a href='${url}'>x</a>`, image, blob, value };
  return {
    content: [
      { type: 'text', text: `It is at ${url}, or ask for it with ${w.key('download header')}.` },
      { type: 'text', text: JSON.stringify(said) },
      { type: 'text', text: `![x](${uri}) ${encodeURIComponent(url)} ${link.uri} ${value.uri}` },
      image,
      { type: 'audio', mimeType: 'audio/wav', data: inline('sound') },
      { type: 'image', data: inline('image without a type') },
      blob,
      link,
      { type: 'file', file: { ...value, uri } },
    ],
    structuredContent: {
      ...said,
      uri,
      echo: { name: 'deck.bin', mimeType: 'a/b', size: 9, data: inline('echo') },
      shot: { ...image, data: inline('another image') },
    },
    _meta: {
      [EXTENSION]: {
        downloads: [
          {
            name: 'out/report.pdf',
            mimeType: 'application/pdf',
            size: 100,
            url,
            headers: { authorization: `Bearer ${w.key('download header')}` },
          },
        ],
      },
      'example.com/debug': { url, headers: w.key('download header') },
    },
  };
}

/** What a host shows a model of one call: the result, or the error's message. */
async function turn(files: FilesClient, call: ToolCall): Promise<unknown> {
  try {
    const result = await files.callToolWithFiles(call, { scope: SCOPE });
    return await resultForModel(result, { registry: files.registry, scope: SCOPE });
  } catch (error) {
    if (!isFilesError(error)) throw error;
    return { isError: true, content: [{ type: 'text', text: `${error.message} (${error.code})` }] };
  }
}

describe.each(FLAVOURS)('neither model nor log sees a secret on %s', flavour => {
  it('of files sent by handle, of files that come back, of calls that fail', async () => {
    const w = new World();
    const output = watchOutput();
    const logged: string[] = [];
    const transcript: unknown[] = [];
    let asked = 0;
    let calls = 0;
    const server = await startScriptedServer({
      tools,
      capability: { maxInlineBytes: 0 },
      onCall: ({ params }: any) => {
        // Items that the specification does not have are refused by the SDK: by v2 modern always, else without files.
        const told = telling(w, server.origin);
        if (flavour === 'v2 modern' || params.arguments.deck === undefined) {
          told.content = told.content.filter(
            ({ type, data, mimeType }: Json) => type !== 'file' && (!data || mimeType),
          );
        }
        if (params.arguments.deck?.size > 0 && asked++ % 2 === 0) {
          const target = w.target(calls++ === 0 ? {} : { url: `http://10.0.0.1/?sig=${w.key('refused target')}` });
          return inputRequired({ up: uploadEntry({ '/deck': target }) }, w.secret('request state'));
        }
        return done('', told);
      },
      onStore: (_, response) => void response.end(w.secret('answer')),
    });
    w.origin = server.origin;
    const host = await connect(flavour, server.url, { logger: event => void logged.push(...textsOf(event)) });
    try {
      const { files } = host;
      const handle = await files.registry.add(w.file(), { scope: SCOPE });
      const empty = await files.registry.add(fromBytes('', { name: 'empty.bin' }), { scope: SCOPE });
      const foreign = await files.registry.add(w.file(`${w.word('foreign name')}.bin`), { scope: 'another' });
      const publish = (args: object): ToolCall => ({ name: 'publish', arguments: args as Json });
      transcript.push((await files.listTools()).map(toolForModel));
      for (const args of [{ deck: handle }, { deck: handle }, { deck: foreign }, { deck: empty }, {}]) {
        transcript.push(args, await turn(files, publish(args)));
      }
      const [, , sent, , refused, , unknown] = transcript as any[];
      expect(JSON.stringify(sent)).toMatch(
        /File \\"out\/report\.pdf\\" \(application\/pdf, 100 bytes\), handle mcpfile_/,
      );
      expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('target_refused') }] });
      expect(unknown).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('argument_invalid') }],
      });
      expect(server.stored).toHaveLength(1);
    } finally {
      await host[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      output.end();
      w.end();
    }
    const seen = JSON.stringify(transcript);
    expect(seen).not.toContain('x-mcp-file');
    expect(w.secrets.foundIn([seen, ...logged, ...output.texts])).toEqual([]);
    // Handles are for the model; a log that had them would open files to whoever reads it.
    expect(logged.join('\n')).not.toContain('mcpfile_');
  });
});

it('finds a secret that is there', async () => {
  const w = new World();
  const raw = telling(w, 'https://x.example');
  expect(w.secrets.foundIn([JSON.stringify(raw)]).length).toBeGreaterThan(8);
});
