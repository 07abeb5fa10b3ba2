import { expect, it } from 'vitest';
import { resultForModel } from '../../src/index.js';
import { connect } from '../support/clients.js';
import { done, startScriptedServer } from '../support/scripted-server.js';
import { publish } from '../support/tools.js';

const url = 'https://bucket.example.net/k/report.pdf?X-Sig=abc123def4&e=5';
const listed = (download: object, text = `see ${url}`, more: object = {}) => ({
  content: [{ type: 'text', text }],
  _meta: { 'io.modelcontextprotocol/files': { downloads: [{ name: 'r.pdf', ...download }] } },
  ...more,
});

it.each<[string, { [key: string]: unknown }]>([
  [
    'in annotations',
    { content: [{ type: 'resource_link', name: 'r.pdf', uri: url, annotations: { audience: ['user'], source: url } }] },
  ],
  [
    'in annotations of what is no file',
    { ...listed({ url }), content: [{ type: 'image', annotations: { source: url } }] },
  ],
  ['as the name', listed({ url, name: url })],
  ['as the name, encoded', listed({ url, name: encodeURIComponent(url) })],
  ['as the name, without its scheme', listed({ url, name: url.slice('https://'.length) })],
  ['as the name, escaped', listed({ url, name: url.replaceAll('/', '\\/') })],
  ['of a target with url and path', listed({ url, path: 'x/y' })],
  ['of a target with malformed headers', listed({ url, headers: 5 })],
  ['of a target with malformed credentials', listed({ url, credentials: 'maybe' })],
  [
    'of a download descriptor',
    {
      content: [],
      structuredContent: {
        file: { uri: 'mcp-file://x/1', size: 3 },
        download: { url, headers: { 'x-token': 'abc123def4' } },
      },
    },
  ],
  [
    'of a descriptor beside a text that quotes it',
    {
      content: [{ type: 'text', text: `${url}, abc123def4567` }],
      structuredContent: { uri: 'mcp-file://x/1', download: { url, headers: [['x-token', 'abc123def4567']] } },
    },
  ],
  ['with a default port', listed({ url }, 'see https://bucket.example.net:443/k/report.pdf?X-Sig=abc123def4')],
  ['without a scheme', listed({ url }, 'see bucket.example.net/k/report.pdf?X-Sig=abc123def4')],
  ['relative to the scheme', listed({ url }, 'see //bucket.example.net/k/report.pdf?X-Sig=abc123def4')],
  [
    'of the root',
    listed({ url: 'https://dl.example.net/?sig=abc123def4' }, 'see (https://dl.example.net/?sig=abc123def4).'),
  ],
  [
    'of the root without a slash',
    listed({ url: 'https://dl.example.net?sig=abc123def4' }, 'https://dl.example.net?sig=abc123def4'),
  ],
  [
    'with brackets and a quote',
    listed(
      { url: "https://b.example/it's(1)/c.pdf?s=abc123def4" },
      "see https://b.example/it's(1)/c.pdf?s=abc123def4 there",
    ),
  ],
  [
    'with brackets in a text in brackets',
    listed({ url: 'https://b.example/c(1).pdf?s=abc123def4' }, '[c](https://b.example/c(1).pdf?s=abc123def4)'),
  ],
  [
    'with brackets in the query',
    listed(
      { url: 'https://b.example/c.pdf?n=c(1).pdf&s=abc123def4' },
      'https://b.example/c.pdf?n=c(1).pdf&s=abc123def4',
    ),
  ],
  ['of one segment', listed({ path: 'abc123def4' }, 'at https://mcp.example.com/mcp/abc123def4 or abc123def4')],
])('an address %s is not shown to the model', async (_, result) => {
  const shown = JSON.stringify(await resultForModel(result));
  expect(shown).not.toMatch(/abc123def4/);
});

it('content in annotations is not shown to the model', async () => {
  const content = [
    {
      type: 'image',
      mimeType: 'image/png',
      data: 'AAAA',
      annotations: { thumb: 'data:image/png;base64,QUJD', priority: 1 },
    },
  ];
  const shown = await resultForModel({ content });
  expect(shown.content[0]!.annotations).toEqual({ thumb: '[file content removed]', priority: 1 });
});

it('the name of a returned file has no query', async () => {
  const link = { type: 'resource_link', uri: `${url}&b`, name: `${url}&b` };
  await using server = await startScriptedServer({
    tools: [publish],
    onCall: () => done('made', listed({ url, name: url }, 'x', { content: [link] })),
  });
  await using host = await connect('v2 modern', server.url);
  const result = await host.files.callToolWithFiles({ name: 'publish', arguments: { site: 's' } });
  expect(JSON.stringify(result.files)).not.toContain('abc123def4');
  expect(result.files[0]!.name).toMatch(/report\.pdf$/);
});

it.each([
  ['What now?.pdf', 'What now_.pdf'],
  ['Notes: why?.pdf', 'Notes_ why_.pdf'],
  ['a#1.txt', 'a#1.txt'],
])('the name %j keeps what is no query', async (name, shown) => {
  const result = await resultForModel(listed({ url, name }, 'x'));
  expect(JSON.stringify(result.content)).toContain(JSON.stringify(JSON.stringify(shown)).slice(1, -1));
});

it('other links stay', async () => {
  const text =
    '[a](https://b.example/a.pdf)[c](https://b.example/c(1).pdf?s=1)[d](https://b.example/c(2).pdf) https://dl.example.net/ download';
  const result = await resultForModel({
    content: [{ type: 'text', text }],
    _meta: {
      'io.modelcontextprotocol/files': {
        downloads: [
          { url: 'https://b.example/c(1).pdf?s=2' },
          { url: 'https://dl.example.net/?sig=1' },
          { path: 'download?token=1' },
        ],
      },
    },
  });
  expect(result.content[0]!.text).toBe(text.replace('https://b.example/c(1).pdf?s=1', '[address removed]'));
});

it.each<[string, { [key: string]: unknown }]>([
  [
    'padding that does not end',
    { content: [{ type: 'image', mimeType: 'image/png', data: `${'='.repeat(100_000)}x` }] },
  ],
  ['dots', listed({ url: 'https://a.example/b?c=1' }, `https://x.y/${'.'.repeat(100_000)}x ${'.'.repeat(100_000)}x`)],
  ['colons', listed({ url: 'https://a.example/b?c=1' }, `${':'.repeat(100_000)}x ${'a://'.repeat(25_000)}`)],
  ['brackets', listed({ url: `https://a.example/${'('.repeat(1000)}?c=1` }, '(a://a'.repeat(17_000))],
  ['segments', listed({ path: `${'a/'.repeat(500)}b` }, `https://x.y${'/a'.repeat(50_000)} ${'x.y/'.repeat(25_000)}`)],
])('a text of many %s takes no quadratic time', async (_, result) => {
  await resultForModel(result);
});
