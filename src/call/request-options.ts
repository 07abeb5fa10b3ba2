import { FilesError } from '../errors/index.js';

/** What every operation may be given by the host. */
export interface RequestOptionsGiven {
  readonly signal?: AbortSignal | undefined;
  readonly timeout?: number | undefined;
}

/**
 * Throws `argument_invalid` before anything is sent: a timer fires at once for a time-out of less than a millisecond or more
 * than 2 ** 31 - 1, when the server has the request already.
 */
export function checkRequestOptions({ signal, timeout }: RequestOptionsGiven): void {
  if (signal !== undefined && typeof (signal as Partial<AbortSignal> | null)?.addEventListener !== 'function') {
    throw new FilesError('argument_invalid', 'The option signal must be an AbortSignal.');
  }
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout >= 1 && timeout < 2 ** 31)) {
    throw new FilesError('argument_invalid', 'The option timeout must be milliseconds, from 1 to 2147483647.');
  }
}
