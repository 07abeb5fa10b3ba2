/** What the process ends with. Scripts act on these, so they never change meaning. */
export const EXIT = {
  ok: 0,
  /** The tool ran and its result says `isError`. */
  toolError: 1,
  /** The command line itself is wrong; nothing was sent. */
  usage: 2,
  /** The tool was not run: also a server that cannot be reached and a file that cannot be read. */
  notRun: 3,
  /** A request that could run the tool was sent and no result was read: look before trying again. */
  unknown: 4,
  /** The tool ran; something after it failed (saving a returned file, verification). */
  afterwards: 5,
  /** Ctrl-C before anything could run; 128 + SIGINT, as shells count. */
  interrupted: 130,
} as const;

export type Outcome = 'not_run' | 'unknown' | 'completed';

/** The command line cannot be understood: exit code 2. */
export class UsageError extends Error {
  readonly code = 'usage';
  readonly outcome = 'not_run';
}

/** The command stops for a reason that is not the library's: the server is out of reach, or answered with an error. */
export class CommandError extends Error {
  readonly code: string | number;
  readonly outcome: Outcome;

  constructor(code: string | number, message: string, outcome: Outcome = 'not_run') {
    super(message);
    this.code = code;
    this.outcome = outcome;
  }
}

/** The exit code for a failure, by what is known about the tool. */
export function exitCodeOf(failure: { code: unknown; outcome: Outcome }): number {
  if (failure.code === 'usage') return EXIT.usage;
  if (failure.outcome === 'unknown') return EXIT.unknown;
  if (failure.outcome === 'completed') return EXIT.afterwards;
  return failure.code === 'aborted' ? EXIT.interrupted : EXIT.notRun;
}
