import { FilesError, isFilesError } from '../errors/index.js';
import { collect, describe, pieces } from '../source/content.js';
import { FILE_SOURCE, type FileSource, type PlannedFile, type Spooled } from '../source/file-source.js';
import { cleanName } from '../source/index.js';
import { isMediaType } from '../source/media-type.js';
import { anew } from './anew.js';
import type { CallContext } from './context.js';
import { prepareDownload } from './fetch-file.js';
import type { RemoteFile } from './remote-file.js';

/** S3 and most others take no larger file in one request: more is never kept here to be measured. */
const MOST_KEPT = 5 * 1024 ** 3;

/** Files that tools returned, as arguments of one call. */
export class RemoteSources {
  readonly #context: CallContext;
  readonly #sources = new Map<RemoteFile, FileSource>();
  readonly #spooled: Spooled[] = [];

  constructor(context: CallContext) {
    this.#context = context;
  }

  /** The same source for the same file, however often it stands in the arguments. Throws `argument_invalid`. */
  of(file: RemoteFile, pointer: string): FileSource {
    this.#context.returned.of(file, pointer);
    let source = this.#sources.get(file);
    if (source === undefined) {
      source = {
        name: cleanName(file.name),
        [FILE_SOURCE]: (signal, maxSize) => this.#plan(file, pointer, signal, maxSize),
      };
      this.#sources.set(file, source);
    }
    return source;
  }

  /** Lets go of what had to be kept. */
  async close(): Promise<void> {
    for (const spooled of this.#spooled.splice(0)) await spooled.close();
  }

  /**
   * Of known size it goes from one storage to the other as it comes, within the turn of the upload: a turn of its own
   * could wait for that one for ever. Without a size it has to be here before it can be announced.
   */
  async #plan(file: RemoteFile, pointer: string, signal: AbortSignal, maxSize = MOST_KEPT): Promise<PlannedFile> {
    const context = this.#context;
    const { mimeType, size } = file;
    const maxBytes = size === undefined ? Math.min(maxSize, MOST_KEPT) : undefined;
    const { content, isAtHand } = await prepareDownload(file, { signal, pointer, maxBytes }, context);
    const type = mimeType !== undefined && isMediaType(mimeType) ? mimeType : undefined;
    const described = await describe(cleanName(file.name), type);
    if (size === undefined) {
      const spool = () => anew(() => context.spool(content(signal), signal), signal);
      const spooled = await (isAtHand ? spool() : context.limit(signal, spool)).catch(error => {
        throw isFilesError(error) && error.code === 'download_too_large' ? tooLarge(pointer, maxBytes) : error;
      });
      this.#spooled.push(spooled);
      return { ...described, ...spooled };
    }
    const chunks = (reading: AbortSignal) => wholeOrNot(content(reading), pointer);
    const bytes = (reading: AbortSignal): Promise<Uint8Array> => collect({ size, chunks }, reading);
    const blob = async (reading: AbortSignal): Promise<Blob> =>
      new Blob([(await bytes(reading)) as Uint8Array<ArrayBuffer>]);
    return { ...described, size, isStream: !isAtHand, bytes, chunks, blob };
  }
}

function tooLarge(pointer: string, maxSize: number | undefined): FilesError {
  return new FilesError(
    'file_too_large',
    `The returned file at "${pointer}" has more than ${maxSize} bytes, which is the most that it may have.`,
    { pointer, details: { maxSize } },
  );
}

/** Holds the last piece back until the file is verified: one that is not what was announced is never sent whole. */
async function* wholeOrNot(content: AsyncIterable<Uint8Array>, pointer: string): AsyncGenerator<Uint8Array> {
  let held: Uint8Array | undefined;
  try {
    for await (const chunk of content) {
      if (held !== undefined) yield* pieces(held);
      held = chunk;
    }
  } catch (error) {
    throw isFilesError(error) ? error.with({ pointer }) : error;
  }
  if (held !== undefined) yield* pieces(held);
}
