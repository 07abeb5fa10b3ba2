import { FilesError, type Outcome, type TransferReport } from '../errors/index.js';

/** Where a call stands: the one place that `outcome` is derived from, and what had arrived so far. */
export class CallPhase {
  readonly transfers: TransferReport[] = [];
  #outcome: Outcome = 'not_run';
  readonly #tool: string;

  constructor(tool: string) {
    this.#tool = tool;
  }

  get outcome(): Outcome {
    return this.#outcome;
  }

  /** A request goes out in which every file is present: from here on the tool may have run. */
  toolMayRun(): void {
    this.#outcome = 'unknown';
  }

  /** The server refused the message itself, before any tool. */
  toolDidNotRun(): void {
    this.#outcome = 'not_run';
  }

  /** The tool's result was read. */
  toolCompleted(): void {
    this.#outcome = 'completed';
  }

  /** An error of this library with the call's state; anything else (the SDK's own errors) stays as it is. */
  explain(error: unknown): unknown {
    if (!(error instanceof FilesError)) return error;
    return error.with({ outcome: this.#outcome, tool: this.#tool, transfers: [...this.transfers] });
  }
}
