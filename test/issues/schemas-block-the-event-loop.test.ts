// Found here: listing 300 tools with small schemas of references upon references held the event loop for two minutes.
import { expect, test } from 'vitest';
import { ToolCatalog } from '../../src/call/tool-catalog.js';
import type { McpPort } from '../../src/connection/index.js';
import { declarationAt, fileArguments, type JsonObject, type Tool } from '../../src/protocol/index.js';
import { counted } from '../protocol/counted.js';

const FILE = { type: 'object', 'x-mcp-file': {} };

/** 31 definitions of 8 members each, all of them references to the next. */
function knotted(name: string): Tool {
  const reference = (index: number) => (index === 31 ? FILE : { $ref: `#/$defs/d${index}` });
  const members = (index: number) => Object.fromEntries('abcdefgh'.split('').map(key => [key, reference(index)]));
  const $defs = Object.fromEntries(
    Array.from({ length: 31 }, (_, index) => [`d${index}`, { type: 'object', properties: members(index + 1) }]),
  );
  return { name, inputSchema: { type: 'object', properties: { near: FILE, ...members(0) }, $defs } } as Tool;
}

function catalogOf(tools: readonly Tool[]): ToolCatalog {
  const port = { onToolListChanged: () => () => {}, connectionKey: {}, listToolsPage: async () => ({ tools }) };
  return new ToolCatalog(port as unknown as McpPort);
}

const signal = new AbortController().signal;

test('one tool costs little, and a list of 300 no more than 20 of them', async () => {
  const one = counted(knotted('t'));
  const notes: string[] = [];
  expect(fileArguments(one.value, note => notes.push(note)).map(({ pointer }) => pointer)).toEqual(['/near']);
  expect(notes).toEqual([expect.stringContaining('too large')]);
  expect(one.reads()).toBeLessThan(250_000);

  const all = counted(Array.from({ length: 300 }, (_, index) => knotted(`t${index}`)));
  const listed = await catalogOf(all.value).refresh(signal);
  expect(listed).toHaveLength(300);
  expect(listed[0]?.fileArguments).toMatchObject([{ pointer: '/near' }]);
  expect(all.reads()).toBeLessThan(21 * one.reads());
});

test('a place that is named is found all the same', () => {
  const { value, reads } = counted(knotted('t'));
  expect(declarationAt(value, `${'/a/b/c/d/e/f/g/h'.repeat(4)}`)).toMatchObject({ dialect: 'extension' });
  expect(reads()).toBeLessThan(250_000);
});

test('300 honest tools are all read', async () => {
  const members = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`p${index}`, { type: 'string' }]));
  const tools = Array.from({ length: 300 }, (_, index) => {
    return { name: `t${index}`, inputSchema: { type: 'object', properties: { ...members, file: FILE } } } as Tool;
  });
  const listed = await catalogOf(tools).refresh(signal);
  expect(listed.every(({ fileArguments: found }) => found.length === 1)).toBe(true);
});

const wide: [string, (parts: JsonObject[]) => JsonObject][] = [
  ['anyOf', anyOf => ({ anyOf })],
  ['oneOf', oneOf => ({ oneOf })],
  ['allOf', allOf => ({ allOf })],
  ['dependentSchemas', parts => ({ dependentSchemas: Object.fromEntries(parts.entries()) })],
  ['properties', parts => ({ properties: Object.fromEntries(parts.map((part, index) => [`p${index}`, part])) })],
  ['patternProperties', parts => ({ patternProperties: Object.fromEntries(parts.entries()) })],
  ['prefixItems', prefixItems => ({ prefixItems })],
  [
    'anyOf in anyOf',
    parts => ({
      anyOf: Array.from({ length: 100 }, (_, index) => ({ anyOf: parts.slice(index * 1000, (index + 1) * 1000) })),
    }),
  ],
];

test.each(wide)('%s with very many schemas', (_, build) => {
  const parts = Array.from({ length: 100_000 }, () => ({ type: 'string' }));
  const schema = build(parts);
  // Counted in the parts: how often one of them is looked into.
  let looks = 0;
  const look = () => {
    looks++;
    return 'string';
  };
  for (const part of parts) Object.defineProperty(part, 'type', { enumerable: true, get: look });
  const notes: string[] = [];
  const given = { name: 't', inputSchema: { type: 'object', properties: { near: FILE, x: schema } } } as Tool;
  expect(fileArguments(given, note => notes.push(note)).map(({ pointer }) => pointer)).toEqual(['/near']);
  expect(looks).toBeLessThan(20_000);
  expect(notes).toEqual([expect.stringContaining('too large')]);
});
