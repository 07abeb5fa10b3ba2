import type { JsonObject } from '../connection/index.js';
import { abortedError, FilesError, isFilesError, linkSignals, throwIfAborted } from '../errors/index.js';
import { looksLikeHandle } from '../model/index.js';
import { type Note, readServerCapability } from '../protocol/index.js';
import { toFileSource } from '../source/index.js';
import { createProgress, type ProgressMeter } from '../transfer/progress.js';
import { askApproval } from './approve.js';
import { type CopiedArguments, copyArguments } from './arguments.js';
import type { CallContext } from './context.js';
import { withHandles } from './handles.js';
import { putFiles } from './inline.js';
import { type Leg, sendLeg } from './leg.js';
import { CallPhase } from './phase.js';
import { effectiveInlineLimit, type Plan, planTransfers } from './plan.js';
import { type PreparedFile, prepareFiles } from './prepare.js';
import { isRemoteFile } from './remote-file.js';
import { RemoteSources } from './remote-source.js';
import { checkOutput, toFilesResult } from './result.js';
import { InputRounds, type RoundAnswer } from './rounds.js';
import type { CallOptions, FilesToolResult, ToolCall } from './types.js';

/** One call and everything that belongs to it. */
interface Run {
  readonly callId: string;
  readonly call: ToolCall;
  readonly options: CallOptions;
  readonly context: CallContext;
  readonly phase: CallPhase;
  readonly signal: AbortSignal;
  readonly note: Note;
}

/** One tool call, from the caller's arguments to the result. Both signals end it; nothing outlives it. */
export async function callTool(
  callId: string,
  call: ToolCall,
  options: CallOptions,
  context: CallContext,
  closed: AbortSignal,
): Promise<FilesToolResult> {
  const linked = linkSignals(options.signal, closed);
  const phase = new CallPhase(call.name);
  const note: Note = message => context.log({ type: 'note', callId, message });
  const remotes = new RemoteSources(context);
  const run: Run = { callId, call, options, context, phase, signal: linked.signal, note };
  try {
    throwIfAborted(linked.signal);
    const given = copyArguments(
      call.arguments,
      (value, pointer) => (isRemoteFile(value) ? remotes.of(value, pointer) : toFileSource(value)),
      looksLikeHandle,
    );
    const copied = given.texts.length === 0 ? given : { ...given, files: await filesOf(run, given, remotes) };
    context.log({ type: 'call_started', callId, tool: call.name, files: copied.files.length });
    const result = await (copied.files.length === 0 ? callWithoutFiles(run, copied) : callWithFiles(run, copied));
    context.log({ type: 'call_finished', callId, tool: call.name, isError: result.isError === true });
    return result;
  } catch (error) {
    // What the SDK throws on an aborted signal is a time-out of its own making.
    const explained = phase.explain(
      linked.signal.aborted && !isFilesError(error) ? abortedError(linked.signal) : error,
    );
    const code = isFilesError(explained) ? explained.code : 'server_error';
    context.log({ type: 'call_failed', callId, tool: call.name, code, outcome: phase.outcome });
    throw explained;
  } finally {
    await remotes.close();
    linked.release();
  }
}

/** The files of the arguments with those behind handles, once the tool has said where it takes a file. */
async function filesOf({ call, options, context, signal }: Run, copied: CopiedArguments, remotes: RemoteSources) {
  const tool = options.tool ?? (await context.findTool(call.name, signal));
  return withHandles(copied, { tool, scope: options.scope, signal, remotes }, context);
}

/** Nothing of ours to do: the SDK's own `callTool`, with its own input rounds and output check. */
async function callWithoutFiles(run: Run, copied: CopiedArguments): Promise<FilesToolResult> {
  const { call, options, context, phase, signal, note } = run;
  phase.toolMayRun();
  const tool = options.tool ?? context.knownTool(call.name);
  const result = await context.port.callToolDirect(callParams(call, copied.arguments), tool, {
    signal,
    ...(options.timeout === undefined ? {} : { timeout: options.timeout }),
    ...(options.resetTimeoutOnProgress ? { resetTimeoutOnProgress: true, onprogress: () => {} } : {}),
  });
  phase.toolCompleted();
  return await toFilesResult(result, [], call.name, context.returned, note);
}

