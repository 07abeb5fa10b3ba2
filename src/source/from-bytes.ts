import { throwIfAborted } from '../errors/index.js';
import { describe, type FileMeta, isBytes, pieces, requireName } from './content.js';
import { FILE_SOURCE, type FileSource } from './file-source.js';
import { cleanName } from './name.js';

/**
 * A file from bytes in memory, or from text, which is sent as UTF-8. The bytes are copied when this is called, so what
 * the caller does to the array afterwards does not count; for large content `fromBlob` and `fromStream` need no copy.
 *
 * @throws {TypeError} if `bytes` is neither, or `meta` has no name. A bad `type` makes the call fail with `argument_invalid`.
 */
export function fromBytes(bytes: Uint8Array | string, meta: FileMeta): FileSource {
  if (typeof bytes !== 'string' && !isBytes(bytes)) throw new TypeError('fromBytes takes bytes or a string');
  requireName(meta, 'fromBytes(bytes, { name })');
  const content = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : new Uint8Array(bytes);
  const name = cleanName(meta.name);
  return {
    name,
    [FILE_SOURCE]: async () => ({
      ...(await describe(name, meta.type)),
      size: content.byteLength,
      async bytes(signal) {
        throwIfAborted(signal);
        return content;
      },
      async *chunks(signal) {
        for (const piece of pieces(content)) {
          throwIfAborted(signal);
          yield piece;
        }
      },
      async blob(signal) {
        throwIfAborted(signal);
        return new Blob([content]);
      },
    }),
  };
}
