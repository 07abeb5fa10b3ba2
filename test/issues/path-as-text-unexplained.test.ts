// Found by a newcomer: a path given as text for a file argument goes to the server as it is, which then fails in its own words.
import { expect, test } from 'vitest';
import { fromBytes, type LogEvent } from '../../src/index.js';
import { FLAVOURS } from '../support/clients.js';
import { host, publishing, server } from './support/call.js';

const attach = {
  name: 'attach',
  inputSchema: {
    type: 'object',
    properties: { title: { type: 'string' } },
    additionalProperties: { type: 'object', 'x-mcp-file': {} },
  },
};

const file = { type: 'object', 'x-mcp-file': {} };
const publish = {
  name: 'publish',
  inputSchema: {
    type: 'object',
    properties: {
      site: { type: 'string' },
      deck: file,
      assets: { type: 'array', items: file },
      meta: { type: 'object', properties: { cover: file } },
    },
  },
};

async function notesOf(call: Parameters<typeof publishing>[0], name = 'publish', flavour = FLAVOURS[0] as never) {
  const events: LogEvent[] = [];
  const made = await server({ tools: [publish, attach] });
  const { files } = await host(made.url, { logger: event => events.push(event) }, flavour);
  await files.listTools();
  await files.callToolWithFiles({ name, arguments: call }).catch(() => {});
  return events.filter(({ type }) => type === 'note').map(({ callId, message }) => [callId, message]);
}

const noted = (pointer: string) => [
  ['call-1', `the argument "${pointer}" takes a file and holds a text: wrap a path with fromPath`],
];

test.each(FLAVOURS)('a note says what takes a file, once, and never the text: %s', async flavour => {
  const call = { site: 's', deck: './private/deck.pdf', assets: ['a.png', 'b.png'] };
  expect(await notesOf(call, 'publish', flavour as never)).toEqual(noted('/deck'));
});

test.each([
  [{ deck: '/srv/deck.pdf' }, '/deck'],
  [{ deck: 'C:\\deck.pdf' }, '/deck'],
  [{ deck: 'file:///srv/deck.pdf' }, '/deck'],
  [{ assets: [fromBytes('x', { name: 'x' }), 'a.png'] }, '/assets/1'],
  [{ meta: { cover: 'cover.png' } }, '/meta/cover'],
])('%j', async (call, pointer) => {
  expect(await notesOf(call)).toEqual(noted(pointer));
});

test('in a map, the members that have a name of their own are not meant', async () => {
  expect(await notesOf({ title: 'a.txt' }, 'attach')).toEqual([]);
  expect(await notesOf({ title: 'a.txt', one: 'a.txt' }, 'attach')).toEqual(noted('/one'));
});

test.each([
  { site: './deck.pdf' },
  { deck: '' },
  { deck: 'mcpfile_unknown' },
  { deck: 'data:text/plain,x' },
  { deck: 'https://files.example/deck.pdf?sig=1' },
  { deck: 'mcp-file://s/deck.pdf' },
  { deck: fromBytes('x', { name: 'x' }) },
  { deck: { name: 'deck.pdf' } },
  { assets: 'a.png' },
  { meta: null },
])('nothing to say of %j', async call => {
  expect(await notesOf(call)).toEqual([]);
});

test('a tool that was not listed is not looked up for it', async () => {
  const events: LogEvent[] = [];
  const { url, requests } = await server();
  const { files } = await host(url, { logger: event => events.push(event) });
  await files.callToolWithFiles(publishing({ deck: 'deck.pdf' }));
  expect(requests.map(({ method }) => method)).not.toContain('tools/list');
  expect(events.filter(({ type }) => type === 'note')).toEqual([]);
});
