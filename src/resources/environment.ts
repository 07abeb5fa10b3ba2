import type { CallContext } from '../call/context.js';
import type { Operations } from '../call/operations.js';
import { checkRequestOptions } from '../call/request-options.js';
import type { JsonObject, LegAnswer, LegOptions } from '../connection/index.js';
import { isFilesError, linkSignals, throwIfAborted } from '../errors/index.js';
import type { ResourceRequestOptions } from './types.js';

/** What resources need of the client that has them. */
export interface ResourceEnvironment {
  readonly context: CallContext;
  /** Throws `not_connected`. */
  requireConnected(): void;
  readonly operations: Operations;
}

/** One operation: both signals end it, and nothing of ours stays on the caller's. */
export function run<T>(
  { operations }: ResourceEnvironment,
  signal: AbortSignal | undefined,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return operations.run({ signal }, async linked => {
    throwIfAborted(linked);
    return await task(linked);
  });
}

/** One request of the core protocol or SEP-2571, logged; throws what the SDK threw, or `aborted`. */
export async function send(
  { context: { port, log }, requireConnected }: ResourceEnvironment,
  method: string,
  params: JsonObject | undefined,
  { timeout }: ResourceRequestOptions,
  signal: AbortSignal,
): Promise<LegAnswer> {
  checkRequestOptions({ timeout });
  throwIfAborted(signal);
  requireConnected();
  const own = linkSignals(signal);
  const options: LegOptions = { signal: own.signal, ...(timeout === undefined ? {} : { timeout }) };
  log?.({ type: 'resource_request', method });
  try {
    const answer = await port.requestLeg(method, params, options);
    log?.({ type: 'resource_answer', method, kind: answer.kind });
    return answer;
  } catch (error) {
    const kind = isFilesError(error) ? error.code : port.failureOf(error).kind;
    log?.({ type: 'resource_answer', method, kind });
    throwIfAborted(signal);
    throw error;
  } finally {
    own.release();
  }
}
