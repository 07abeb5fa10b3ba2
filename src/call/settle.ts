import { linkSignals, throwIfAborted } from '../errors/index.js';
import type { DialectFacts, PublishedLink } from '../protocol/index.js';
import { askApproval } from './approve.js';
import { type AuthorizeRun, authorizeUpload, completeUpload } from './authorize.js';
import { type ChosenWay, chooseWays, type Plan } from './choose-ways.js';
import type { CallContext } from './context.js';
import { putFiles } from './inline.js';
import type { PreparedFile } from './prepare.js';
import { publishFile } from './publish.js';
import {
  addCredentials,
  type FileTask,
  plannedTransfer,
  type ReadyTransfer,
  readyTransfer,
  runTogether,
  uploadTask,
} from './transfers.js';
import type { PlannedTransfer } from './types.js';

/** What a file's argument gets in place of its bytes: they are somewhere already. */
interface Sent {
  readonly uri?: string;
  readonly link?: PublishedLink;
}

/** What a call knows by now about how its files can travel. */
export interface Settled {
  readonly facts: DialectFacts;
  readonly inlineRefused: boolean;
  /** Files that were sent before the call, by pointer: never sent again. */
  readonly sent: Map<string, { readonly value: Sent; readonly way: ChosenWay }>;
}

/** The same once everything is done that comes before a request. */
export interface SettledCall extends Settled {
  readonly plan: Plan;
}

export interface SettleRun extends AuthorizeRun {
  readonly files: readonly PreparedFile[];
  readonly copied: { [key: string]: unknown };
}

/**
 * Brings the files of a call as far as they can be before a request of it is sent: chooses how each travels, asks where
 * those go that are authorised beforehand, asks approval, sends and publishes, and writes the arguments. What the server
 * turns out not to know is left out, and the choice made anew.
 */
export async function settle(run: SettleRun, given: Settled, context: CallContext): Promise<SettledCall> {
  let settled = given;
  for (;;) {
    const plan = planOf(run, settled, context);
    const asked = plan.ahead ? await askWhere(run, plan, settled, context) : NOTHING_ASKED;
    if (asked.unknown !== undefined) {
      run.note(`the server does not know the requests of the dialect ${asked.unknown}: it is left out`);
      const unknownToServer = new Set([...settled.facts.unknownToServer, asked.unknown]);
      settled = { ...settled, facts: { ...settled.facts, unknownToServer } };
      continue;
    }
    const { approve } = context.hooks;
    if (approve) await askApproval(approve, transfersToApprove(run, plan, asked.ready, settled), run.signal);
    if (plan.ahead) {
      const authorized = [...asked.ready.values()];
      await addCredentials(
        authorized.map(({ transfer }) => transfer),
        run,
        context,
      );
      await sendAhead(run, plan, asked.ready, settled, context);
    }
    if (plan.inlineBytes > 0) run.progress.phase('reading');
    await putFiles(run.copied, run.files, plan, settled.sent, run.signal);
    throwIfAborted(run.signal);
    return { ...settled, plan };
  }
}

function planOf({ callId, files }: SettleRun, { facts, inlineRefused, sent }: Settled, context: CallContext): Plan {
  const left = sent.size === 0 ? files : files.filter(({ pointer }) => !sent.has(pointer));
  const chosen = chooseWays(left, { facts, inlineRefused }, context);
  const ways =
    left === files
      ? chosen.ways
      : new Map(files.map(({ pointer }) => [pointer, sent.get(pointer)?.way ?? chosen.ways.get(pointer)!]));
  context.log?.({
    type: 'planned',
    callId,
    outOfBand: chosen.outOfBand,
    ways: [...ways].map(([pointer, { way, route, dialect, reason }]) => {
      return { pointer, way, route, dialect: dialect.name, reason };
    }),
  });
  return left === files ? chosen : { ...chosen, ways };
}

interface Authorized {
  readonly upload: Parameters<typeof completeUpload>[0];
  readonly transfer: ReadyTransfer;
}

