import { isWorthAnew } from '../transfer/download.js';
import { backOff } from '../transfer/resend.js';

const MORE_TRIES = 2;

/**
 * Fetches a file for a reader that keeps nothing when it fails: one that broke off where it cannot be gone on with is
 * begun from the start, twice at most.
 */
export async function anew<T>(read: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await read();
    } catch (error) {
      if (tries === MORE_TRIES || !isWorthAnew(error)) throw error;
    }
    await backOff(tries, signal);
  }
}
