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
  const refused = (cause?: Error, what = `The host gave no credential for ${shown}.`): FilesError =>
    new FilesError('target_refused', what, {
      ...at,
      details: { reason: 'credentials_scope' },
      ...(cause === undefined ? {} : { cause }),
    });
  const { method, via } = target;
  const url = target.origin + target.shownPath;
  const headers = await askHost(
    signal,
    () => credentials?.({ url, method, via, signal, ...purpose }),
    cause => refused(cause),
  );
  if (headers === undefined || headers === null) throw refused();
  const given = recordOf(headers);
  if (given === undefined) {
    throw refused(
      undefined,
      `The hook credentials must give a plain object of header names and string values, or Headers, for ${shown}.`,
    );
  }
  try {
    return mergeCredentialHeaders(target, given);
  } catch (error) {
    throw isFilesError(error) ? error.with(at) : error;
  }
}

/** Hooks are code of the host, often without types. `undefined` where it is neither a record of strings nor Headers. */
function recordOf(headers: unknown): Readonly<Record<string, string>> | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined;
  try {
    // By tag: there are Headers of other makes, whose `instanceof` fails.
    if (Object.prototype.toString.call(headers) === '[object Headers]') return Object.fromEntries(headers as Headers);
    const prototype: unknown = Object.getPrototypeOf(headers);
    // A plain object of another realm ends one step further.
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return undefined;
    const entries = Object.entries(headers);
    return entries.every(([, value]) => typeof value === 'string') ? Object.fromEntries(entries) : undefined;
  } catch {
    return undefined;
  }
}
