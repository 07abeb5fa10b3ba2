import type { CallContext } from '../call/context.js';
import { FilesError } from '../errors/index.js';
import { allOf } from '../source/index.js';
import { download } from '../transfer/download.js';
import { checkTarget, type TargetContext } from '../transfer/target-policy.js';
import { shownUri } from './server-error.js';
import type { ResourceContent } from './types.js';

/** What is fetched stands in memory, and nobody said how large it is. */
const DEFAULT_MOST_BYTES = 128 * 1024 * 1024;

/**
 * An `https:` resource from the web, as a download without any credential: judged by `policy`, redirects too. Its type is
 * left to the list it came from: the server of the page is not the one that offered the resource.
 */
export async function fetchHttps(
  uri: string,
  maxBytes: number | undefined,
  { engine, limit, targetContext, timeouts, log }: CallContext,
  signal: AbortSignal,
): Promise<ResourceContent> {
  const context: TargetContext = { ...targetContext, direction: 'download' };
  const check = (url: string) => checkTarget({ url, method: 'GET', headers: [], credentials: 'omit' }, context);
  const target = check(uri);
  const { origin } = target;
  log?.({ type: 'download_started', origin });
  const request = {
    name: shownUri(uri),
    target,
    credentialHeaders: [],
    maxBytes: maxBytes ?? DEFAULT_MOST_BYTES,
    signal,
    timeouts,
    checkRedirect: check,
    onSize: () => {},
    onReceived: () => {},
  };
  const bytes = await limit(signal, async () => {
    const loaded = await engine().catch(cause => {
      throw new FilesError('download_failed', `The resource ${shownUri(uri)} could not be fetched.`, {
        details: { reason: 'engine_failed', origin },
        cause,
      });
    });
    return await allOf(download(loaded, request));
  });
  log?.({ type: 'download_done', origin, bytes: bytes.byteLength });
  return { uri, bytes };
}
