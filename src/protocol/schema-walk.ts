import { DECLARED, type FileKeyword, readKeyword, type SchemaNode } from './file-keyword.js';
import { isObject, listMember, member, objectMember } from './json.js';
import { arrayIndex } from './json-pointer.js';
import { FILE_KEYWORD } from './names.js';
import { SchemaRefs } from './schema-refs.js';
import { ANY_TYPE, ARRAY, MAX_BRANCHES, SchemaTypes } from './schema-types.js';
import type { Note } from './types.js';
import type { WorkBudget } from './work-budget.js';

/** Stands for any array index or map key; the literal key `*` is the string. */
export const ANY: unique symbol = Symbol('*');
export type Segment = string | typeof ANY;

/** A schema that applies at a place in the arguments. `sure`: in every case, and not only in one branch of several. */
export interface Seed {
  readonly node: SchemaNode;
  readonly sure: boolean;
}

export interface Applied extends Seed {
  /** The types that a value may have where it applies. */
  readonly types: number;
  readonly keyword: FileKeyword | undefined;
  /** It has the keyword, or stands in place of a schema that has it. */
  readonly marked: boolean;
}

/**
 * Moves through a JSON Schema by places in the instance: a place is the set of all schemas that apply there, through
 * `$ref`, `allOf`, `anyOf`, `oneOf`, `if` and so on. Each schema counts once per place, so branches that meet again cost
 * nothing; beyond a budget of steps the rest is left out, with a note, since a server may send any schema.
 */
export class SchemaWalk {
  readonly #note: Note;
  readonly #refs: SchemaRefs;
  readonly #types: SchemaTypes;
  readonly #inPlace = new Map<SchemaNode, readonly Seed[]>();
  readonly #required = new Map<SchemaNode, ReadonlySet<unknown>>();
  readonly #keywords = new Map<SchemaNode, FileKeyword | undefined>();
  readonly #budget: WorkBudget;
  #cut = false;

  constructor(root: unknown, note: Note, budget: WorkBudget) {
    this.#note = note;
    this.#budget = budget;
    this.#refs = new SchemaRefs(root, budget);
    this.#types = new SchemaTypes(this.#refs, budget);
  }

