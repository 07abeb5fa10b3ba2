import { shownName } from '../errors/index.js';
import type { DownloadTarget } from '../protocol/index.js';
import { type DownloadRequest, download } from '../transfer/download.js';
import { downloadFailed } from '../transfer/download-failure.js';
import { checkTarget, type TargetContext } from '../transfer/target-policy.js';
import type { CallContext } from './context.js';
import { askCredentials } from './credentials.js';
import type { ExpectedFile, FileContent } from './fetch-file.js';
import { loggedContent } from './logged-content.js';

/** A target that may be used, with the host's credential where it asks for one. */
export type UsableTarget = Pick<DownloadRequest, 'target' | 'credentialHeaders' | 'checkRedirect'>;

/** What a link on the web is worth as a target: no header, and never a credential. */
export function webTarget(url: string): DownloadTarget {
  return { url, headers: [], credentials: 'omit' };
}

/** Throws `target_refused`, `aborted`. */
export async function checkedTarget(
  given: DownloadTarget,
  { name, tool, pointer }: ExpectedFile,
  signal: AbortSignal,
  context: CallContext,
): Promise<UsableTarget> {
  const targetContext: TargetContext = { ...context.targetContext, direction: 'download' };
  const target = checkTarget({ ...given, method: 'GET' }, targetContext);
  const shown = `the file "${shownName(name)}"`;
  const of = { ...(tool !== undefined && { tool }), ...(pointer !== undefined && { pointer }) };
  return {
    target,
    credentialHeaders: await askCredentials(target, { direction: 'download', shown, signal, ...of }, context.hooks),
    checkRedirect: url => checkTarget({ ...webTarget(url), method: 'GET' }, targetContext),
  };
}

/** The content of a file from its target, as `download` gives it. */
export function targetContent(usable: UsableTarget, expected: ExpectedFile, context: CallContext): FileContent {
  const { engine, timeouts, log } = context;
  return async function* (signal, progress) {
    progress?.phase('downloading');
    const request: DownloadRequest = {
      ...expected,
      ...usable,
      timeouts,
      signal,
      onSize: size => progress?.measure('', size),
      onReceived: received => progress?.sent('', received),
    };
    const loaded = await engine().catch(cause => {
      throw downloadFailed(request, 'engine_failed', { cause });
    });
    const way = { via: 'target' as const, origin: usable.target.origin };
    yield* loggedContent(download(loaded, request), expected, way, log);
  };
}
