import {
  ANY,
  FilesError,
  FUNCTION,
  OBJECT,
  type Rule,
  type Rules,
  shownName,
  unknownNames,
  wrongKind,
} from '../errors/index.js';
import type { CallContext } from './context.js';
import type { CallOptions } from './types.js';

export const SIGNAL: Rule = [
  value => typeof (value as Partial<AbortSignal> | null)?.addEventListener === 'function',
  'be an AbortSignal',
];

/** What every operation may be given by the host. */
export interface RequestOptionsGiven {
  readonly signal?: AbortSignal | undefined;
  readonly timeout?: number | undefined;
}

export const REQUEST_OPTIONS: Record<keyof RequestOptionsGiven, Rule> = {
  signal: SIGNAL,
  /** A timer fires at once for less than a millisecond or more than 2 ** 31 - 1, when the server has the request already. */
  timeout: [
    value => typeof value === 'number' && value >= 1 && value < 2 ** 31,
    'be milliseconds, from 1 to 2147483647',
  ],
};

export const CALL_OPTIONS: Record<keyof CallOptions, Rule> = {
  ...REQUEST_OPTIONS,
  onProgress: FUNCTION,
  resetTimeoutOnProgress: ANY,
  scope: ANY,
  tool: OBJECT,
};

/** Throws `argument_invalid` before anything is sent. */
export function checkRequestOptions(options: RequestOptionsGiven): void {
  const mistake = wrongKind('The option', options, CALL_OPTIONS);
  if (mistake !== undefined) throw new FilesError('argument_invalid', mistake);
}

/** An object of the host's own may have any number of members. */
const MOST_WARNINGS = 10;

/**
 * The options, or none where `null` is given for them. One that there is none of is let pass, since hosts spread objects of
 * their own, and named to the logger.
 */
export function givenFor<T extends object>(operation: string, options: T, rules: Rules, log: CallContext['log']): T {
  const unknown = log === undefined ? [] : unknownNames(options, rules);
  for (const name of unknown.slice(0, MOST_WARNINGS)) {
    log?.({ type: 'warning', message: `${operation} has no option "${shownName(name)}": it was ignored.` });
  }
  return options ?? {};
}
