import {
  ANY,
  FilesError,
  FUNCTION,
  isFilesError,
  mistakeIn,
  orAborted,
  type Rule,
  type Rules,
  throwIfAborted,
} from '../errors/index.js';
import { allOf } from '../source/index.js';
import { lazyStream } from '../transfer/lazy-stream.js';
import { createProgress, type ProgressEvent } from '../transfer/progress.js';
import { anew } from './anew.js';
import type { CallContext } from './context.js';
import { prepareDownload } from './fetch-file.js';
import type { Operations } from './operations.js';
import type { RemoteFile } from './remote-file.js';
import { SIGNAL } from './request-options.js';

/** Options of one download, all optional. An unknown one, and one of the wrong kind, is `argument_invalid`. */
export interface DownloadOptions {
  /** A larger file is refused with `download_too_large`, as soon as its size is known. Default: any size. */
  readonly maxBytes?: number;
  /** Ends the download, and reading the file later, with `aborted`; its reason becomes the error's `cause`. */
  readonly signal?: AbortSignal;
  /**
   * Called as bytes arrive, in the phase `downloading`; an error it throws is ignored. `totalBytes` is `Infinity` as long
   * as nobody has said how large the file is.
   */
  readonly onProgress?: (progress: ProgressEvent) => void;
}

export const DOWNLOAD_OPTIONS: Record<keyof DownloadOptions, Rule> = {
  maxBytes: ANY,
  onProgress: FUNCTION,
  signal: SIGNAL,
};

/**
 * Throws `argument_invalid` for an option of a kind that cannot work, and for one that there is none of: misspelt, it would
 * take a file of any size, or leave it unsaved.
 */
export function checkDownloadOptions(options: unknown, rules: Rules = DOWNLOAD_OPTIONS): void {
  const mistake = mistakeIn('Download option', options, rules);
  if (mistake !== undefined) throw invalidDownload(mistake);
}

/** The tool has run that returned the file. */
export function invalidDownload(mistake: string): FilesError {
  return new FilesError('argument_invalid', mistake, { outcome: 'completed' });
}

/** A returned file that may be read. */
export interface DownloadedFile {
  /** Cleaned relative path, as the tool named it. */
  readonly name: string;
  readonly mimeType?: string;
  /** Bytes, if the server said. */
  readonly size?: number;
  /** The whole content in memory, verified. Throws what `download` throws. */
  bytes(): Promise<Uint8Array>;
  /**
   * The content as it arrives. Size and digest are verified at its end: a file that is not what was announced makes the
   * last read fail. A reader that pauses for longer than `timeouts.stall` loses the stream with `transfer_stalled`.
   */
  stream(): ReadableStream<Uint8Array>;
}

type Use<T> = (chunks: AsyncIterable<Uint8Array>, signal: AbortSignal) => Promise<T>;

/** A checked file, and the one way to its content. */
export interface OpenDownload extends Pick<DownloadedFile, 'name' | 'mimeType' | 'size'> {
  /** Milliseconds that the reader of a stream may pause. */
  readonly patience: number;
  /**
   * Fetches it for `use`, once the transfers that were there before have had their turn. Every error is `completed`. A
   * `use` that keeps nothing when it fails is run again where the content broke off and cannot be gone on with.
   */
  fetch<T>(use: Use<T>): Promise<T>;
  /** The same for a `use` that hands on what it gets, until `cancelled`. */
  stream(use: Use<void>, cancelled: AbortSignal): Promise<void>;
}

/** Checks everything that needs no network: nothing is fetched before `fetch`. */
export async function openDownload(
  file: RemoteFile,
  { maxBytes, signal, onProgress }: DownloadOptions,
  context: CallContext,
  operations: Operations,
): Promise<OpenDownload> {
  let tool: string | undefined;
  const run = async <T>(task: (signal: AbortSignal) => Promise<T>, cancelled?: AbortSignal): Promise<T> => {
    try {
      const unlessAborted = async (linked: AbortSignal): Promise<T> => {
        throwIfAborted(linked);
        return await task(linked);
      };
      return await operations.run({ signal }, unlessAborted, cancelled);
    } catch (error) {
      throw isFilesError(error) ? error.with({ outcome: 'completed', ...(tool !== undefined && { tool }) }) : error;
    }
  };

  const ready = await run(linked => {
    tool = context.returned.of(file).tool;
    return prepareDownload(file, { signal: linked, maxBytes }, context);
  });
  const { name, mimeType, size } = file;
  // A returned file stands at no place in any arguments.
  const listener = onProgress && (({ pointer: _, ...event }: ProgressEvent) => onProgress(event));
  const progress = createProgress([{ pointer: '', name, size: size ?? Number.POSITIVE_INFINITY }], listener);
  const inTurn = async <T>(linked: AbortSignal, work: () => Promise<T>): Promise<T> => {
    const result = await (ready.isAtHand ? work() : context.limit(linked, work));
    progress.confirm('');
    return result;
  };
  return {
    name,
    ...(mimeType !== undefined && { mimeType }),
    ...(size !== undefined && { size }),
    patience: context.timeouts.stall,
    fetch: use => run(linked => inTurn(linked, () => anew(() => use(ready.content(linked, progress), linked), linked))),
    stream: (use, cancelled) =>
      run(linked => inTurn(linked, () => use(ready.content(linked, progress), linked)), cancelled),
  };
}

/** A file that is fetched when it is read, and anew each time. */
export function readable({ fetch, stream, patience, ...described }: OpenDownload): DownloadedFile {
  return {
    ...described,
    bytes: () => fetch(allOf),
    stream: () =>
      lazyStream(
        (deliver, cancelled) =>
          stream(async (chunks, signal) => {
            for await (const chunk of chunks) await orAborted(deliver(chunk), signal);
          }, cancelled),
        patience,
      ),
  };
}
