import { isFilesError, type LogEvent } from '../index.js';
import { clientOptions, withServer } from './connect.js';
import { UsageError } from './exit-code.js';
import type { Io } from './io.js';
import { describeEvent } from './result-text.js';
import { checkFile, checkFolder, type ReturnedFile, type Save, type SaveFlags, takeFiles } from './save.js';
import type { ServerAccess, ServerFlags } from './server-flags.js';
import { printableLine } from './text.js';

export interface DownloadFlags extends ServerFlags, SaveFlags {
  readonly to?: string;
  readonly maxBytes?: string;
}

/** `mcp-files download`: files that a server has under a URI, with no tool called. */
export async function downloadFiles(
  io: Io,
  access: ServerAccess,
  uris: readonly string[],
  flags: DownloadFlags,
  report: { files: ReturnedFile[] },
): Promise<void> {
  const { to, out = '.' } = flags;
  if (uris.length === 0) throw new UsageError('Missing: the URI of a file.');
  if (to !== undefined && flags.out !== undefined) throw new UsageError('Either --to or --out.');
  if (to !== undefined && uris.length > 1) throw new UsageError('--to takes one file; several go with --out.');
  const wrong = uris.find(uri => !/^[a-z\d][a-z\d+.-]+:./i.test(uri));
  if (wrong !== undefined) throw new UsageError(`"${printableLine(wrong)}" is no URI.`);
  const limit = maxBytesOf(flags);
  await (to === undefined ? checkFolder('--out', out, true) : checkFile('--to', to));
  const options = { ...clientOptions(io, access, flags), ...(flags.verbose && { logger: shownBy(io) }) };
  await withServer(io, access, options, async ({ files: client }) => {
    const save: Save = async (file, { dir, ...how }) => {
      try {
        return await client.download(file, { ...how, ...limit, ...(to === undefined ? { dir } : { to }) });
      } catch (error) {
        // No tool has run before this.
        throw isFilesError(error) ? error.with({ outcome: 'not_run' }) : error;
      }
    };
    await takeFiles(
      io,
      save,
      uris.map(uri => client.remoteFile(uri)),
      { ...flags, out },
      report,
    );
  });
}

function maxBytesOf({ maxBytes }: DownloadFlags): { maxBytes?: number } {
  if (maxBytes === undefined) return {};
  if (!/^\d{1,15}$/.test(maxBytes)) throw new UsageError('--max-bytes takes a number of bytes.');
  return { maxBytes: Number(maxBytes) };
}

function shownBy(io: Io): (event: LogEvent) => void {
  return event => void io.err.write(`${describeEvent(event)}\n`);
}
