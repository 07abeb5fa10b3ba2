import { FilesError } from '../errors/index.js';
import { type DialectFacts, type FileOption, type FileOptions, optionsOf } from '../protocol/index.js';
import type { CallContext } from './context.js';
import { effectiveInlineLimit, type PlannedWay, planTransfers } from './plan.js';
import type { PreparedFile } from './prepare.js';

/** How one file travels: the way, and the dialect and route that it takes. */
export interface ChosenWay extends Pick<PlannedWay, 'way' | 'reason'>, FileOption {}

/** How the files of one call travel. */
export interface Plan {
  readonly ways: ReadonlyMap<string, ChosenWay>;
  /** Some file waits for a target that the call asks for, so the first request cannot run the tool. */
  readonly outOfBand: boolean;
  /** Some file goes somewhere before the call is sent. */
  readonly ahead: boolean;
  /** Bytes of files in the arguments. */
  readonly inlineBytes: number;
  /** Something that goes inline could go another way. */
  readonly canReroute: boolean;
  readonly emptyData: boolean;
}

/** Of a request that carries no file. */
export const NO_FILES: Plan = {
  ways: new Map(),
  outOfBand: false,
  ahead: false,
  inlineBytes: 0,
  canReroute: false,
  emptyData: false,
};

interface Choice {
  readonly facts: DialectFacts;
  readonly inlineRefused: boolean;
}

/**
 * Chooses dialect and way of every file: the table of precedence says what is possible, the plan what is best. Throws
 * `extension_unsupported` where nothing is possible, `file_too_large`.
 */
export function chooseWays(
  files: readonly PreparedFile[],
  { facts, inlineRefused }: Choice,
  context: CallContext,
): Plan {
  const options = files.map(file => possible(file, facts, context));
  const { maxInlineBytes } = facts.server;
  const otherWay = options.some(({ inline, outOfBand }) => inline && outOfBand?.declared);
  const limit = (onlyWay: boolean): number =>
    effectiveInlineLimit(context.inlineLimit, maxInlineBytes, context.port.stdio, onlyWay);
  const { ways, emptyData } = planTransfers({
    files: files.map(({ pointer, file }, index) => {
      const { inline, outOfBand } = options[index]!;
      return {
        pointer,
        size: file.size,
        inline: inline !== undefined,
        outOfBand: outOfBand !== undefined && (outOfBand.declared || 'maybe'),
        isFileObject: inline?.dialect.name === 'extension',
      };
    }),
    maxInlineBytes,
    inlineLimit: limit(!otherWay),
    onlyWayLimit: limit(true),
    inlineRefused,
  });
  const chosen = new Map<string, ChosenWay>();
  let waits = false;
  let ahead = false;
  let inlineBytes = 0;
  let canReroute = false;
  files.forEach((file, index) => {
    const { inline, outOfBand } = options[index]!;
    const { way, reason } = ways[index]!;
    const option = (way === 'out_of_band' ? outOfBand : inline)!;
    const { dialect, declaration, route, declared } = option;
    const reasons = `${why(option, file)}; ${reason}`;
    chosen.set(file.pointer, { dialect, declaration, route, declared, way, reason: reasons });
    if (way === 'out_of_band') {
      if (route === 'round') waits = true;
      else ahead = true;
    } else if (way === 'inline') {
      inlineBytes += file.file.size;
      canReroute ||= outOfBand !== undefined;
    }
  });
  return { ways: chosen, outOfBand: waits, ahead, inlineBytes, canReroute, emptyData };
}

function possible(
  { pointer, declarations }: PreparedFile,
  facts: DialectFacts,
  { dialects }: CallContext,
): FileOptions {
  const options = optionsOf(declarations, facts, dialects);
  if (options.inline || options.outOfBand) return options;
  const [{ dialect }] = declarations as [(typeof declarations)[0]];
  const { lookedFor } = options;
  throw new FilesError(
    'extension_unsupported',
    `Nothing that the argument at "${pointer}" could be sent by is there. Looked for: ${lookedFor.map(needed).join(', ')}.`,
    { pointer, details: { dialect, lookedFor, advertised: facts.server.advertised } },
  );
}

function needed(what: string): string {
  if (what === 'extension')
    return 'the files extension (io.modelcontextprotocol/files) among the capabilities of the server';
  if (what === 'publish') return "the host's publish (for openai/fileParams)";
  return `${what} on the server`;
}

function why({ dialect }: FileOption, { described, undeclared }: PreparedFile): string {
  if (undeclared) return 'no tool declares a file there, and the host has handles and names resolved all the same';
  return described ? `the host described the argument as ${dialect.name}` : dialect.reason;
}
