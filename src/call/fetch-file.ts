import { FilesError, isFilesError, shownName } from '../errors/index.js';
import { normalSha256 } from '../transfer/digest.js';
import { type DownloadRequest, download } from '../transfer/download.js';
import { downloadFailed, tooLarge } from '../transfer/download-failure.js';
import type { ProgressMeter } from '../transfer/progress.js';
import { checkTarget, type TargetContext } from '../transfer/target-policy.js';
import type { CallContext } from './context.js';
import { askCredentials } from './credentials.js';
import type { RemoteFile, Returned } from './remote-file.js';

/** A returned file after every check that needs no network; it can be fetched more than once. */
export interface ReadyDownload extends Omit<DownloadRequest, 'signal' | 'onSize' | 'onReceived'> {
  readonly tool: string;
}

interface Purpose {
  readonly signal: AbortSignal;
  readonly maxBytes?: number | undefined;
  /** Where the file stands as an argument of another call. */
  readonly pointer?: string;
}

/** Throws `argument_invalid`, `download_too_large`, `target_refused`, `aborted`. */
export async function prepareDownload(
  file: RemoteFile,
  { signal, maxBytes, pointer }: Purpose,
  context: CallContext,
): Promise<ReadyDownload> {
  const { target: given, tool } = context.returned.of(file);
  if (maxBytes !== undefined && !(maxBytes >= 0)) {
    throw new FilesError('argument_invalid', 'The option maxBytes is no number of bytes.');
  }
  const { name, size } = file;
  if (maxBytes !== undefined && size !== undefined && size > maxBytes) throw tooLarge(name, maxBytes, size);
  const targetContext: TargetContext = { ...context.targetContext, direction: 'download' };
  const target = checkTarget({ ...given, method: 'GET' }, targetContext);
  const shown = `the file "${shownName(name)}"`;
  const purpose = { direction: 'download' as const, tool, shown, signal, ...(pointer !== undefined && { pointer }) };
  return {
    name,
    tool,
    target,
    credentialHeaders: await askCredentials(target, purpose, context.hooks),
    ...(size !== undefined && { size }),
    ...(maxBytes !== undefined && { maxBytes }),
    ...sha256Of(given, context),
    timeouts: context.timeouts,
    checkRedirect: url => checkTarget({ url, method: 'GET', headers: [], credentials: 'omit' }, targetContext),
  };
}

function sha256Of({ digest }: Returned['target'], { sha256, log }: CallContext): Pick<ReadyDownload, 'sha256'> {
  if (digest === undefined) return {};
  if (/^sha-?256$/i.test(digest.algorithm)) {
    return { sha256: { expected: normalSha256(digest.value), start: sha256 } };
  }
  log({ type: 'note', message: `a returned file has a digest by ${shownName(digest.algorithm)}: not verified` });
  return {};
}

/** The content, as `download` gives it, with the steps logged and counted. Takes no turn: that is the caller's part. */
export async function* fetchFile(
  ready: ReadyDownload,
  signal: AbortSignal,
  { engine, log }: CallContext,
  progress?: ProgressMeter,
): AsyncGenerator<Uint8Array> {
  const event = { tool: ready.tool, origin: ready.target.origin };
  const started = performance.now();
  let bytes = 0;
  // Unless it comes to an end, it was left in the middle.
  let failure: string | undefined = 'aborted';
  log({ ...event, type: 'download_started', ...(ready.size !== undefined && { size: ready.size }) });
  progress?.phase('downloading');
  try {
    const request: DownloadRequest = {
      ...ready,
      signal,
      onSize: size => progress?.measure('', size),
      onReceived: received => {
        bytes = received;
        progress?.sent('', received);
      },
    };
    const loaded = await engine().catch(cause => {
      throw downloadFailed(request, 'engine_failed', { cause });
    });
    yield* download(loaded, request);
    failure = undefined;
  } catch (error) {
    failure = isFilesError(error) ? error.code : 'download_failed';
    throw error;
  } finally {
    const milliseconds = Math.round(performance.now() - started);
    if (failure === undefined) log({ ...event, type: 'download_done', bytes, milliseconds });
    else log({ ...event, type: 'download_failed', code: failure, bytes });
  }
}
