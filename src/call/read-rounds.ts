import type { JsonObject, LegAnswer } from '../connection/index.js';
import { createProgress } from '../transfer/progress.js';
import { NO_FILES } from './choose-ways.js';
import type { CallContext } from './context.js';
import { CallPhase } from './phase.js';
import { InputRounds, type RoundAnswer } from './rounds.js';

export const READ = 'resources/read';

/** Reads a resource, and answers what the server asks meanwhile, in the same rounds as a tool call; nothing is uploaded. */
export async function readInRounds(
  uri: string,
  send: (params: JsonObject, isRetry: boolean) => Promise<LegAnswer>,
  context: CallContext,
  signal: AbortSignal,
): Promise<JsonObject> {
  const rounds = new InputRounds(context);
  const round = {
    callId: READ,
    tool: READ,
    resource: uri,
    server: context.targetContext.serverUrl,
    files: [],
    plan: NO_FILES,
    phase: new CallPhase(READ),
    progress: createProgress([], undefined),
    signal,
    note: (message: string) => context.log?.({ type: 'note', message }),
  };
  for (let answer: RoundAnswer | undefined; ; ) {
    const outcome = await send({ uri, ...answer }, answer !== undefined);
    if (outcome.kind === 'complete') return outcome.result;
    answer = await rounds.answer(outcome, round);
  }
}
