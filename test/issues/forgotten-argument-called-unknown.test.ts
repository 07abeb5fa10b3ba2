// Reported: `call … save_file --file document=small.txt` without the folder it requires was sent, refused by the server,
// and ended with "not known whether the tool ran". So were misspelt names: with another exit code for each.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildArguments } from '../../src/cli/arguments.js';
import { UsageError } from '../../src/cli/exit-code.js';
import { type ReferenceServer, startReferenceServer } from '../../src/testing/index.js';
import { runHere } from '../cli/run-here.js';

let server: ReferenceServer;
beforeAll(async () => {
  server = await startReferenceServer();
});
afterAll(() => server.close());

test.each([
  [['save_file', '--file', 'document=package.json'], 'Missing: folder.'],
  [['save_file', '--arg', 'folder=a'], 'Missing: document.'],
  [['save_file'], 'Missing: '],
  [['echo', '--arg', 'other=1'], 'Missing: text.'],
  [
    ['save_file', '--arg', 'folder=a', '--file', 'documnt=package.json'],
    'takes no file "documnt". It takes: document.',
  ],
  [['echo', '--arg', 'text=a', '--file', 'text=package.json'], 'takes no file "text". It takes none.'],
  [['save_files', '--file', 'documents/0=package.json'], '"/documents/0"'],
  [['save_file', '--arg', 'folder=a', '--file', 'document='], '--file document= names no file.'],
  [['save_file', '--arg', 'folder=a', '--arg', 'document=package.json'], '--file document=PATH'],
  [['save_files', '--arg', 'documents=package.json'], '--file documents=PATH'],
])('%j is a wrong command line', async (args, message) => {
  const { code, stderr } = await runHere(['call', server.url, ...args]);
  expect(stderr).toContain(message);
  expect(code).toBe(2);
  expect(server.runs()).toEqual([]);
});

describe('what is missing', () => {
  const build = (schema: object, base: { [key: string]: unknown }) => () =>
    buildArguments(
      { inputSchema: schema, fileArguments: [{ pointer: '/file' }] },
      { base, arg: [], argJson: [], file: [] },
      path => path,
    );
  const item = { type: 'object', properties: { a: {} }, required: ['a'] };
  const schema = {
    properties: {
      list: { type: 'array', items: { $ref: '#/$defs/item' } },
      withDefault: { default: 1 },
      either: { anyOf: [item, {}] },
      file: item,
    },
    required: ['withDefault'],
    allOf: [{ required: ['deep/name'] }],
    anyOf: [{ required: ['one'] }, { required: ['other'] }],
    $defs: { item },
  };

  test('is told also inside of objects and lists', () => {
    const given = { 'deep/name': 1, list: [{ a: 1 }, {}] };
    expect(build(schema, given)).toThrow(new UsageError('Missing: /list/1/a.'));
    expect(build(schema, {})).toThrow(new UsageError('Missing: /deep~1name.'));
  });

  test('is only what is missing in every case', () => {
    expect(build(schema, { 'deep/name': 1, list: [{ a: 1 }], either: {}, file: {} })).not.toThrow();
    expect(build({ required: 'all', properties: null }, { x: {} })).not.toThrow();
  });

  test('is found in a schema without end', () => {
    const loop = { properties: { next: { $ref: '#' } }, required: ['id'], allOf: [{ $ref: '#' }] };
    expect(build(loop, { id: 1, next: { id: 2, next: {} } })).toThrow('Missing: /next/next/id.');
  });
});

test('a file that is named otherwise than by a path still goes as an argument', () => {
  const tool = { inputSchema: { type: 'object' }, fileArguments: [{ pointer: '/file' }] };
  const build = (value: string) =>
    buildArguments(tool, { arg: [`file=${value}`], argJson: [], file: [] }, path => path).file;
  expect(build('data:text/plain,a')).toBe('data:text/plain,a');
  expect(build('mcp-file://a/1')).toBe('mcp-file://a/1');
  expect(() => build('C:\\a.txt')).toThrow('--file file=PATH');
});
