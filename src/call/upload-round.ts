import { isFilesError, linkSignals, TransferError, type TransferFailure, throwIfAborted } from '../errors/index.js';
import { readTargets, type UploadTarget } from '../protocol/index.js';
import type { TransferEngine } from '../transfer/engine.js';
import { wireHeaders } from '../transfer/header-rules.js';
import type { ProgressMeter } from '../transfer/progress.js';
import type { CheckedTarget, HeaderEntry } from '../transfer/target.js';
import { checkTarget } from '../transfer/target-policy.js';
import { upload } from '../transfer/upload.js';
import { askApproval } from './approve.js';
import type { CallContext } from './context.js';
import { askCredentials } from './credentials.js';
import type { CallPhase } from './phase.js';
import type { Plan } from './plan.js';
import type { PreparedFile } from './prepare.js';
import type { PlannedTransfer } from './types.js';

/** One file and the place it goes to, after every check that needs no network. */
interface ReadyTransfer {
  readonly file: PreparedFile;
  readonly target: CheckedTarget;
  readonly reason: string;
  credentialHeaders: readonly HeaderEntry[];
}

export interface UploadRound {
  readonly callId: string;
  readonly tool: string;
  /** URI of the resource that is read, where it is not a tool that asks. */
  readonly resource?: string;
  readonly server: string | undefined;
  readonly files: readonly PreparedFile[];
  readonly plan: Plan;
  readonly phase: CallPhase;
  readonly progress: ProgressMeter;
  readonly signal: AbortSignal;
  readonly note: (message: string) => void;
}

/** Everything that can be refused before a byte leaves: targets, the host's approval, the host's credentials. */
export async function prepareUploads(
  entry: { [key: string]: unknown },
  round: UploadRound,
  context: CallContext,
): Promise<ReadyTransfer[]> {
  const { files, plan, signal, note } = round;
  const wayOf = new Map(plan.ways.map(way => [way.pointer, way]));
  const targets = readTargets(
    entry,
    files.map(({ pointer, file }) => ({
      pointer,
      size: file.size,
      inline: wayOf.get(pointer)?.way === 'inline',
    })),
    note,
  );
  const ready: ReadyTransfer[] = [];
  for (const file of files) {
    const target = targets.get(file.pointer);
    if (target === undefined) continue;
    const checked = atPointer(file.pointer, () => checkRequest(target, file.file.size, context));
    ready.push({ file, target: checked, reason: wayOf.get(file.pointer)?.reason ?? '', credentialHeaders: [] });
  }
  await askApproval(
    context.hooks.approve,
    ready.map(transfer => plannedTransfer(transfer, round)),
    signal,
  );
  for (const transfer of ready) {
    const { pointer } = transfer.file;
    const purpose = { direction: 'upload' as const, tool: round.tool, pointer, signal };
    const shown = `the target of "${pointer}"`;
    transfer.credentialHeaders = await askCredentials(transfer.target, { ...purpose, shown }, context.hooks);
  }
  return ready;
}

/** The target, and its headers against the body's length: of a raw body that is known before anything is sent. */
function checkRequest(target: UploadTarget, bodyLength: number, { targetContext }: CallContext): CheckedTarget {
  const checked = checkTarget(target, targetContext);
  if (checked.form === undefined) wireHeaders(checked, { bodyLength, credentialHeaders: [] });
  return checked;
}

function plannedTransfer({ file, target }: ReadyTransfer, { callId, tool, server }: UploadRound): PlannedTransfer {
  return {
    callId,
    ...(server === undefined ? {} : { server }),
    tool,
    pointer: file.pointer,
    name: file.file.name,
    size: file.file.size,
    type: file.file.type,
    via: 'target',
    origin: target.origin,
    path: target.shownPath,
    method: target.method as 'PUT' | 'POST',
    credentials: target.credentials,
    announced: true,
  };
}

/** Moves every file at once; the first failure stops the others, and all of them are waited for. */
export async function runUploads(
  transfers: readonly ReadyTransfer[],
  round: UploadRound,
  context: CallContext,
): Promise<void> {
  if (transfers.length === 0) return;
  const { signal } = round;
  const siblings = linkSignals(signal);
  const failed: { pointer: string; error: unknown }[] = [];
  try {
    const engine = await context.engine().catch(error => {
      throw engineFailed(transfers[0]!.file.pointer, error);
    });
    throwIfAborted(signal);
    round.progress.phase('uploading');
    await Promise.all(
      transfers.map(async transfer => {
        try {
          await context.limit(siblings.signal, () => send(transfer, engine, siblings.signal, round, context));
        } catch (error) {
          // What ends after the first failure ends because of it.
          if (siblings.signal.aborted && isFilesError(error) && error.code === 'aborted') return;
          failed.push({ pointer: transfer.file.pointer, error });
          siblings.abort(error);
        }
      }),
    );
  } finally {
    siblings.release();
  }
  throwIfAborted(signal);
  if (failed.length > 0) throw failureOfAll(failed);
}

async function send(
  { file: { pointer, file }, target, reason, credentialHeaders }: ReadyTransfer,
  engine: TransferEngine,
  signal: AbortSignal,
  { callId, phase, progress }: UploadRound,
  { log, timeouts }: CallContext,
): Promise<void> {
  // The path stays out of the log: some services carry the token there.
  const event = { callId, pointer, origin: target.origin };
  const { name, size } = file;
  log({ ...event, type: 'transfer_started', method: target.method, size });
  try {
    const onSent = (bytes: number): void => progress.sent(pointer, bytes);
    const receipt = await upload(engine, { pointer, target, file, credentialHeaders, signal, timeouts, onSent });
    progress.confirm(pointer);
    const mode = target.form !== undefined ? 'form' : target.method === 'PUT' ? 'put' : 'post';
    phase.transfers.push({
      pointer,
      name,
      size,
      mode,
      dialect: 'extension',
      reason,
      origin: target.origin,
      ...receipt,
    });
    log({ ...event, type: 'transfer_done', ...receipt });
  } catch (error) {
    log({ ...event, type: 'transfer_failed', code: isFilesError(error) ? error.code : 'transfer_failed' });
    throw error;
  }
}

/** The engine is loaded on first use, which a bundler may have broken. */
function engineFailed(pointer: string, cause: unknown): TransferError {
  const message = 'The HTTP engine could not be loaded. In a bundle, leave undici external. The tool has not run.';
  return new TransferError('transfer_failed', message, [{ pointer, reason: 'engine_failed' }], { pointer, cause });
}

/** One error for the call: the code of the first failure in time, and every failure in its list. */
function failureOfAll(failed: readonly { pointer: string; error: unknown }[]): unknown {
  const first = failed[0]!.error;
  if (failed.length === 1 || !(first instanceof TransferError)) {
    return isFilesError(first) ? first.with({ pointer: failed[0]!.pointer }) : first;
  }
  const failures: TransferFailure[] = failed.flatMap(({ pointer, error }) =>
    error instanceof TransferError
      ? [...error.failures]
      : [{ pointer, reason: isFilesError(error) ? error.code : 'unexpected' }],
  );
  return new TransferError(
    first.code as 'transfer_failed',
    `${first.message} ${failed.length} transfers failed.`,
    failures,
    {
      pointer: failed[0]!.pointer,
      ...(first.details === undefined ? {} : { details: first.details }),
      cause: first.cause,
    },
  );
}

function atPointer<T>(pointer: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw isFilesError(error) && error.pointer === undefined ? error.with({ pointer }) : error;
  }
}
