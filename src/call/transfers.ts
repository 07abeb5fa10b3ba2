import {
  atPointer,
  isFilesError,
  linkSignals,
  TransferError,
  type TransferFailure,
  throwIfAborted,
} from '../errors/index.js';
import type { UploadTarget } from '../protocol/index.js';
import { wireHeaders } from '../transfer/header-rules.js';
import type { ProgressMeter } from '../transfer/progress.js';
import type { CheckedTarget, HeaderEntry } from '../transfer/target.js';
import { checkTarget } from '../transfer/target-policy.js';
import { upload } from '../transfer/upload.js';
import type { ChosenWay } from './choose-ways.js';
import type { CallContext } from './context.js';
import { askCredentials } from './credentials.js';
import type { CallPhase } from './phase.js';
import type { PreparedFile } from './prepare.js';
import type { ReadingQueue } from './reading-queue.js';
import type { PlannedTransfer } from './types.js';

/** What the transfers of one call have in common. */
export interface TransferRun {
  readonly callId: string;
  readonly tool: string;
  readonly server: string | undefined;
  readonly phase: CallPhase;
  readonly progress: ProgressMeter;
  readonly signal: AbortSignal;
  readonly note: (message: string) => void;
}

/** One file and the place it goes to, after every check that needs no network. */
export interface ReadyTransfer {
  readonly file: PreparedFile;
  readonly target: CheckedTarget;
  readonly way: ChosenWay;
  credentialHeaders: readonly HeaderEntry[];
}

/** Checks a target and its headers against the policy. Throws `target_refused`, with the file's pointer. */
export function readyTransfer(
  file: PreparedFile,
  target: UploadTarget,
  way: ChosenWay,
  context: CallContext,
): ReadyTransfer {
  try {
    return { file, target: checkRequest(target, file.file.size, context), way, credentialHeaders: [] };
  } catch (error) {
    throw atPointer(error, file.pointer);
  }
}

/** The target, and its headers against the body's length: of a raw body that is known before anything is sent. */
function checkRequest(target: UploadTarget, bodyLength: number, { targetContext }: CallContext): CheckedTarget {
  const checked = checkTarget(target, targetContext);
  if (checked.form === undefined) wireHeaders(checked, { bodyLength, credentialHeaders: [] });
  return checked;
}

/** What the host is asked before a file goes to its target. */
export function plannedTransfer(
  { file, target }: ReadyTransfer,
  { callId, tool, server }: TransferRun,
): PlannedTransfer {
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

/** The host's headers for the targets that ask for them, one after the other. */
export async function addCredentials(
  transfers: readonly ReadyTransfer[],
  { tool, signal }: TransferRun,
  { hooks }: CallContext,
): Promise<void> {
  for (const transfer of transfers) {
    const { pointer } = transfer.file;
    const purpose = { direction: 'upload' as const, tool, pointer, signal };
    const shown = `the target of "${pointer}"`;
    transfer.credentialHeaders = await askCredentials(transfer.target, { ...purpose, shown }, hooks);
  }
}

/** Something that is done for one file, in its turn. */
export interface FileTask {
  readonly pointer: string;
  run(signal: AbortSignal): Promise<void>;
}

/** Does all of it at once, within the limiter; the first failure stops the others, and all of them are waited for. */
export async function runTogether(
  tasks: readonly FileTask[],
  { signal }: Pick<TransferRun, 'signal'>,
  { limit }: Pick<CallContext, 'limit'>,
): Promise<void> {
  const siblings = linkSignals(signal);
  const failed: { pointer: string; error: unknown }[] = [];
  try {
    await Promise.all(
      tasks.map(async ({ pointer, run }) => {
        try {
          await limit(siblings.signal, () => run(siblings.signal));
        } catch (error) {
          // What ends after the first failure ends because of it.
          if (siblings.signal.aborted && isFilesError(error) && error.code === 'aborted') return;
          failed.push({ pointer, error });
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

/** The task that sends a file to its target, and reports it. `queue`: the files that wait for their turns. */
export function uploadTask(
  transfer: ReadyTransfer,
  run: TransferRun,
  context: CallContext,
  queue?: ReadingQueue,
): FileTask {
  const { pointer } = transfer.file;
  return {
    pointer,
    run: signal => {
      queue?.began();
      return send(transfer, signal, run, context, () => queue?.readNext());
    },
  };
}

async function send(
  { file: { pointer, file }, target, way, credentialHeaders }: ReadyTransfer,
  signal: AbortSignal,
  { callId, phase, progress }: TransferRun,
  { engine, log, timeouts }: CallContext,
  onBodySent: () => void,
): Promise<void> {
  // The path stays out of the log: some services carry the token there.
  const event = { callId, pointer, origin: target.origin };
  const { name, size } = file;
  const loaded = await engine().catch(error => {
    throw engineFailed(pointer, error);
  });
  throwIfAborted(signal);
  log?.({ ...event, type: 'transfer_started', method: target.method, size });
  try {
    const onSent = (bytes: number): void => {
      progress.sent(pointer, bytes);
      if (bytes === size) onBodySent();
    };
    const receipt = await upload(loaded, { pointer, target, file, credentialHeaders, signal, timeouts, onSent });
    progress.confirm(pointer);
    const form = target.form !== undefined ? 'form' : target.method === 'PUT' ? 'put' : 'post';
    phase.transfers.push({
      pointer,
      name,
      size,
      mode: way.route === 'authorize' ? 'authorized' : form,
      dialect: way.dialect.name,
      reason: way.reason,
      origin: target.origin,
      ...receipt,
    });
    log?.({ ...event, type: 'transfer_done', ...receipt });
  } catch (error) {
    log?.({ ...event, type: 'transfer_failed', code: isFilesError(error) ? error.code : 'transfer_failed' });
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
