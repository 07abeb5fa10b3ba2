import { FilesError, shownName } from '../errors/index.js';
import { normalSha256 } from '../transfer/digest.js';
import type { DownloadRequest } from '../transfer/download.js';
import { tooLarge } from '../transfer/download-failure.js';
import type { ProgressMeter } from '../transfer/progress.js';
import type { CallContext } from './context.js';
import { inlineContent } from './inline-content.js';
import type { RemoteFile, Returned } from './remote-file.js';
import { isWebUri, requestedContent } from './requested-file.js';
import { checkedTarget, targetContent, webTarget } from './target-file.js';

/** What is known of a file before its content is fetched, and what the content is held against. */
export interface ExpectedFile extends Pick<DownloadRequest, 'name' | 'size' | 'sha256' | 'maxBytes'> {
  readonly tool?: string;
  /** Where the file stands as an argument of another call. */
  readonly pointer?: string;
}

/**
 * The content of a file, piece by piece; its end is reached only where it is what was announced. Nothing is open before the
 * first piece is asked for. Takes no turn: that is the caller's part.
 */
export type FileContent = (signal: AbortSignal, progress?: ProgressMeter) => AsyncIterable<Uint8Array>;

/** A returned file after every check that needs no network; it can be fetched more than once. */
export interface ReadyDownload {
  /** It came with the result: reading it takes neither a connection nor a turn. */
  readonly isAtHand: boolean;
  readonly content: FileContent;
}

interface Purpose {
  readonly signal: AbortSignal;
  readonly maxBytes?: number | undefined;
  readonly pointer?: string;
}

/** Throws `argument_invalid`, `download_too_large`, `target_refused`, `aborted`. */
export async function prepareDownload(
  file: RemoteFile,
  { signal, maxBytes, pointer }: Purpose,
  context: CallContext,
): Promise<ReadyDownload> {
  const { source, tool, digest } = context.returned.of(file);
  if (maxBytes !== undefined && !(maxBytes >= 0)) {
    throw new FilesError('argument_invalid', 'The option maxBytes is no number of bytes.');
  }
  const { name, size } = file;
  if (maxBytes !== undefined && size !== undefined && size > maxBytes) throw tooLarge(name, maxBytes, size);
  const expected: ExpectedFile = {
    name,
    ...(tool !== undefined && { tool }),
    ...(size !== undefined && { size }),
    ...(maxBytes !== undefined && { maxBytes }),
    ...(pointer !== undefined && { pointer }),
    ...expectedSha256(digest, context),
  };
  if (source.kind === 'inline') return { isAtHand: true, content: inlineContent(source.content, expected, context) };
  // The specification: a web URI is for the client to fetch by itself.
  const isWeb = source.kind === 'uri' && source.by === 'read' && isWebUri(source.uri);
  if (source.kind === 'uri' && !isWeb) return { isAtHand: false, content: requestedContent(source, expected, context) };
  const target = source.kind === 'uri' ? webTarget(source.uri) : source.target;
  const checked = await checkedTarget(target, expected, signal, context);
  return { isAtHand: false, content: targetContent(checked, expected, context) };
}

/** A digest of another kind is noted, and the file taken without. */
export function expectedSha256(digest: Returned['digest'], { sha256, log }: CallContext): Pick<ExpectedFile, 'sha256'> {
  if (digest === undefined) return {};
  if (/^sha-?256$/i.test(digest.algorithm)) {
    return { sha256: { expected: normalSha256(digest.value), start: sha256 } };
  }
  log?.({ type: 'note', message: `a returned file has a digest by ${shownName(digest.algorithm)}: not verified` });
  return {};
}
