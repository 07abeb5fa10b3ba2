import { FILE_SOURCE, type FileSource, type PlannedFile } from '../source/file-source.js';

/** A file that the host is to publish: a file source, with what is known of it and its content. */
export interface FileToPublish extends FileSource {
  /** Media type. */
  readonly type: string;
  /** Exact size in bytes. */
  readonly size: number;
  /** The whole content. */
  bytes(): Promise<Uint8Array>;
  /** The content in order, from its beginning each time. Of use until `publish` has settled. */
  stream(): ReadableStream<Uint8Array>;
}

/**
 * The source with its content made readable; `close` lets go of what was left in the middle.
 *
 * @param onRead So many bytes have been read by now.
 */
export function fileToPublish(
  source: FileSource,
  file: PlannedFile,
  signal: AbortSignal,
  onRead: (bytes: number) => void,
): { readonly source: FileToPublish; close(): Promise<void> } {
  const open = new Set<AsyncIterator<Uint8Array>>();
  const stream = (): ReadableStream<Uint8Array> => {
    const chunks = file.chunks(signal)[Symbol.asyncIterator]();
    open.add(chunks);
    let read = 0;
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const { done, value } = await chunks.next();
          if (done) {
            open.delete(chunks);
            controller.close();
            return;
          }
          read += value.byteLength;
          onRead(read);
          // Its memory may be read into again.
          controller.enqueue(value.slice());
        },
        async cancel() {
          open.delete(chunks);
          await chunks.return?.();
        },
      },
      { highWaterMark: 0 },
    );
  };
  const bytes = async (): Promise<Uint8Array> => {
    const all = await file.bytes(signal);
    onRead(all.byteLength);
    return all;
  };
  // What the host gave is what it gets: the members that are new are not its own.
  const members = { type: file.type, size: file.size, bytes, stream };
  const own = { name: source.name, [FILE_SOURCE]: source[FILE_SOURCE] };
  return {
    source: Object.assign(Object.create(members) as FileToPublish, own),
    async close() {
      for (const chunks of open) await chunks.return?.();
    },
  };
}
