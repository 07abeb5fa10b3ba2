import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { type ByteStream, fromStream } from '../../src/source/from-stream.js';
import { planFile } from '../../src/source/plan-file.js';
import { failure } from '../transfer/support/upload.js';

const { signal } = new AbortController();
const MIB = 1024 * 1024;

const plan = (open: () => ByteStream, size: number) => planFile(fromStream(open, { name: 'a.csv', size }), signal);

async function* parts(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}

describe('fromStream', () => {
  it.each([
    ['a generator', () => parts('one ', 'two')],
    ['a ReadableStream', () => new Blob(['one two']).stream()],
    ['a Node Readable', () => Readable.from([Buffer.from('one two')])],
  ])('reads %s, anew each time', async (_, open) => {
    const file = await plan(open, 7);
    expect(file).toMatchObject({ name: 'a.csv', type: 'text/csv', size: 7, isStream: true });
    expect(Buffer.from(await file.bytes(signal)).toString()).toBe('one two');
    expect(await (await file.blob(signal)).text()).toBe('one two');
  });

  it('cuts what is longer than 1 MiB', async () => {
    const file = await plan(() => Readable.from([Buffer.alloc(2 * MIB + 1)]), 2 * MIB + 1);
    const sizes = [];
    for await (const chunk of file.chunks(signal)) sizes.push(chunk.length);
    expect(sizes).toEqual([MIB, MIB, 1]);
  });

  it('is not opened by planning', async () => {
    let opened = 0;
    await plan(() => {
      opened += 1;
      return parts();
    }, 0);
    expect(opened).toBe(0);
  });

  it('is file_changed when it ends early', async () => {
    const file = await plan(() => parts('123'), 4);
    expect(await failure(file.bytes(signal))).toMatchObject({
      code: 'file_changed',
      details: { size: 4, received: 3 },
    });
  });

  it('is file_changed when it goes on, before its last piece was given out', async () => {
    const file = await plan(() => parts('1234', '5'), 4);
    const given: Uint8Array[] = [];
    const reading = (async () => {
      for await (const chunk of file.chunks(signal)) given.push(chunk);
    })();
    expect(await failure(reading)).toMatchObject({ code: 'file_changed', details: { size: 4, received: 5 } });
    expect(given).toEqual([]);
  });

  it.each([
    [
      'throws on opening',
      () => {
        throw new Error('secret');
      },
    ],
    [
      'throws half-way',
      async function* () {
        yield Buffer.from('1');
        throw new Error('secret');
      },
    ],
    [
      'gives text',
      async function* () {
        yield 'text';
      },
    ],
    [
      'gives an ArrayBuffer',
      async function* () {
        yield new ArrayBuffer(2);
      },
    ],
    ['errors', () => new ReadableStream({ start: controller => controller.error(new Error('secret')) })],
    ['is no stream', () => 7],
  ])('is file_unreadable when it %s', async (_, open) => {
    const error = await failure((await plan(open as never, 4)).bytes(signal));
    expect(error.code).toBe('file_unreadable');
    expect(String(error.cause)).not.toContain('secret');
  });

  it.each([-1, 1.5, Number.NaN, undefined])('is argument_invalid with a size of %s', async size => {
    expect(await failure(plan(() => parts(), size as number))).toMatchObject({ code: 'argument_invalid' });
  });

  it('is closed when its reader stops in the middle', async () => {
    let closed = 0;
    async function* source() {
      try {
        for (;;) yield Buffer.from('12');
      } finally {
        closed += 1;
      }
    }
    for await (const _chunk of (await plan(source, 100)).chunks(signal)) break;
    expect(closed).toBe(1);
  });

  it.each([
    ['a Node Readable', () => new Readable({ read() {} })],
    [
      'a generator',
      () =>
        (async function* (): AsyncGenerator<Uint8Array> {
          await new Promise(() => {});
        })(),
    ],
  ])('does not keep an abort waiting for %s that says nothing', async (_, make) => {
    const caller = new AbortController();
    const stream = make();
    const reading = (await plan(() => stream, 4)).bytes(caller.signal);
    setTimeout(() => caller.abort('r'), 10);
    expect(await failure(reading)).toMatchObject({ code: 'aborted', cause: 'r' });
    if (stream instanceof Readable) expect(stream.destroyed).toBe(true);
  });
});
