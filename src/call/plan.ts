import { FilesError } from '../errors/index.js';

/** One file as the plan sees it. */
interface FileToPlan {
  readonly pointer: string;
  /** Exact decoded size in bytes. */
  readonly size: number;
  /** It may travel in the arguments. */
  readonly inline: boolean;
  /** It may travel beside them; `maybe`: the tool does not say so, and the server may turn out not to. */
  readonly outOfBand: boolean | 'maybe';
  /** Its inline data counts against the server's `maxInlineBytes`. */
  readonly isFileObject: boolean;
}

/** What the decision rests on. All sizes in decoded bytes. */
export interface PlanInput {
  readonly files: readonly FileToPlan[];
  /** The server's `maxInlineBytes`; absent where it named none. 0: nothing may be inline. */
  readonly maxInlineBytes: number | undefined;
  /** The host's own cap on the inline data of one call. */
  readonly inlineLimit: number;
  /** The same for files that know no other way. */
  readonly onlyWayLimit: number;
  /** The server has refused this call's inline data: everything goes out of band now. */
  readonly inlineRefused: boolean;
}

export interface PlannedWay {
  readonly pointer: string;
  readonly way: 'inline' | 'out_of_band' | 'empty';
  readonly reason: string;
}

/** How the files of one call travel. */
export interface TransferPlan {
  readonly ways: readonly PlannedWay[];
  /** Empty file objects carry `data: ''`; not where the server takes nothing inline. */
  readonly emptyData: boolean;
}

/**
 * Inline or out of band: all files that can do both together, since a retry repeats the arguments and would send inline
 * data of a mixed call twice. Files that only go inline do so, as long as they fit. Empty files have no bytes to move and
 * need no target, save where nothing else is taken.
 *
 * Throws `file_too_large` for a file that has no way left.
 */
export function planTransfers(input: PlanInput): TransferPlan {
  const { files, maxInlineBytes, inlineLimit, onlyWayLimit, inlineRefused } = input;
  const mayBeInline = files.filter(file => file.inline);
  const fixed = mayBeInline.filter(file => file.outOfBand !== true);
  const decision = inlineRefused
    ? { inline: false, reason: 'the server refused the inline data of this call' }
    : decide(mayBeInline, maxInlineBytes, inlineLimit);
  const fixedFits = !inlineRefused && sizeOf(fixed) <= onlyWayLimit;
  const stuck = fixedFits ? [] : fixed.filter(file => file.outOfBand === false && file.size > 0);
  if (stuck.length > 0 && (inlineRefused || sizeOf(stuck) > onlyWayLimit)) throw noWayLeft(stuck, input);

  const wayOf = (file: FileToPlan): PlannedWay => {
    const { pointer, size } = file;
    if (size === 0 && file.inline) return { pointer, way: 'empty', reason: 'an empty file has nothing to send' };
    if (!file.inline) return { pointer, way: 'out_of_band', reason: 'its argument takes nothing inline' };
    if (file.outOfBand === true)
      return { pointer, way: decision.inline ? 'inline' : 'out_of_band', reason: decision.reason };
    if (file.outOfBand === false || fixedFits) {
      return { pointer, way: 'inline', reason: `within the limit of ${onlyWayLimit} bytes for what goes inline only` };
    }
    const over = `the call's files are over the limit of ${onlyWayLimit} bytes for what goes inline`;
    return { pointer, way: 'out_of_band', reason: inlineRefused ? decision.reason : over };
  };
  return { ways: files.map(wayOf), emptyData: Math.min(maxInlineBytes ?? Number.POSITIVE_INFINITY, inlineLimit) > 0 };
}

/** Both limits have to hold: the server's counts file objects, the host's everything. */
function decide(files: readonly FileToPlan[], maxInlineBytes: number | undefined, inlineLimit: number) {
  const own = { whose: 'inlineLimit', limit: inlineLimit, bytes: sizeOf(files) };
  const objects = maxInlineBytes === undefined ? [] : files.filter(file => file.isFileObject);
  if (maxInlineBytes === undefined || objects.length === 0) return within(own);
  const servers = { whose: "the server's maxInlineBytes", limit: maxInlineBytes, bytes: sizeOf(objects) };
  // The narrower one is the one to name.
  const [first, second] = servers.limit <= own.limit ? [within(servers), within(own)] : [within(own), within(servers)];
  return first.inline && !second.inline ? second : first;
}

function within({ whose, limit, bytes }: { whose: string; limit: number; bytes: number }) {
  if (limit === 0) return { inline: false, reason: `nothing may be inline: ${whose} is 0` };
  const inline = bytes <= limit;
  const relation = inline ? 'within' : 'over';
  return { inline, reason: `the call's files are ${bytes} bytes together, ${relation} ${whose} of ${limit}` };
}

function noWayLeft(stuck: readonly FileToPlan[], { inlineRefused, onlyWayLimit }: PlanInput): FilesError {
  const size = sizeOf(stuck);
  const { pointer } = stuck.reduce((largest, file) => (file.size > largest.size ? file : largest));
  if (inlineRefused) {
    const message = `The server refused the request as too large, and the file at "${pointer}" has no other way.`;
    return new FilesError('file_too_large', message, { pointer, details: { limit: 'transport', size } });
  }
  const what = stuck.length === 1 ? `The file at "${pointer}" has` : `The files that go inline only have together`;
  return new FilesError(
    'file_too_large',
    `${what} ${size} bytes; at most ${onlyWayLimit} go inside the call (inlineLimit), and there is no other way.`,
    { pointer, details: { limit: 'inline', size, maxSize: onlyWayLimit } },
  );
}

function sizeOf(files: readonly FileToPlan[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

const MIB = 1024 * 1024;

/** Both SDKs close a stdio connection at a line of 10 MiB; 7 MiB of file is 9.4 MiB of base64. */
const STDIO_INLINE_CAP = 7 * MIB;

/**
 * The host's cap on inline bytes where it set none. A server that names `maxInlineBytes` has thought about size, and one
 * that takes a file no other way has to take it; any other may sit behind a stock 100 KB body parser, which 64 KiB of file
 * as base64 stays under.
 */
export function effectiveInlineLimit(
  hostLimit: number | undefined,
  maxInlineBytes: number | undefined,
  stdio: boolean,
  onlyWay = false,
): number {
  const limit = hostLimit ?? (maxInlineBytes === undefined && !onlyWay ? MIB / 16 : MIB);
  return stdio ? Math.min(limit, STDIO_INLINE_CAP) : limit;
}