async function callWithFiles(run: Run, copied: CopiedArguments): Promise<FilesToolResult> {
  const { call, options, context, phase, signal, note } = run;
  const { port } = context;
  const tool = options.tool ?? (await context.findTool(call.name, signal));
  if (tool === undefined) {
    throw new FilesError(
      'argument_invalid',
      `The server lists no tool named "${call.name}", so no file can be sent to it.`,
    );
  }
  const capability = readServerCapability(port.serverExtensions(), note);
  const files = await prepareFiles(tool, copied.files, signal);
  checkSupported(files, capability.advertised);
  const progress = createProgress(
    files.map(({ pointer, file }) => ({ pointer, name: file.name, size: file.size })),
    options.onProgress,
  );
  const rounds = new InputRounds(context, capability.advertised);
  const planAgain = (inlineRefused: boolean): Promise<Plan> =>
    choosePlan(run, files, capability.maxInlineBytes, inlineRefused, progress);

  let inlineRefused = false;
  let plan = await planAgain(false);
  let answer: RoundAnswer | undefined;
  for (;;) {
    progress.phase('calling');
    const leg: Leg = {
      params: { ...callParams(call, copied.arguments), ...answer },
      inlineBytes: plan.outOfBand ? 0 : sum(files),
      canRunTool: !plan.outOfBand || rounds.uploaded,
      isRetry: answer !== undefined,
      afterUpload: rounds.uploaded,
    };
    const started = performance.now();
    context.log({ type: 'leg_sent', callId: run.callId, retry: leg.isRetry, inlineBytes: leg.inlineBytes });
    const canReroute = capability.advertised && !inlineRefused;
    const outcome = await sendLeg(leg, { port, tool, options, signal, phase, canReroute });
    context.log({ type: 'leg_answered', callId: run.callId, kind: outcome.kind });
    if (outcome.kind === 'complete') {
      phase.toolCompleted();
      if (!leg.canRunTool) note('the tool completed without asking for the files that wait to be sent');
      reportInline(run, files, plan, progress, performance.now() - started);
      const order = new Map(files.map(({ pointer }, index) => [pointer, index]));
      phase.transfers.sort((a, b) => order.get(a.pointer)! - order.get(b.pointer)!);
      const result = await toFilesResult(outcome.result, phase.transfers, call.name, context.returned, note);
      checkOutput(context.hooks.validateOutput, tool, result);
      return result;
    }
    if (outcome.kind === 'inline_refused') {
      inlineRefused = true;
      plan = await planAgain(true);
      answer = undefined;
      continue;
    }
    const server = context.targetContext.serverUrl;
    const round = { callId: run.callId, tool: call.name, server, files, plan, phase, progress, signal, note };
    answer = await rounds.answer(outcome, round);
  }
}

/** Decides the ways, asks approval for what goes inline, and fills the arguments. */
async function choosePlan(
  run: Run,
  files: readonly PreparedFile[],
  maxInlineBytes: number | undefined,
  inlineRefused: boolean,
  progress: ProgressMeter,
): Promise<Plan> {
  const { callId, call, context, signal } = run;
  const plan = planTransfers({
    files: files.map(({ pointer, file }) => ({ pointer, size: file.size })),
    maxInlineBytes,
    inlineLimit: effectiveInlineLimit(context.inlineLimit, maxInlineBytes, context.port.stdio),
    inlineRefused,
  });
  context.log({ type: 'planned', callId, outOfBand: plan.outOfBand, ways: plan.ways });
  const server = context.targetContext.serverUrl;
  // Empty files travel with the message too. Files that wait for a target are asked about once it is known; after a
  // refusal only those have a new destination.
  const inline = inlineRefused ? [] : files.filter((_, index) => plan.ways[index]!.way !== 'out_of_band');
  await askApproval(
    context.hooks.approve,
    inline.map(({ pointer, file }) => ({
      callId,
      ...(server === undefined ? {} : { server }),
      tool: call.name,
      pointer,
      name: file.name,
      size: file.size,
      type: file.type,
      via: 'inline' as const,
      announced: false,
    })),
    signal,
  );
  if (!plan.outOfBand) progress.phase('reading');
  await putFiles(files, plan, signal);
  throwIfAborted(signal);
  return plan;
}

function reportInline(
  { phase }: Run,
  files: readonly PreparedFile[],
  plan: Plan,
  progress: ProgressMeter,
  milliseconds: number,
): void {
  for (const [index, { pointer, file }] of files.entries()) {
    const { way, reason } = plan.ways[index]!;
    if (way === 'out_of_band') continue;
    progress.confirm(pointer);
    const { name, size } = file;
    phase.transfers.push({
      pointer,
      name,
      size,
      mode: 'inline',
      dialect: 'extension',
      reason,
      bytes: size,
      milliseconds,
    });
  }
}

function checkSupported(files: readonly PreparedFile[], advertised: boolean): void {
  for (const { pointer, declaration } of files) {
    if (declaration.dialect === 'extension' && advertised) continue;
    throw new FilesError(
      'extension_unsupported',
      declaration.dialect === 'extension'
        ? `The server does not advertise the files extension, which the argument at "${pointer}" needs.`
        : `The argument at "${pointer}" declares its file in the "${declaration.dialect}" dialect, which this version does not send.`,
      { pointer, details: { dialect: declaration.dialect, lookedFor: ['extension'], advertised } },
    );
  }
}

function callParams(call: ToolCall, copied: JsonObject): JsonObject {
  return { name: call.name, arguments: copied, ...(call._meta === undefined ? {} : { _meta: { ...call._meta } }) };
}

function sum(files: readonly PreparedFile[]): number {
  return files.reduce((total, { file }) => total + file.size, 0);
}