interface Asked {
  /** The dialect whose requests the server does not know. */
  readonly unknown: string | undefined;
  readonly ready: ReadonlyMap<string, Authorized>;
}

const NOTHING_ASKED: Asked = { unknown: undefined, ready: new Map() };

/** Where the files go that are authorised before the call; the first answer "unknown method" ends the asking. */
async function askWhere(run: SettleRun, plan: Plan, { sent }: Settled, context: CallContext): Promise<Asked> {
  const ready = new Map<string, Authorized>();
  const files = run.files.filter(({ pointer }) => isLeft(plan, sent, pointer, 'authorize'));
  let unknown: string | undefined;
  if (files.length === 0) return { unknown, ready };
  const stop = linkSignals(run.signal);
  try {
    const tasks = files.map(({ pointer }, index): FileTask => {
      return {
        pointer,
        async run(signal) {
          const file = files[index]!;
          const way = plan.ways.get(pointer)!;
          const answer = await authorizeUpload(file, way, run, signal, context);
          if (answer.kind === 'unknown') {
            unknown = way.dialect.name;
            stop.abort(unknown);
            return;
          }
          ready.set(pointer, {
            upload: answer.upload,
            transfer: readyTransfer(file, answer.upload.target, way, context),
          });
        },
      };
    });
    await runTogether(tasks, { signal: stop.signal }, context);
  } catch (error) {
    if (unknown === undefined) throw error;
    throwIfAborted(run.signal);
  } finally {
    stop.release();
  }
  return { unknown, ready };
}

/** In the order of the arguments. Files that wait for a target are asked about once it is known. */
function* transfersToApprove(
  { callId, tool, server, files, ...run }: SettleRun,
  { ways }: Plan,
  ready: ReadonlyMap<string, Authorized>,
  { sent, inlineRefused }: Settled,
): Generator<PlannedTransfer> {
  for (const { pointer, file } of files) {
    const { way, route } = ways.get(pointer)!;
    if (sent.has(pointer)) continue;
    const authorized = ready.get(pointer);
    if (authorized) yield plannedTransfer(authorized.transfer, { callId, tool, server, ...run });
    const isPublished = way === 'out_of_band' && route === 'publish';
    // After a refusal only those have a new destination that no longer go inline.
    const goesAlong = way !== 'out_of_band' && !inlineRefused;
    if (!isPublished && !goesAlong) continue;
    yield {
      callId,
      ...(server === undefined ? {} : { server }),
      tool,
      pointer,
      name: file.name,
      size: file.size,
      type: file.type,
      via: isPublished ? 'publisher' : 'inline',
      announced: false,
    };
  }
}

/** Uploads and publishes at once. What has arrived is kept in `sent`, so that no later plan sends it again. */
async function sendAhead(
  run: SettleRun,
  plan: Plan,
  ready: ReadonlyMap<string, Authorized>,
  { sent }: Settled,
  context: CallContext,
): Promise<void> {
  const tasks: FileTask[] = [];
  for (const file of run.files) {
    const { pointer } = file;
    const way = plan.ways.get(pointer)!;
    const authorized = ready.get(pointer);
    if (authorized) {
      const { upload, transfer } = authorized;
      const task = uploadTask(transfer, run, context);
      tasks.push({
        pointer,
        async run(signal) {
          await task.run(signal);
          const uri = await completeUpload(upload, way, file, run, signal, context);
          sent.set(pointer, { value: { uri }, way });
        },
      });
    } else if (isLeft(plan, sent, pointer, 'publish')) {
      tasks.push({
        pointer,
        async run(signal) {
          const link = await publishFile(file, way, run, signal, context);
          sent.set(pointer, { value: { link }, way });
        },
      });
    }
  }
  if (tasks.length === 0) return;
  run.progress.phase('uploading');
  await runTogether(tasks, run, context);
}

function isLeft({ ways }: Plan, sent: Settled['sent'], pointer: string, route: ChosenWay['route']): boolean {
  const way = ways.get(pointer)!;
  return !sent.has(pointer) && way.way === 'out_of_band' && way.route === route;
}
