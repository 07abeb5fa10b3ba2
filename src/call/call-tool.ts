import type { JsonObject } from '../connection/index.js';
import { abortedError, FilesError, isFilesError, throwIfAborted } from '../errors/index.js';
import { looksLikeHandle, mayHaveLinks } from '../model/index.js';
import { isObject, type Note, readServerCapability, type Tool } from '../protocol/index.js';
import { toFileSource } from '../source/index.js';
import { createProgress, type ProgressMeter } from '../transfer/progress.js';
import { type CopiedArguments, copyArguments } from './arguments.js';
import type { Plan } from './choose-ways.js';
import type { CallContext } from './context.js';
import { askDescribed, type DescribedAt } from './described.js';
import { withHandles } from './handles.js';
import { type Leg, sendLeg } from './leg.js';
import { CallPhase } from './phase.js';
import { type PreparedFile, prepareFiles } from './prepare.js';
import { isRemoteFile } from './remote-file.js';
import { RemoteSources } from './remote-source.js';
import { checkOutput, toFilesResult } from './result.js';
import { InputRounds, type RoundAnswer } from './rounds.js';
import { settle } from './settle.js';
import { noteTextForFile } from './text-for-file.js';
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

/** One tool call, from the caller's arguments to the result. The signal, which is its own, ends it; nothing outlives it. */
export async function callTool(
  callId: string,
  givenCall: ToolCall,
  givenOptions: CallOptions,
  context: CallContext,
  signal: AbortSignal,
): Promise<FilesToolResult> {
  const call = copyCall(givenCall);
  // The host may change its own definition between two calls: what is known of one is known of this copy.
  const { tool: ownTool } = givenOptions;
  const options = { ...givenOptions, ...(ownTool && { tool: { ...ownTool } }) };
  const phase = new CallPhase(call.name);
  const note: Note = message => context.log?.({ type: 'note', callId, message });
  const remotes = new RemoteSources(context);
  const run: Run = { callId, call, options, context, phase, signal, note };
  try {
    throwIfAborted(signal);
    const given = copyArguments(
      call.arguments,
      (value, pointer) => (isRemoteFile(value) ? remotes.of(value, pointer()) : toFileSource(value)),
      text => looksLikeHandle(text) || (context.textFiles === 'registered' && mayHaveLinks(text)),
    );
    noteTextForFile(callId, call.name, given.arguments, options.tool, context);
    const found = await findFiles(run, given, remotes);
    context.log?.({ type: 'call_started', callId, tool: call.name, files: found.files.length });
    const result = await (found.files.length === 0 ? callWithoutFiles(run, found) : callWithFiles(run, found));
    context.log?.({ type: 'call_finished', callId, tool: call.name, isError: result.isError === true });
    return result;
  } catch (error) {
    // What the SDK throws on an aborted signal is a time-out of its own making.
    const explained = phase.explain(signal.aborted && !isFilesError(error) ? abortedError(signal) : error);
    const code = isFilesError(explained) ? explained.code : 'server_error';
    context.log?.({ type: 'call_failed', callId, tool: call.name, code, outcome: phase.outcome });
    throw explained;
  } finally {
    await remotes.close();
  }
}

/** What the host is asked to approve is what is called: not what the caller makes of it meanwhile. */
function copyCall(call: ToolCall): ToolCall {
  if (typeof call !== 'object' || call === null || typeof call.name !== 'string') {
    throw new FilesError('argument_invalid', 'A call is an object with the name of a tool.');
  }
  const { name, arguments: args, _meta } = call;
  return {
    name,
    ...(args !== undefined && { arguments: args }),
    ...(_meta !== undefined && { _meta: copyMeta(_meta) }),
  };
}

function copyMeta(meta: unknown): JsonObject {
  try {
    const copy: unknown = JSON.parse(JSON.stringify(meta));
    if (isObject(copy)) return copy;
  } catch {
    // Said below.
  }
  throw new FilesError('argument_invalid', 'The "_meta" of the call is no object that JSON can carry.');
}

/** The files of a call, and what is known of where they stand. */
interface Found extends Pick<CopiedArguments, 'arguments' | 'files'> {
  readonly tool: Tool | undefined;
  readonly describedAt: DescribedAt;
}

const nowhere: DescribedAt = () => undefined;

