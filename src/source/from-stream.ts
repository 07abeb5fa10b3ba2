import { FilesError, orAborted, safeCause, throwIfAborted } from '../errors/index.js';
import { changed, collect, describe, type FileMeta, isBytes, pieces, requireName } from './content.js';
import { FILE_SOURCE, type FileSource } from './file-source.js';
import { cleanName } from './name.js';

export type ByteStream = AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;

/**
 * A file from a stream of known size: generated content, another download, a Node `Readable`. `open` is called once for
 * each time the content is needed (a digest, a second attempt), and must give the same bytes from the start each time.
 *
 * A stream that ends early or goes on past `size` makes the call fail with `file_changed`, before its last piece is
 * sent; one that throws, or yields anything but bytes, and an `open` that gives no stream, with
 * `file_unreadable`; an `open` that is no function, and a `size` that is no whole number of bytes, with `argument_invalid`.
 *
 * @throws {TypeError} if `meta` has no name.
 */
export function fromStream(open: () => ByteStream, meta: FileMeta & { readonly size: number }): FileSource {
  requireName(meta, 'fromStream(open, { name, size })');
  const { size, type } = meta;
  const name = cleanName(meta.name);
  const misused = (what: string, code: 'argument_invalid' | 'file_unreadable' = 'file_unreadable'): FilesError =>
    new FilesError(code, `fromStream for "${name}": ${what}.`);

  async function* chunks(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    throwIfAborted(signal);
    const unreadable = (error: unknown): FilesError =>
      new FilesError('file_unreadable', `The stream of "${name}" failed.`, { cause: safeCause(error) });
    const stream: unknown = attempt(open, unreadable);
    if (!isStream(stream)) {
      // A promise that nobody waits for must not end the process when it fails.
      if (stream instanceof Promise) stream.catch(() => {});
      const what = stream instanceof Promise ? 'a promise: it must not be async' : 'no stream';
      throw misused(`open() gave ${what}; each call must return a new stream, or async iterable, of bytes`);
    }
    const reader = attempt(() => readerOf(stream), unreadable);
    let seen = 0;
    let held: Uint8Array | undefined;
    try {
      for (;;) {
        const item = await orAborted(reader.next(), signal).catch(error => {
          throwIfAborted(signal);
          throw unreadable(error);
        });
        if (item.done) break;
        if (!isBytes(item.value)) {
          const what = typeof item.value === 'string' ? 'text: open it without an encoding' : 'something else';
          throw misused(`the stream must yield Uint8Array, and gave ${what}`);
        }
        seen += item.value.byteLength;
        if (seen > size) throw changed(name, `is longer than the ${size} bytes announced`, { size, received: seen });
        // One piece is held back until it is known whether another follows: a body that turns out too long never ends.
        if (held !== undefined) yield* pieces(held);
        // A copy: the stream may read its next piece into the same memory.
        held = new Uint8Array(item.value);
      }
      if (seen < size) throw changed(name, `ended after ${seen} of ${size} bytes`, { size, received: seen });
    } finally {
      await reader.close();
    }
    if (held !== undefined) yield* pieces(held);
  }

  return {
    name,
    [FILE_SOURCE]: async () => {
      if (typeof open !== 'function') {
        throw misused('it takes a function that opens the stream, not the stream', 'argument_invalid');
      }
      if (!Number.isSafeInteger(size) || size < 0) {
        throw new FilesError('argument_invalid', `The size given for "${name}" is not a whole number of bytes.`);
      }
      return {
        ...(await describe(name, type)),
        size,
        isStream: true,
        bytes: signal => collect({ size, chunks }, signal),
        chunks,
        async blob(signal) {
          return new Blob([(await collect({ size, chunks }, signal)) as Uint8Array<ArrayBuffer>]);
        },
      };
    },
  };
}

function isStream(value: unknown): value is ByteStream {
  if (typeof value !== 'object' || value === null) return false;
  return 'getReader' in value || typeof (value as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] === 'function';
}

function attempt<T>(make: () => T, failure: (error: unknown) => FilesError): T {
  try {
    return make();
  } catch (error) {
    throw failure(error);
  }
}

interface Reader {
  next(): Promise<IteratorResult<unknown, unknown>>;
  /** Lets go of the stream, in the middle too; never throws. */
  close(): Promise<void>;
}

function readerOf(stream: ByteStream): Reader {
  if ('getReader' in stream) {
    // Not every browser iterates a ReadableStream.
    const reader = stream.getReader();
    return {
      next: async () => (await reader.read()) as IteratorResult<unknown, unknown>,
      close: () => reader.cancel().catch(() => {}),
    };
  }
  const iterator = stream[Symbol.asyncIterator]();
  let waiting = false;
  let ended = false;
  return {
    async next() {
      waiting = true;
      const item = await iterator.next();
      waiting = false;
      ended = item.done === true;
      return item;
    },
    async close() {
      if (ended) return;
      // A generator cannot be returned while it waits; a Node stream that waits can be destroyed.
      if ('destroy' in stream && typeof stream.destroy === 'function') stream.destroy();
      const returned = Promise.resolve(iterator.return?.()).catch(() => {});
      if (!waiting) await returned;
    },
  };
}
