// Found in review: a call that JSON cannot carry, or that is none, failed with a TypeError of the engine's own.
import { expect, test } from 'vitest';
import { type FilesClientOptions, fromBytes, isFilesError } from '../../src/index.js';
import { connect } from '../support/clients.js';
import { done, startScriptedServer } from '../support/scripted-server.js';
import { publish } from '../support/tools.js';

const post = { name: 'post', inputSchema: { type: 'object', properties: { body: { type: 'string' } } } };
const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;

async function refused(call: unknown, options: FilesClientOptions = {}) {
  await using server = await startScriptedServer({ tools: [publish, post], onCall: () => done() });
  await using host = await connect('v2 modern', server.url, options);
  const error = await host.files.callToolWithFiles(call as never).catch((thrown: unknown) => thrown);
  if (!isFilesError(error)) throw error;
  expect(error).toMatchObject({ code: 'argument_invalid', outcome: 'not_run' });
  expect(server.calls).toEqual([]);
  return error.message;
}

test.each([
  ['cyclic', cyclic],
  ['a BigInt', { n: 1n }],
  ['a function', () => {}],
  ['a number', 5],
  ['null', null],
])('_meta that is %s', async (_, _meta) => {
  expect(await refused({ name: 'post', arguments: {}, _meta })).toContain('_meta');
});

test.each([undefined, null, 'post', {}, { name: 5 }])('a call that is %j', async call => {
  expect(await refused(call)).toContain('name of a tool');
});

test.each([[[5]], [[null]], ['image/png']])('describeArguments with accept %j', async accept => {
  const describeArguments = () => [{ pointer: '/body', as: 'base64' as const, accept: accept as never }];
  const body = fromBytes('a', { name: 'a' });
  expect(await refused({ name: 'post', arguments: { body } }, { describeArguments })).toContain('accept');
});
