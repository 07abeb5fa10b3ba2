import { fromBytes, fromPath, fromStream } from '../../../src/index.js';
import { failing, type Scenario, type World } from '../world.js';

const stream = (w: World, size: number, chunks: () => AsyncIterable<Uint8Array>) => ({
  arguments: { site: 's', deck: fromStream(chunks, { name: 'stream', size }) },
  w,
});

async function* waiting(): AsyncGenerator<Uint8Array> {
  await new Promise(() => {});
}

const sourceError = (w: World): Error =>
  Object.assign(new Error(`no ${w.secret('source error')}`, { cause: w.secret('source error') }), {
    code: w.key('source error'),
    errno: w.secret('source error'),
  });

export const sources: readonly Scenario[] = [
  {
    name: 'a source that does not come',
    ends: 'transfer_stalled',
    reason: 'stalled',
    options: () => ({ timeouts: { stall: 50 } }),
    call: w => stream(w, 10, waiting),
  },
  {
    name: 'a stream that is longer than it said',
    ends: 'file_changed',
    call: w =>
      stream(w, 3, async function* () {
        yield Buffer.from(w.secret('file'));
      }),
  },
  {
    name: 'a stream that is shorter than it said',
    ends: 'file_changed',
    call: w =>
      stream(w, 3000, async function* () {
        yield Buffer.from(w.secret('file'));
      }),
  },
  {
    name: 'a stream that fails at once',
    ends: 'file_unreadable',
    call: w =>
      stream(w, 1000, () => {
        throw sourceError(w);
      }),
  },
  {
    name: 'a stream that fails in the end',
    ends: 'file_unreadable',
    call: w =>
      stream(w, 1000, async function* () {
        yield Buffer.from(w.secret('file'));
        throw sourceError(w);
      }),
  },
  {
    name: 'a stream of texts',
    ends: 'file_unreadable',
    call: w =>
      stream(w, 1000, async function* () {
        yield w.secret('file') as never;
      }),
  },
  failing('a stream too large for fetch', 'stream_needs_built_in_engine', {
    on: { engine: 'fetch' },
    call: w => stream(w, 2 ** 30, waiting),
  }),
  {
    name: 'a file in a folder that nobody need know of',
    ends: 'file_unreadable',
    call: w => ({ arguments: { site: 's', deck: fromPath(`/nowhere/${w.key('folder')}/deck.pdf`) } }),
  },
  { name: 'a file where none is declared', ends: 'argument_invalid', call: w => ({ arguments: { site: w.file() } }) },
  {
    name: 'bytes in the arguments',
    ends: 'argument_invalid',
    call: w => ({ arguments: { deck: w.file(), site: Buffer.from(w.secret('file')) } }),
  },
  {
    name: 'a type that is none',
    ends: 'argument_invalid',
    call: w => ({ arguments: { deck: fromBytes('x', { name: 'a', type: `a/b\r\nx: ${w.secret('type')}` }) } }),
  },
  {
    name: 'a size that is none',
    ends: 'argument_invalid',
    call: w => ({ arguments: { deck: fromStream(() => [] as never, { name: 'a', size: w.secret('size') as never }) } }),
  },
  {
    name: 'a file that is too large',
    ends: 'file_too_large',
    call: w => ({ name: 'save_image', arguments: { image: w.file('a.png') } }),
  },
  {
    name: 'a type that is not accepted',
    ends: 'file_type_not_accepted',
    script: w => {
      const accept = ['image/png\r\nforged', `https://u:${w.key('user')}@h.example/x?sig=${w.key('query')}`, 'image/x'];
      const properties = { deck: { type: 'object', 'x-mcp-file': { accept } } };
      return { tools: [{ name: 'publish', inputSchema: { type: 'object', properties } }] };
    },
    call: () => ({ arguments: { deck: fromBytes('x', { name: 'a.txt' }) } }),
  },
];