  /** Is the budget spent? Then nothing more is found. */
  isSpent(): boolean {
    if (this.#budget.exhausted) this.#sayCut();
    return this.#budget.exhausted;
  }

  /** Every schema that applies where these do, in the order of the document. */
  expand(seeds: readonly Seed[]): Applied[] {
    const found = new Map<SchemaNode, Applied>();
    const open = seeds.map(seed => ({ ...seed, types: ANY_TYPE, marked: false })).reverse();
    for (let next = open.pop(); next && this.#spend(1); next = open.pop()) {
      const { node, sure } = next;
      const known = found.get(node);
      if (known && (known.sure || !sure)) continue;
      const types = next.types & this.#types.of(node);
      const keyword = this.#keywordOf(node);
      const marked = next.marked || keyword !== undefined;
      found.set(node, { node, sure, types, keyword, marked });
      for (const part of this.#inPlaceOf(node)) open.push({ node: part.node, sure: sure && part.sure, types, marked });
    }
    return withTypesOfPlace([...found.values()]);
  }

  /** The schemas for one member, item, or any of them, below the place where `applied` apply. */
  step(applied: readonly Applied[], segment: Segment): Seed[] {
    return applied.flatMap(({ node, sure, types, keyword }) => {
      const patterns = Object.entries(objectMember(node, 'patternProperties') ?? {});
      if (!this.#spend(1 + patterns.length)) return [];
      const parts = [...membersOf(node, segment, patterns), ...itemsOf(node, segment)];
      // On an array the keyword is about its items: SEP-2356 declares lists of files that way.
      const onItems = keyword && types !== ANY_TYPE && (types & ARRAY) !== 0 && isItem(segment);
      if (onItems) parts.push({ node: { [DECLARED]: keyword }, sure: true });
      return parts.map(part => ({ node: part.node, sure: sure && part.sure }));
    });
  }

  /** Must it be present where what is above it is? A member by `required`, an item by `minItems`, a map key never. */
  requires(applied: readonly Applied[], segment: Segment): boolean {
    const index = segment === ANY ? undefined : arrayIndex(segment);
    // The items that `*` stands for come after those with a position of their own.
    const before = index ?? applied.reduce((most, { node }) => Math.max(most, prefixOf(node).length), 0);
    return applied.some(({ node, sure }) => {
      const minItems = isItem(segment) ? member(node, 'minItems') : undefined;
      return sure && (this.#requiredOf(node).has(segment) || (typeof minItems === 'number' && minItems > before));
    });
  }

  #requiredOf(node: SchemaNode): ReadonlySet<unknown> {
    const known = this.#required.get(node) ?? new Set(listMember(node, 'required'));
    this.#required.set(node, known);
    return known;
  }

  #keywordOf(node: SchemaNode): FileKeyword | undefined {
    if (node[DECLARED]) return node[DECLARED];
    if (!this.#keywords.has(node)) this.#keywords.set(node, readKeyword(member(node, FILE_KEYWORD), this.#note));
    return this.#keywords.get(node);
  }

  /** The last first, for a stack. */
  #inPlaceOf(node: SchemaNode): readonly Seed[] {
    const known = this.#inPlace.get(node);
    if (known) return known;
    const parts: Seed[] = [];
    const add = (part: unknown, sure: boolean) => {
      if (parts.length === MAX_BRANCHES) this.#sayCut();
      else if (isObject(part)) parts.push({ node: part, sure });
    };
    for (const keyword of ['$ref', '$dynamicRef']) add(this.#refs.resolve(member(node, keyword)), true);
    for (const part of listMember(node, 'allOf')) add(part, true);
    for (const keyword of ['anyOf', 'oneOf']) {
      const branches = listMember(node, keyword);
      for (const branch of branches) add(branch, branches.length === 1);
    }
    for (const keyword of ['if', 'then', 'else']) add(member(node, keyword), false);
    for (const keyword of ['dependentSchemas', 'dependencies']) {
      for (const part of Object.values(objectMember(node, keyword) ?? {})) add(part, false);
    }
    this.#inPlace.set(node, parts.reverse());
    return parts;
  }

  #spend(steps: number): boolean {
    this.#budget.spend(steps);
    return !this.isSpent();
  }

  #sayCut(): void {
    if (!this.#cut) this.#note('the input schema is too large: not all of it is looked at');
    this.#cut = true;
  }
}

/** What is sure narrows the types of all the rest; a keyword from elsewhere has no others than those of its place. */
function withTypesOfPlace(place: readonly Applied[]): Applied[] {
  const ofSchema = place.filter(applied => !applied.node[DECLARED]);
  const sure = ofSchema.filter(applied => applied.sure);
  const everywhere = sure.reduce((types, applied) => types & applied.types, ANY_TYPE);
  const somewhere = ofSchema.reduce((types, applied) => types | applied.types, 0) || ANY_TYPE;
  const ofPlace = sure.length > 0 ? everywhere : somewhere;
  return place.map(applied => ({ ...applied, types: applied.node[DECLARED] ? ofPlace : applied.types & everywhere }));
}

/** The list of schemas by position: of 2020-12, or `items` of the drafts before. */
export function prefixOf(node: SchemaNode): readonly unknown[] {
  return Array.isArray(member(node, 'items')) ? listMember(node, 'items') : listMember(node, 'prefixItems');
}

function isItem(segment: Segment): boolean {
  return segment === ANY || arrayIndex(segment) !== undefined;
}

function membersOf(node: SchemaNode, segment: Segment, patterns: readonly [string, unknown][]): Seed[] {
  const named = segment === ANY ? undefined : objectMember(node, 'properties');
  const matching = patterns.filter(([pattern]) => segment === ANY || mayMatch(pattern, segment));
  const isNamed = named !== undefined && Object.hasOwn(named, segment as string);
  const rest = isNamed ? [] : ['additionalProperties', 'unevaluatedProperties'].map(name => member(node, name));
  return [
    ...seeds(isNamed ? [named[segment as string]] : [], true),
    ...seeds(
      matching.map(([, schema]) => schema),
      false,
    ),
    ...seeds(rest, patterns.length === 0),
  ];
}

function itemsOf(node: SchemaNode, segment: Segment): Seed[] {
  if (!isItem(segment)) return [];
  const prefix = prefixOf(node);
  const index = segment === ANY ? undefined : arrayIndex(segment);
  const contained = seeds([member(node, 'contains')], false);
  if (index !== undefined && index < prefix.length) return [...seeds([prefix[index]], true), ...contained];
  return [
    ...seeds(
      ['items', 'additionalItems', 'unevaluatedItems'].map(name => member(node, name)),
      true,
    ),
    ...contained,
  ];
}

function seeds(parts: readonly unknown[], sure: boolean): Seed[] {
  return parts.filter(isObject).map(node => ({ node, sure }));
}

/**
 * Could this pattern match the key? Only literal patterns are told apart. A server's regular expression is not run: one
 * that backtracks without end would stop the host, and a wrong yes only means that the server decides.
 */
function mayMatch(pattern: string, key: string): boolean {
  if (pattern.length > 100 || key.length > 1000) return true;
  const literal = /^(\^?)([\w -]*)(\$?)$/.exec(pattern);
  if (!literal) return true;
  const [, start, text = '', end] = literal;
  if (start && end) return key === text;
  if (start) return key.startsWith(text);
  return end ? key.endsWith(text) : key.includes(text);
}
