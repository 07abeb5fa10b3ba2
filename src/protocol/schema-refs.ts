import { isObject, member } from './json.js';
import { parsePointer, valueAtSegments } from './json-pointer.js';
import type { JsonObject } from './types.js';
import type { WorkBudget } from './work-budget.js';

const MAX_INDEXED = 10_000;
/** Values looked at for names in the time of one step of the walk. */
const INDEXED_PER_STEP = 10;

/** Finds what a `$ref` means inside its own document. Nothing is ever fetched. */
export class SchemaRefs {
  readonly #root: unknown;
  readonly #budget: WorkBudget;
  readonly #known = new Map<string, JsonObject | undefined>();
  #named: Map<string, JsonObject> | undefined;

  constructor(root: unknown, budget: WorkBudget) {
    this.#root = root;
    this.#budget = budget;
  }

  /** The schema that a reference names: `#`, `#/json/pointer`, `#anchor`, or an `$id` of the same document. */
  resolve(reference: unknown): JsonObject | undefined {
    if (typeof reference !== 'string') return undefined;
    if (!this.#known.has(reference)) this.#known.set(reference, this.#find(reference));
    return this.#known.get(reference);
  }

  #find(reference: string): JsonObject | undefined {
    const [id = '', ...rest] = reference.split('#');
    const fragment = decoded(rest.join('#'));
    if (fragment === undefined) return undefined;
    const segments = parsePointer(fragment);
    const document = id === '' ? this.#root : this.#byName(id);
    const found = segments ? valueAtSegments(document, segments) : this.#byName(`#${fragment}`);
    return isObject(found) ? found : undefined;
  }

  /** Schemas by `$id` as it is written and by anchor with `#` before it (draft-07 wrote an anchor as `$id: "#name"`). */
  #byName(name: string): JsonObject | undefined {
    this.#named ??= index(this.#root, this.#budget);
    return this.#named.get(name);
  }
}

function decoded(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

function index(root: unknown, budget: WorkBudget): Map<string, JsonObject> {
  const named = new Map<string, JsonObject>();
  const open: unknown[] = [root];
  for (let seen = 0; open.length > 0 && seen < MAX_INDEXED; seen++) {
    if (seen % INDEXED_PER_STEP === 0 && !budget.spend(1)) break;
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (isObject(value)) {
      const id = member(value, '$id');
      if (typeof id === 'string') named.set(id.replace(/#$/, ''), value);
      for (const keyword of ['$anchor', '$dynamicAnchor']) {
        const anchor = member(value, keyword);
        if (typeof anchor === 'string') named.set(`#${anchor}`, value);
      }
    }
    for (const child of Object.values(value)) open.push(child);
  }
  return named;
}
