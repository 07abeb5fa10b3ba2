import { FilesError, isFilesError } from '../errors/index.js';
import type { CheckedTarget, HeaderEntry } from '../transfer/target.js';
import { mergeCredentialHeaders } from '../transfer/target-policy.js';
import type { CredentialRequest, HostHooks } from './context.js';
import { askHost } from './hook.js';

/** What the request is for; `shown` names it in the message of a refusal. */
interface Purpose extends Pick<CredentialRequest, 'direction' | 'tool' | 'pointer' | 'signal'> {
  readonly shown: string;
}

/** The host's headers for an `include` target; never asked for an `omit` one. Throws `target_refused`. */
export async function askCredentials(
  target: CheckedTarget,
  { shown, signal, ...purpose }: Purpose,
  { credentials }: HostHooks,
): Promise<readonly HeaderEntry[]> {
  if (target.credentials === 'omit') return [];
  const at = purpose.pointer === undefined ? {} : { pointer: purpose.pointer };
  const refused = (cause?: Error): FilesError =>
    new FilesError('target_refused', `The host gave no credential for ${shown}.`, {
      ...at,
      details: { reason: 'credentials_scope' },
      ...(cause === undefined ? {} : { cause }),
    });
  const { method, via } = target;
  const url = target.origin + target.shownPath;
  const headers = await askHost(signal, () => credentials?.({ url, method, via, signal, ...purpose }), refused);
  if (headers === undefined) throw refused();
  try {
    return mergeCredentialHeaders(target, headers);
  } catch (error) {
    throw isFilesError(error) ? error.with(at) : error;
  }
}
