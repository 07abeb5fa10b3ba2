import { FilesError, shownUrl } from '../errors/index.js';
import type { HostHooks } from './context.js';
import { askHost } from './hook.js';
import type { PlannedTransfer } from './types.js';

/** Asks the host about each file, in order and one at a time; a no or a throw ends the call. */
export async function askApproval(
  approve: NonNullable<HostHooks['approve']>,
  transfers: Iterable<PlannedTransfer>,
  signal: AbortSignal,
): Promise<void> {
  for (const transfer of transfers) {
    const { pointer, name, server } = transfer;
    // Addresses with an access key in the query are in use; whoever is asked has no need of it.
    const asked = Object.freeze({ ...transfer, ...(server !== undefined && { server: shownUrl(server) }) });
    const denied = (rule: string, cause?: Error): FilesError =>
      new FilesError('approval_denied', `The host ${rule} sending "${name}" at "${pointer}".`, {
        pointer,
        ...(cause === undefined ? {} : { cause }),
      });
    const answer = await askHost(
      signal,
      () => approve(asked, { signal }),
      cause => denied('failed to approve', cause),
    );
    if (answer !== true) throw denied('did not approve');
  }
}
