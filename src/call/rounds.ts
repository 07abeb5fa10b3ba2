import type { LegAnswer } from '../connection/index.js';
import { FilesError, linkSignals, shownName } from '../errors/index.js';
import type { InputRequest, RoundMessages } from '../protocol/index.js';
import type { CallContext } from './context.js';
import { askHost } from './hook.js';
import { prepareUploads, runUploads, type UploadRound } from './upload-round.js';

type InputRequired = Extract<LegAnswer, { kind: 'input_required' }>;

/** What the next leg carries besides the same arguments. */
export interface RoundAnswer {
  readonly inputResponses?: { [key: string]: unknown };
  readonly requestState?: string;
}

/** The input rounds of one call: counts them, allows one upload round, answers each entry. */
export class InputRounds {
  #count = 0;
  #uploaded = false;
  readonly #context: CallContext;

  constructor(context: CallContext) {
    this.#context = context;
  }

  /** The upload round is over: what follows is the draft's one retry. */
  get uploaded(): boolean {
    return this.#uploaded;
  }

  /** Answers one round. `round` is made anew for each, since the plan can have changed. */
  async answer(required: InputRequired, round: UploadRound): Promise<RoundAnswer> {
    const { maxRounds, hooks, log } = this.#context;
    if (++this.#count > maxRounds) {
      throw new FilesError('too_many_rounds', `The server asked for input more than ${maxRounds} times in one call.`, {
        details: { maxRounds },
      });
    }
    const { messages, isPossible } = roundMessages(round, this.#context);
    const { upload, others } = messages.split(required.inputRequests, isPossible, round.note);
    log?.({
      type: 'input_round',
      callId: round.callId,
      round: this.#count,
      upload: upload !== undefined,
      others: others.length,
    });
    if (upload !== undefined && this.#uploaded) {
      throw new FilesError('server_violation', 'The server asked for a second upload round in one call.', {
        details: { reason: 'second_upload_round' },
      });
    }
    const unanswerable = hooks.onInputRequest === undefined ? others[0] : undefined;
    if (unanswerable !== undefined) {
      throw new FilesError(
        'input_unsupported',
        `The server asks for input by ${shownName(unanswerable.method)}, and the host gave no onInputRequest.`,
        { details: { method: shownName(unanswerable.method) } },
      );
    }

    const responses = new Map<string, unknown>();
    const ready = upload === undefined ? [] : await prepareUploads(upload.entry, messages, round, this.#context);
    await this.#together(round, others, ready, responses);
    if (upload !== undefined) {
      this.#uploaded = ready.length > 0;
      responses.set(upload.key, messages.response());
    }
    return {
      ...(responses.size === 0 ? {} : { inputResponses: Object.fromEntries(responses) }),
      ...(required.requestState === undefined ? {} : { requestState: required.requestState }),
    };
  }

  /** The host's answers beside the uploads; whichever fails first stops the rest, and everything is waited for. */
  async #together(
    round: UploadRound,
    others: readonly InputRequest[],
    ready: Parameters<typeof runUploads>[0],
    responses: Map<string, unknown>,
  ): Promise<void> {
    const linked = linkSignals(round.signal);
    let first: { error: unknown } | undefined;
    const guard = async (task: Promise<void>): Promise<void> => {
      try {
        await task;
      } catch (error) {
        first ??= { error };
        linked.abort(error);
      }
    };
    try {
      const uploads = runUploads(ready, { ...round, signal: linked.signal }, this.#context);
      await Promise.all([guard(uploads), guard(this.#askHost(others, round, linked.signal, responses))]);
    } finally {
      linked.release();
    }
    if (first !== undefined) throw first.error;
  }

  async #askHost(
    others: readonly InputRequest[],
    { tool, resource }: UploadRound,
    signal: AbortSignal,
    responses: Map<string, unknown>,
  ): Promise<void> {
    const { onInputRequest } = this.#context.hooks;
    const asker = resource === undefined ? { tool } : { resource };
    for (const { key, method, params } of others) {
      const failed = (cause?: Error): FilesError =>
        new FilesError('input_unsupported', `The host's onInputRequest gave no response to ${shownName(method)}.`, {
          details: { method: shownName(method) },
          ...(cause === undefined ? {} : { cause }),
        });
      const response = await askHost(
        signal,
        () => onInputRequest?.({ key, method, params }, { ...asker, signal }),
        failed,
      );
      if (!isJson(response)) throw failed();
      responses.set(key, response);
    }
  }
}

/** The messages of the dialect that the files of this call wait in; of any, where none does. */
function roundMessages({ plan }: UploadRound, { dialects }: CallContext) {
  const used = [...plan.ways.values()].find(({ dialect }) => dialect.round)?.dialect.round;
  const messages = used ?? dialects.find(({ round }) => round)?.round;
  return { messages: messages as RoundMessages, isPossible: used !== undefined };
}

/** A response that cannot be sent would look like a request without an answer. */
function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}
