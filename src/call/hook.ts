import { abortedError, type FilesError, orAborted, safeCause, throwIfAborted } from '../errors/index.js';

/**
 * Asks a hook of the host, no longer than the signal allows. What the hook throws is not shown
 * (docs/decisions/0002): `failed` makes the error of the call from its class and code.
 */
export async function askHost<T>(
  signal: AbortSignal,
  hook: () => T | Promise<T>,
  failed: (cause: Error) => FilesError,
): Promise<T> {
  throwIfAborted(signal);
  try {
    return await orAborted((async () => hook())(), signal);
  } catch (error) {
    throw signal.aborted ? abortedError(signal) : failed(safeCause(error));
  }
}
