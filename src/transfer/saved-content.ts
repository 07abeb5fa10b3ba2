import { isFilesError, orAborted } from '../errors/index.js';
import { fromPath } from '../source/from-path.js';
import { planFile } from '../source/index.js';
import { lazyStream, plain } from './lazy-stream.js';

/**
 * The content of a file that was saved, read from its place: `file_unreadable` if it is not there any more.
 *
 * @param patience milliseconds that the reader of a stream may pause before the file is closed
 */
export function savedContent(
  path: string,
  patience: number,
): { bytes(): Promise<Uint8Array>; stream(): ReadableStream<Uint8Array> } {
  const source = fromPath(path);
  const reading = async <T>(task: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> => {
    try {
      return await task(signal);
    } catch (error) {
      throw isFilesError(error) ? error.with({ outcome: 'completed' }) : error;
    }
  };
  return {
    bytes: () =>
      reading(
        async signal => plain(await (await planFile(source, signal)).bytes(signal)),
        new AbortController().signal,
      ),
    stream: () =>
      lazyStream(
        (deliver, cancelled) =>
          reading(async signal => {
            const file = await planFile(source, signal);
            // Copied: the source reads into the same memory again.
            for await (const chunk of file.chunks(signal)) await orAborted(deliver(new Uint8Array(chunk)), signal);
          }, cancelled),
        patience,
      ),
  };
}
