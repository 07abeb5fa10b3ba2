import { atPointer, FilesError, shownName, TransferError } from '../errors/index.js';
import type { AuthorizedUpload, FileDigest, ServerFilesCapability, UploadRefusal } from '../protocol/index.js';
import { PIECE_BYTES } from '../source/content.js';
import type { ChosenWay } from './choose-ways.js';
import type { CallContext } from './context.js';
import type { PreparedFile } from './prepare.js';
import { askServer } from './request.js';
import type { TransferRun } from './transfers.js';

/** Of a server's patterns so many are named in an error: it may list as much as it likes. */
const PATTERNS_IN_DETAILS = 32;

/** A file whose upload is authorised before the call, or cannot be because the server does not know the request. */
export type Authorization =
  | { readonly kind: 'authorized'; readonly upload: AuthorizedUpload }
  | { readonly kind: 'unknown' };

export interface AuthorizeRun extends TransferRun {
  /** Milliseconds for one request; the SDK's default where absent. */
  readonly timeout: number | undefined;
  readonly capability: ServerFilesCapability;
}

/**
 * Asks the server where a file may go. Throws `file_too_large` and `file_type_not_accepted` where that is the refusal,
 * `transfer_failed` (reason `upload_refused`) for any other that gives a reason, `transfer_failed` where no answer
 * came, and what the SDK threw for a refusal that gives no reason.
 */
export async function authorizeUpload(
  prepared: PreparedFile,
  { dialect }: ChosenWay,
  run: AuthorizeRun,
  signal: AbortSignal,
  context: CallContext,
): Promise<Authorization> {
  const { pointer, file } = prepared;
  const messages = dialect.authorize!;
  const { ask } = messages.methods(run.capability);
  const facts = { name: file.name, mimeType: file.type, size: file.size };
  let digest = isDigestAtHand(prepared, context) ? await digestOf(prepared, signal, context) : undefined;
  for (;;) {
    const outcome = await askServer(
      ask,
      messages.params({ ...facts, digest }),
      { signal, timeout: run.timeout, pointer },
      context,
    );
    if (outcome.kind === 'unknown') return outcome;
    if (outcome.kind === 'result') {
      return { kind: 'authorized', upload: messages.read(outcome.result, pointer, run.note) };
    }
    const refusal = messages.readRefusal(outcome.data);
    if (refusal === undefined) throw outcome.error;
    if (refusal.kind !== 'digest_required' || digest !== undefined) throw refused(prepared, refusal, outcome.error);
    digest = await digestOf(prepared, signal, context);
  }
}

/** Tells the server that the bytes are there, where it wants that. Returns the URI that the argument gets. */
export async function completeUpload(
  { file: { uri }, completion }: AuthorizedUpload,
  { dialect }: ChosenWay,
  prepared: PreparedFile,
  run: AuthorizeRun,
  signal: AbortSignal,
  context: CallContext,
): Promise<string> {
  const messages = dialect.authorize!;
  const { complete } = messages.methods(run.capability);
  if (complete === undefined) return uri;
  const outcome = await askServer(
    complete,
    completion,
    { signal, timeout: run.timeout, pointer: prepared.pointer },
    context,
  );
  if (outcome.kind === 'result') return messages.readCompletion(outcome.result) ?? uri;
  if (outcome.kind === 'unknown') {
    run.note(`the server does not know ${complete}: the file is taken to be complete`);
    return uri;
  }
  const refusal = messages.readRefusal(outcome.data);
  throw refusal === undefined ? outcome.error : refused(prepared, refusal, outcome.error);
}

/** SHA-256 of the whole file: base64url without padding. */
async function digestOf(
  { file, pointer }: PreparedFile,
  signal: AbortSignal,
  { sha256 }: CallContext,
): Promise<FileDigest> {
  const hash = await sha256();
  try {
    for await (const chunk of file.chunks(signal)) hash.update(chunk);
  } catch (error) {
    throw atPointer(error, pointer);
  }
  return { algorithm: 'sha-256', value: await hash.digest() };
}

/** What is read as one piece anyway costs nothing more; a stream would be opened twice. */
function isDigestAtHand({ file }: PreparedFile, { digest }: CallContext): boolean {
  return digest === 'always' || (file.size <= PIECE_BYTES && file.isStream !== true);
}

function refused({ pointer, file }: PreparedFile, refusal: UploadRefusal, cause: unknown): FilesError {
  const { kind, reason, maxSize, accept } = refusal;
  const where = `the file at "${pointer}"`;
  if (kind === 'too_large') {
    const limit = maxSize === undefined ? '' : `; it takes at most ${maxSize}`;
    return new FilesError('file_too_large', `The server refuses ${where}, which has ${file.size} bytes${limit}.`, {
      pointer,
      details: { size: file.size, ...(maxSize !== undefined && { maxSize }) },
    });
  }
  if (kind === 'type_not_accepted') {
    return new FilesError('file_type_not_accepted', `The server does not take ${where}, which is ${file.type}.`, {
      pointer,
      details: { type: file.type, ...(accept && { accept: accept.slice(0, PATTERNS_IN_DETAILS).map(shownName) }) },
    });
  }
  return new TransferError(
    'transfer_failed',
    `The server does not authorise an upload of ${where}. The tool has not run.`,
    [{ pointer, reason: 'upload_refused', serviceCode: reason }],
    { pointer, cause },
  );
}