/** The files of the arguments with those behind handles, once tool and host have said where it takes a file. */
async function findFiles(run: Run, copied: CopiedArguments, remotes: RemoteSources): Promise<Found> {
  const { call, options, context, signal } = run;
  if (copied.files.length + copied.texts.length === 0) {
    return { ...copied, tool: undefined, describedAt: nowhere };
  }
  const tool = options.tool ?? context.knownTool(call.name) ?? (await context.findTool(call.name, signal));
  const { describeArguments } = context.hooks;
  const describedAt =
    describeArguments && tool ? await askDescribed(describeArguments, tool, call.arguments ?? {}, signal) : nowhere;
  if (copied.texts.length === 0) return { arguments: copied.arguments, files: copied.files, tool, describedAt };
  const files = await withHandles(copied, { tool, describedAt, scope: options.scope, signal, remotes }, context);
  return { arguments: copied.arguments, files, tool, describedAt };
}

/** Nothing of ours to do: the SDK's own `callTool`, with its own input rounds and output check. */
async function callWithoutFiles(run: Run, copied: Found): Promise<FilesToolResult> {
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

async function callWithFiles(run: Run, copied: Found): Promise<FilesToolResult> {
  const { call, options, context, phase, signal, note } = run;
  const { port } = context;
  const { tool, describedAt } = copied;
  if (tool === undefined) {
    throw new FilesError(
      'argument_invalid',
      `The server lists no tool named "${call.name}", so no file can be sent to it.`,
    );
  }
  const capability = readServerCapability(port.serverExtensions(), note);
  const facts = {
    server: capability,
    publishes: context.hooks.publish !== undefined,
    unknownToServer: new Set<string>(),
  };
  const files = await prepareFiles(copied.files, { tool, describedAt, dialects: context.dialects, facts }, signal);
  const progress = createProgress(
    files.map(({ pointer, file }) => ({ pointer, name: file.name, size: file.size })),
    options.onProgress,
  );
  const common = {
    callId: run.callId,
    tool: call.name,
    server: context.targetContext.serverUrl,
    phase,
    progress,
    signal,
  };
  const ahead = { ...common, note, files, copied: copied.arguments, capability, timeout: options.timeout };
  const rounds = new InputRounds(context);

  let settled = await settle(ahead, { facts, inlineRefused: false, sent: new Map() }, context);
  let answer: RoundAnswer | undefined;
  for (;;) {
    progress.phase('calling');
    const { plan } = settled;
    const leg: Leg = {
      params: { ...callParams(call, copied.arguments), ...answer },
      inlineBytes: plan.inlineBytes,
      canRunTool: !plan.outOfBand || rounds.uploaded,
      isRetry: answer !== undefined,
      afterUpload: rounds.uploaded,
    };
    const started = performance.now();
    context.log?.({ type: 'leg_sent', callId: run.callId, retry: leg.isRetry, inlineBytes: leg.inlineBytes });
    // It takes a tenth of a second to load, in which the server can answer. A failure shows when it is used.
    if (plan.outOfBand) context.engine().catch(() => {});
    const canReroute = plan.canReroute && !settled.inlineRefused;
    const outcome = await sendLeg(leg, { port, tool, options, signal, phase, canReroute });
    context.log?.({ type: 'leg_answered', callId: run.callId, kind: outcome.kind });
    if (outcome.kind === 'complete') {
      phase.toolCompleted();
      if (!leg.canRunTool) note('the tool completed without asking for the files that wait to be sent');
      reportInline(run, files, plan, progress, performance.now() - started);
      if (files.length > 1) {
        const order = new Map(files.map(({ pointer }, index) => [pointer, index]));
        phase.transfers.sort((a, b) => order.get(a.pointer)! - order.get(b.pointer)!);
      }
      const result = await toFilesResult(outcome.result, phase.transfers, call.name, context.returned, note);
      checkOutput(context.hooks.validateOutput, tool, result);
      return result;
    }
    if (outcome.kind === 'inline_refused') {
      settled = await settle(ahead, { ...settled, inlineRefused: true }, context);
      answer = undefined;
      continue;
    }
    answer = await rounds.answer(outcome, { ...common, note, files, plan });
  }
}

function reportInline(
  { phase }: Run,
  files: readonly PreparedFile[],
  plan: Plan,
  progress: ProgressMeter,
  milliseconds: number,
): void {
  for (const { pointer, file } of files) {
    const { way, dialect, reason } = plan.ways.get(pointer)!;
    if (way === 'out_of_band') continue;
    progress.confirm(pointer);
    const { name, size } = file;
    const mode = dialect.inlineMode ?? 'inline';
    phase.transfers.push({ pointer, name, size, mode, dialect: dialect.name, reason, bytes: size, milliseconds });
  }
}

function callParams(call: ToolCall, copied: JsonObject): JsonObject {
  return { name: call.name, arguments: copied, ...(call._meta === undefined ? {} : { _meta: { ...call._meta } }) };
}
