/** One file as the plan sees it. */
interface FileToPlan {
  readonly pointer: string;
  /** Exact decoded size in bytes. */
  readonly size: number;
}

/** What the decision rests on. All sizes in decoded bytes. */
export interface PlanInput {
  readonly files: readonly FileToPlan[];
  /** The server's `maxInlineBytes`; absent where it named none. 0: nothing may be inline. */
  readonly maxInlineBytes: number | undefined;
  /** The host's own cap on the inline data of one call. */
  readonly inlineLimit: number;
  /** The server has refused this call's inline data: everything goes out of band now. */
  readonly inlineRefused: boolean;
}

interface PlannedWay {
  readonly pointer: string;
  readonly way: 'inline' | 'out_of_band' | 'empty';
  readonly reason: string;
}

/** How the files of one call travel. */
export interface Plan {
  readonly ways: readonly PlannedWay[];
  /** Some file waits for a target, so the first request cannot run the tool. */
  readonly outOfBand: boolean;
  /** Empty files carry `data: ''`; not where the server takes nothing inline. */
  readonly emptyData: boolean;
}

/**
 * Inline or out of band: all files of a call together, since the retry repeats the arguments and would send inline data
 * of a mixed call twice. Empty files have no bytes to move and need no target.
 */
export function planTransfers(input: PlanInput): Plan {
  const { files, maxInlineBytes, inlineLimit, inlineRefused } = input;
  const limit = Math.min(maxInlineBytes ?? Number.POSITIVE_INFINITY, inlineLimit);
  const whose =
    maxInlineBytes !== undefined && maxInlineBytes <= inlineLimit ? "the server's maxInlineBytes" : 'inlineLimit';
  let total = 0;
  for (const file of files) total += file.size;

  const why = (): { inline: boolean; reason: string } => {
    if (inlineRefused) return { inline: false, reason: 'the server refused the inline data of this call' };
    if (limit === 0) return { inline: false, reason: `nothing may be inline: ${whose} is 0` };
    if (total > limit) {
      return { inline: false, reason: `the call's files are ${total} bytes together, over ${whose} of ${limit}` };
    }
    return { inline: true, reason: `the call's files are ${total} bytes together, within ${whose} of ${limit}` };
  };
  const { inline, reason } = why();

  return {
    ways: files.map(({ pointer, size }) =>
      size === 0
        ? { pointer, way: 'empty', reason: 'an empty file has nothing to send' }
        : { pointer, way: inline ? 'inline' : 'out_of_band', reason },
    ),
    outOfBand: !inline && total > 0,
    emptyData: limit > 0,
  };
}

const MIB = 1024 * 1024;

/** Both SDKs close a stdio connection at a line of 10 MiB; 7 MiB of file is 9.4 MiB of base64. */
const STDIO_INLINE_CAP = 7 * MIB;

/**
 * The host's cap on inline bytes where it set none. A server that names `maxInlineBytes` has thought about size; one that
 * does not may sit behind a stock 100 KB body parser, which 64 KiB of file as base64 stays under.
 */
export function effectiveInlineLimit(
  hostLimit: number | undefined,
  maxInlineBytes: number | undefined,
  stdio: boolean,
): number {
  const limit = hostLimit ?? (maxInlineBytes === undefined ? MIB / 16 : MIB);
  return stdio ? Math.min(limit, STDIO_INLINE_CAP) : limit;
}
