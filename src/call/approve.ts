import { FilesError, safeCause } from '../errors/index.js';
import type { HostHooks } from './context.js';
import { orAborted } from './signals.js';
import type { PlannedTransfer } from './types.js';

/** Asks the host about each file, in order and one at a time; a no or a throw ends the call. */
export async function askApproval(
  approve: HostHooks['approve'],
  transfers: Iterable<PlannedTransfer>,
  signal: AbortSignal,
): Promise<void> {
  if (approve === undefined) return;
  for (const transfer of transfers) {
    const { pointer, name } = transfer;
    let answer: boolean;
    try {
      answer = await orAborted(signal, () => approve(Object.freeze({ ...transfer }), { signal }));
    } catch (error) {
      if (error instanceof FilesError && error.code === 'aborted') throw error;
      throw new FilesError('approval_denied', `The host's approval of "${name}" at "${pointer}" failed.`, {
        pointer,
        cause: safeCause(error),
      });
    }
    if (answer !== true) {
      throw new FilesError('approval_denied', `The host did not approve sending "${name}" at "${pointer}".`, {
        pointer,
      });
    }
  }
}
