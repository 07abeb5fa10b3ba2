import { NO_FILES } from '../call/choose-ways.js';
import { CallPhase } from '../call/phase.js';
import { InputRounds, type RoundAnswer } from '../call/rounds.js';
import { FilesError } from '../errors/index.js';
import { createProgress } from '../transfer/progress.js';
import { readContents } from './contents.js';
import { type ResourceEnvironment, run, send } from './environment.js';
import { fetchHttps } from './fetch-https.js';
import { CODE, serverError, shownUri } from './server-error.js';
import type { ReadResourceOptions, ResourceContent } from './types.js';

const METHOD = 'resources/read';

/** The contents of one resource. The URI is opaque: it is sent and compared as it is. */
export function readResource(
  uri: string,
  options: ReadResourceOptions,
  environment: ResourceEnvironment,
): Promise<ResourceContent[]> {
  return run(environment, options.signal, async signal => {
    checkUri(uri);
    const { maxBytes, fetchHttps: fetchIt = false } = options;
    if (maxBytes !== undefined && !(maxBytes >= 0)) {
      throw new FilesError('argument_invalid', 'The option maxBytes is no number of bytes.');
    }
    if (fetchIt && /^https:/i.test(uri)) return [await fetchHttps(uri, maxBytes, environment.context, signal)];
    const result = await readAsked(uri, options, environment, signal);
    const note = (message: string): void => environment.context.log({ type: 'note', message: `${METHOD}: ${message}` });
    return readContents(result, { uri, maxBytes, note });
  });
}

/** Throws `argument_invalid`. */
export function checkUri(uri: unknown): void {
  if (typeof uri === 'string' && uri !== '') return;
  throw new FilesError('argument_invalid', 'The URI of a resource is text that is not empty.');
}

/** Asks, and answers what the server asks meanwhile, in the same rounds as a tool call; there is nothing to upload. */
async function readAsked(
  uri: string,
  options: ReadResourceOptions,
  environment: ResourceEnvironment,
  signal: AbortSignal,
): Promise<{ [key: string]: unknown }> {
  const { context } = environment;
  const rounds = new InputRounds(context);
  const round = {
    callId: METHOD,
    tool: METHOD,
    resource: uri,
    server: context.targetContext.serverUrl,
    files: [],
    plan: NO_FILES,
    phase: new CallPhase(METHOD),
    progress: createProgress([], undefined),
    signal,
    note: (message: string) => context.log({ type: 'note', message }),
  };
  for (let answer: RoundAnswer | undefined; ; ) {
    const params = { uri, ...answer };
    const outcome = await send(environment, METHOD, params, options, signal).catch(error => {
      throw failed(error, uri, answer !== undefined, environment);
    });
    if (outcome.kind === 'complete') return outcome.result;
    answer = await rounds.answer(outcome, round);
  }
}

/** What only a missing resource or method is answered with; any other error is the server's own. */
function failed(error: unknown, uri: string, isRetry: boolean, { context: { port } }: ResourceEnvironment): unknown {
  const failure = port.failureOf(error);
  if (failure.kind !== 'rpc_error') return error;
  const answered = { ...failure, error };
  const asked = { method: METHOD, uri };
  switch (failure.code) {
    case CODE.invalidParams:
      // To an answered round it may mean the request state, not the resource.
      if (isRetry) return error;
      return serverError('resource_not_found', `The server has no resource ${shownUri(uri)}`, asked, answered);
    case CODE.resourceNotFound:
      return serverError('resource_not_found', `The server has no resource ${shownUri(uri)}`, asked, answered);
    case CODE.methodNotFound:
      return serverError('resource_unsupported', `The server has no ${METHOD}`, asked, answered);
    default:
      return error;
  }
}
