import { isFilesError, TransferError } from '../errors/index.js';
import type { PublishedLink } from '../protocol/index.js';
import type { ChosenWay } from './choose-ways.js';
import type { CallContext } from './context.js';
import { askHost } from './hook.js';
import type { PreparedFile } from './prepare.js';
import { fileToPublish } from './publish-source.js';
import type { TransferRun } from './transfers.js';

/** Has the host publish one file, and reports it. Throws `transfer_failed`, reason `publish_failed`. */
export async function publishFile(
  { pointer, source, file }: PreparedFile,
  { dialect, reason }: ChosenWay,
  { callId, tool, phase, progress }: TransferRun,
  signal: AbortSignal,
  { hooks, log }: CallContext,
): Promise<PublishedLink> {
  const { publish } = hooks;
  const failed = (rule: string, cause?: Error) =>
    new TransferError(
      'transfer_failed',
      `The host's publish ${rule} for "${file.name}" at "${pointer}". The tool has not run.`,
      [{ pointer, reason: 'publish_failed' }],
      { pointer, ...(cause && { cause }) },
    );
  const { name, size } = file;
  log?.({ type: 'transfer_started', callId, pointer, size, route: 'publish' });
  const started = performance.now();
  const readable = fileToPublish(source, file, signal, bytes => progress.sent(pointer, bytes));
  try {
    const link = await askHost(
      signal,
      () => publish!(readable.source, { signal, tool, pointer }),
      cause => failed('failed', cause),
    );
    if (!isLink(link)) throw failed('returned no absolute http(s) URL and id');
    const milliseconds = Math.round(performance.now() - started);
    progress.confirm(pointer);
    phase.transfers.push({
      pointer,
      name,
      size,
      mode: 'link',
      dialect: dialect.name,
      reason,
      bytes: size,
      milliseconds,
    });
    log?.({ type: 'transfer_done', callId, pointer, bytes: size, milliseconds });
    return { url: link.url, id: link.id };
  } catch (error) {
    log?.({ type: 'transfer_failed', callId, pointer, code: isFilesError(error) ? error.code : 'transfer_failed' });
    throw error;
  } finally {
    await readable.close();
  }
}

/** The server fetches it, so nothing but an address that others can open is of use. */
function isLink(link: unknown): link is PublishedLink {
  if (typeof link !== 'object' || link === null) return false;
  const { url, id } = link as Partial<Record<keyof PublishedLink, unknown>>;
  if (typeof url !== 'string' || typeof id !== 'string' || id === '') return false;
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
