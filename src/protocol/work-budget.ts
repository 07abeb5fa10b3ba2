/**
 * Steps of work that may be spent on schemas. A server may send any schema, and reading one does not give way to other
 * work of the host. What one reading may take can come out of what is left for several.
 */
export class WorkBudget {
  #left: number;
  readonly #shared: WorkBudget | undefined;

  constructor(steps: number, shared?: WorkBudget) {
    this.#left = steps;
    this.#shared = shared;
  }

  get exhausted(): boolean {
    return this.#left <= 0 || this.#shared?.exhausted === true;
  }

  /** Takes steps out; false when there are none left. */
  spend(steps: number): boolean {
    this.#left -= steps;
    this.#shared?.spend(steps);
    return !this.exhausted;
  }
}
