import { FilesError, shownName, throwIfAborted } from '../errors/index.js';
import { type InlineContent, inlineBytes, inlineSize } from '../protocol/index.js';
import { digestMismatch, sizeMismatch, tooLarge } from '../transfer/download-failure.js';
import type { ProgressMeter } from '../transfer/progress.js';
import type { CallContext } from './context.js';
import type { ExpectedFile, FileContent } from './fetch-file.js';
import { loggedContent } from './logged-content.js';

/** The content of a file that came with the result. */
export function inlineContent(content: InlineContent, expected: ExpectedFile, { log }: CallContext): FileContent {
  return (signal, progress) => {
    progress?.phase('downloading');
    return loggedContent(decodedContent(content, expected, signal, progress), expected, { via: 'result' }, log);
  };
}

/**
 * Content that is in memory, decoded piece by piece and held against what was announced, as a transfer would be. Throws
 * `download_failed` (reason `content_malformed`), `download_too_large`, `size_mismatch`, `digest_mismatch`, `aborted`.
 */
export async function* decodedContent(
  content: InlineContent,
  expected: ExpectedFile,
  signal: AbortSignal,
  progress?: ProgressMeter,
): AsyncGenerator<Uint8Array> {
  const { name, size, maxBytes, sha256 } = expected;
  const length = inlineSize(content);
  if (length === undefined) throw malformed(name);
  if (maxBytes !== undefined && length > maxBytes) throw tooLarge(name, maxBytes, length);
  if (size !== undefined && length !== size) throw sizeMismatch(expected, size, length);
  progress?.measure('', length);
  const hash = await sha256?.start();
  let received = 0;
  for (const piece of inlineBytes(content)) {
    throwIfAborted(signal);
    hash?.update(piece);
    received += piece.byteLength;
    progress?.sent('', received);
    yield piece;
  }
  throwIfAborted(signal);
  if (hash !== undefined && (await hash.digest()) !== sha256?.expected) throw digestMismatch(expected);
}

function malformed(name: string): FilesError {
  return new FilesError('download_failed', `The content of "${shownName(name)}" cannot be decoded.`, {
    details: { reason: 'content_malformed' },
  });
}
