// Found by a newcomer: what was left out or of the wrong kind met the engine's "Cannot read properties of undefined".
import { expect, test } from 'vitest';
import { fromBlob, fromBytes, fromPath, fromStream } from '../../src/index.js';
import { host, publishing, server } from './support/call.js';

/** What TypeScript would refuse is what is tried. */
type Any = any;

/** A sentence of ours names the function or the option; the engine's names its own internals. */
const ENGINE = /Cannot (read|use|destructure)|undefined|is not a function|must be of type|ERR_/;
const stream = () => new Blob(['x']).stream();

test.each<[string, () => unknown, RegExp]>([
  ['fromBytes without meta', () => fromBytes('x', undefined as Any), /fromBytes needs .*name/],
  ['fromBytes with null', () => fromBytes('x', null as Any), /fromBytes needs .*name/],
  ['fromBytes with a name alone', () => fromBytes('x', 'x.txt' as Any), /fromBytes needs .*name/],
  ['fromBytes without a name', () => fromBytes('x', {} as Any), /fromBytes needs .*name/],
  ['fromBytes with a number for a name', () => fromBytes('x', { name: 5 } as Any), /fromBytes needs .*name/],
  ['fromBytes of a number', () => fromBytes(5 as Any, { name: 'x' }), /fromBytes takes bytes/],
  ['fromStream with nothing', () => (fromStream as Any)(), /fromStream needs .*name/],
  ['fromStream without meta', () => (fromStream as Any)(stream), /fromStream needs .*name/],
  ['fromStream without a name', () => fromStream(stream, { size: 1 } as Any), /fromStream needs .*name/],
  ['fromBlob with null', () => fromBlob(new Blob(['x']), null as Any), /fromBlob options must be an object/],
  ['fromBlob with a number for a name', () => fromBlob(new Blob(['x']), { name: 5 as Any }), /fromBlob option name/],
  ['fromPath with null', () => fromPath('x', null as Any), /fromPath options must be an object/],
  ['fromPath with a number for a name', () => fromPath('x', { name: 5 as Any }), /fromPath option name/],
  ['fromPath with a URL for a root', () => fromPath('x', { root: new URL('file:///') as Any }), /fromPath option root/],
  // It meant the working directory.
  ['fromPath with no root in it', () => fromPath('x', { root: '' }), /fromPath option root/],
  // Any text is true: it followed the link.
  ['fromPath with a text for a switch', () => fromPath('x', { followSymlinks: 'no' as Any }), /option followSymlinks/],
])('%s', (_, make, sentence) => {
  expect(make).toThrow(TypeError);
  expect(make).toThrow(sentence);
  expect(make).not.toThrow(ENGINE);
});

test('what the call finds out: an open that is no function, a size that is none, a type that is no text', async () => {
  const { url } = await server();
  const { files } = await host(url);
  for (const deck of [
    fromStream(undefined as Any, { name: 'x', size: 1 }),
    fromStream(stream, { name: 'x' } as Any),
    fromBytes('x', { name: 'x', type: ['text/plain'] as Any }),
    fromBlob(new Blob(['x']), { type: 5 as Any }),
  ]) {
    const call = files.callToolWithFiles(publishing({ deck }));
    await expect(call).rejects.toMatchObject({ code: 'argument_invalid', outcome: 'not_run' });
  }
});

test.each(['x', '', 5, true, null, [['deck']]])('arguments that are %j', async args => {
  const { url, calls } = await server();
  const { files } = await host(url);
  const call = files.callToolWithFiles({ name: 'publish', arguments: args as Any });
  await expect(call).rejects.toMatchObject({
    code: 'argument_invalid',
    outcome: 'not_run',
    message: expect.stringContaining('must be an object of named arguments'),
  });
  expect(calls).toEqual([]);
});

test('a remote file with a number for a name', async () => {
  const { url } = await server();
  const { files } = await host(url);
  const named = () => files.remoteFile('data:text/plain,x', { name: 5 as Any });
  expect(named).toThrow(expect.objectContaining({ code: 'argument_invalid' }));
  expect(files.remoteFile('data:text/plain,x', null as Any).name).toBe('file');
});
