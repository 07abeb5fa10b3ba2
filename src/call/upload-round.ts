import type { JsonObject, RoundMessages } from '../protocol/index.js';
import { askApproval } from './approve.js';
import type { Plan } from './choose-ways.js';
import type { CallContext } from './context.js';
import type { PreparedFile } from './prepare.js';
import { ReadingQueue } from './reading-queue.js';
import {
  addCredentials,
  plannedTransfer,
  type ReadyTransfer,
  readyTransfer,
  runTogether,
  type TransferRun,
  uploadTask,
} from './transfers.js';

/** One input round, as far as it is about files. */
export interface UploadRound extends TransferRun {
  /** URI of the resource that is read, where it is not a tool that asks. */
  readonly resource?: string;
  readonly files: readonly PreparedFile[];
  readonly plan: Plan;
}

/** Everything that can be refused before a byte leaves: targets, the host's approval, the host's credentials. */
export async function prepareUploads(
  entry: JsonObject,
  messages: RoundMessages,
  round: UploadRound,
  context: CallContext,
): Promise<ReadyTransfer[]> {
  const { plan, note } = round;
  // Files of another dialect are there already, or went along.
  const files = round.files.filter(({ pointer }) => plan.ways.get(pointer)?.dialect.round === messages);
  const pending = files.map(({ pointer, file }) => {
    return { pointer, size: file.size, inline: plan.ways.get(pointer)?.way === 'inline' };
  });
  const targets = messages.readTargets(entry, pending, note);
  const ready = files.flatMap(file => {
    const target = targets.get(file.pointer);
    return target === undefined ? [] : [readyTransfer(file, target, plan.ways.get(file.pointer)!, context)];
  });
  const { approve } = context.hooks;
  const planned = ready.map(transfer => plannedTransfer(transfer, round));
  if (approve) await askApproval(approve, planned, round.signal);
  await addCredentials(ready, round, context);
  return ready;
}

/** Moves every file at once. */
export async function runUploads(
  transfers: readonly ReadyTransfer[],
  round: UploadRound,
  context: CallContext,
): Promise<void> {
  if (transfers.length === 0) return;
  round.progress.phase('uploading');
  const queue = new ReadingQueue(transfers.map(({ file }) => file.file));
  try {
    await runTogether(
      transfers.map(transfer => uploadTask(transfer, round, context, queue)),
      round,
      context,
    );
  } finally {
    await queue.close();
  }
}
