import { INVALID_PARAMS, type JsonObject, type LegAnswer, type LegFailure, type McpPort } from '../connection/index.js';
import { FilesError, OutcomeUnknownError, safeCause, throwIfAborted } from '../errors/index.js';
import { isInlineTooLarge, isInvalidRequestState, type Tool } from '../protocol/index.js';
import type { CallPhase } from './phase.js';
import type { CallOptions } from './types.js';

/** A retry waits for a tool that now has its files; the SDK's 60 s are for questions, not for work. */
const RETRY_TIMEOUT_MS = 300_000;

/** One `tools/call` request. */
export interface Leg {
  readonly params: JsonObject;
  /** It carries file bytes as base64. */
  readonly inlineBytes: number;
  /** Every file is present: the server can run the tool on it. */
  readonly canRunTool: boolean;
  /** It answers an input round. */
  readonly isRetry: boolean;
  /** The files have been uploaded: this is the one retry of the draft. */
  readonly afterUpload: boolean;
}

/** What a leg was answered with, the refusal of inline data included: the call goes on from it. */
export type LegOutcome = LegAnswer | { readonly kind: 'inline_refused' };

export interface LegContext {
  readonly port: McpPort;
  readonly tool: Tool;
  readonly options: CallOptions;
  readonly signal: AbortSignal;
  readonly phase: CallPhase;
  /** Inline data that the server refuses can still go out of band. */
  readonly canReroute: boolean;
}

/** Sends one leg. Throws the SDK's own error where the server answered with one that the files flow does not own. */
export async function sendLeg(leg: Leg, context: LegContext): Promise<LegOutcome> {
  const { port, tool, options, signal, phase } = context;
  throwIfAborted(signal);
  const timeout = options.timeout ?? (leg.afterUpload ? RETRY_TIMEOUT_MS : undefined);
  if (leg.canRunTool) phase.toolMayRun();
  try {
    return await port.callToolLeg(leg.params, tool, {
      // The call's own, never the host's: the ports differ in what they leave on it.
      signal,
      ...(timeout === undefined ? {} : { timeout }),
      // A progress token is only sent along when somebody listens.
      ...(options.resetTimeoutOnProgress ? { resetTimeoutOnProgress: true, onprogress: () => {} } : {}),
    });
  } catch (error) {
    return afterFailure(error, port.failureOf(error), leg, context);
  }
}

function afterFailure(error: unknown, failure: LegFailure, leg: Leg, context: LegContext): LegOutcome {
  const { signal, phase } = context;
  switch (failure.kind) {
    case 'rpc_error':
      return afterRpcError(error, failure, leg, context);
    case 'unauthorized':
      throw error;
    case 'not_sent':
      phase.toolDidNotRun();
      throw new FilesError('not_connected', 'The MCP client is not connected.', { cause: safeCause(error) });
    case 'http_error':
      if (failure.status === 413 && !leg.afterUpload) return afterPayloadTooLarge(leg, context);
      break;
    case 'refused_by_sdk':
      throwIfAborted(signal);
      if (!leg.canRunTool) throw error;
      throw new OutcomeUnknownError(
        'The server answered, but the MCP SDK refused the answer; the tool may have run.',
        'result_refused_by_sdk',
        { cause: safeCause(error) },
      );
    case 'no_answer':
      break;
  }
  throwIfAborted(signal);
  if (!leg.canRunTool) throw error;
  throw new OutcomeUnknownError(
    failure.kind === 'http_error'
      ? `No answer to the call: HTTP status ${failure.status} without a JSON-RPC message; the tool may have run.`
      : 'No answer to the call; the tool may have run.',
    'response_lost',
    {
      cause: safeCause(error),
      ...(failure.kind === 'http_error' ? { details: { status: failure.status } } : {}),
    },
  );
}

function afterRpcError(
  error: unknown,
  { code, data }: { code: number; data: unknown },
  leg: Leg,
  { phase, canReroute }: LegContext,
): LegOutcome {
  if (isInlineTooLarge(code, data)) {
    if (leg.inlineBytes === 0 || leg.afterUpload || !canReroute) throw error;
    phase.toolDidNotRun();
    return { kind: 'inline_refused' };
  }
  const stateConsumed =
    leg.isRetry && leg.canRunTool && code === INVALID_PARAMS && (isInvalidRequestState(code, data) || isPlain(data));
  if (!stateConsumed) throw error;
  throw new OutcomeUnknownError(
    'The server no longer takes this request state; an earlier request may have run the tool.',
    'state_consumed',
    { cause: safeCause(error) },
  );
}

/** HTTP 413 refuses the message before any tool sees it; with the extension it means the same as `inline_too_large`. */
function afterPayloadTooLarge(leg: Leg, { phase, canReroute }: LegContext): LegOutcome {
  phase.toolDidNotRun();
  if (leg.inlineBytes > 0 && canReroute) return { kind: 'inline_refused' };
  throw new FilesError(
    'file_too_large',
    `The server's transport refused the request as too large (HTTP 413) with ${leg.inlineBytes} bytes of files inline.`,
    { details: { limit: 'transport', size: leg.inlineBytes } },
  );
}

/** An error that gives no reason of its own: the draft's answer to a request state that was used before. */
function isPlain(data: unknown): boolean {
  return typeof data !== 'object' || data === null || !('reason' in data);
}
