import { isFilesError } from '../errors/index.js';
import type { CallContext } from './context.js';
import type { ExpectedFile } from './fetch-file.js';

/** What the steps of one download are logged with. */
interface Way {
  /** Asked from a target, from the server in an MCP message, or not at all. */
  readonly via: 'target' | 'message' | 'result';
  readonly origin?: string;
}

/** The content, with its beginning and its end logged. */
export async function* loggedContent(
  content: AsyncIterable<Uint8Array>,
  { tool, size }: ExpectedFile,
  way: Way,
  log: CallContext['log'],
): AsyncGenerator<Uint8Array> {
  const event = { ...(tool !== undefined && { tool }), ...way };
  const started = performance.now();
  let bytes = 0;
  // Unless it comes to an end, it was left in the middle.
  let failure: string | undefined = 'aborted';
  log?.({ ...event, type: 'download_started', ...(size !== undefined && { size }) });
  try {
    for await (const piece of content) {
      bytes += piece.byteLength;
      yield piece;
    }
    failure = undefined;
  } catch (error) {
    failure = isFilesError(error) ? error.code : 'download_failed';
    throw error;
  } finally {
    const milliseconds = Math.round(performance.now() - started);
    if (failure === undefined) log?.({ ...event, type: 'download_done', bytes, milliseconds });
    else log?.({ ...event, type: 'download_failed', code: failure, bytes });
  }
}
