import { isObject, listMember, member } from './json.js';
import type { SchemaRefs } from './schema-refs.js';
import type { JsonObject } from './types.js';
import type { WorkBudget } from './work-budget.js';

/** JSON types as bits, so that schemas can be combined with `&` and `|`. */
export const OBJECT = 1;
export const STRING = 2;
export const ARRAY = 4;
export const SCALAR = 8;
export const NULL = 16;
export const ANY_TYPE = OBJECT | STRING | ARRAY | SCALAR | NULL;

const BITS: ReadonlyMap<unknown, number> = new Map([
  ['object', OBJECT],
  ['string', STRING],
  ['array', ARRAY],
  ['number', SCALAR],
  ['integer', SCALAR],
  ['boolean', SCALAR],
  ['null', NULL],
]);

// Where a schema names no type, these say for what type it was written.
const HINTS: readonly (readonly [number, readonly string[]])[] = [
  [OBJECT, ['properties', 'required', 'additionalProperties', 'patternProperties']],
  [ARRAY, ['items', 'prefixItems', 'minItems', 'maxItems']],
  [STRING, ['format', 'pattern', 'minLength', 'maxLength', 'contentEncoding', 'contentMediaType']],
];

const MAX_DEPTH = 64;
/** So many schemas are looked at that apply in place of one: more than a tool has, what a hostile one may cost. */
export const MAX_BRANCHES = 1000;

/** Which types a value may have by a schema and all that applies in its place. Each schema is worked out once. */
export class SchemaTypes {
  readonly #refs: SchemaRefs;
  readonly #budget: WorkBudget;
  readonly #known = new Map<JsonObject, number>();

  constructor(refs: SchemaRefs, budget: WorkBudget) {
    this.#refs = refs;
    this.#budget = budget;
  }

  of(node: JsonObject, depth = 0): number {
    const known = this.#known.get(node);
    if (known !== undefined) return known;
    if (depth > MAX_DEPTH || !this.#budget.spend(1)) return ANY_TYPE;
    // A schema that refers to itself in place adds nothing to what it says anyway.
    this.#known.set(node, ANY_TYPE);
    const ofPart = (part: unknown) => (isObject(part) ? this.of(part, depth + 1) : part === false ? 0 : ANY_TYPE);
    let types = ownTypes(node);
    for (const keyword of ['$ref', '$dynamicRef']) types &= ofPart(this.#refs.resolve(member(node, keyword)));
    for (const part of listMember(node, 'allOf').slice(0, MAX_BRANCHES)) types &= ofPart(part);
    for (const keyword of ['anyOf', 'oneOf']) {
      const parts = listMember(node, keyword);
      // Of a list that is not read to its end, any type may be among the rest.
      if (parts.length > 0 && parts.length <= MAX_BRANCHES)
        types &= parts.reduce((union: number, part) => union | ofPart(part), 0);
    }
    this.#known.set(node, types);
    return types;
  }
}

function ownTypes(node: JsonObject): number {
  const type = member(node, 'type');
  if (typeof type === 'string') return bitOf(type);
  if (Array.isArray(type)) return type.reduce((union, one) => union | bitOf(one), 0);
  if (Object.hasOwn(node, 'const')) return typeOfValue(node.const);
  const values = listMember(node, 'enum');
  if (values.length > 0) return values.reduce((union: number, value) => union | typeOfValue(value), 0);
  const hinted = HINTS.filter(([, keywords]) => keywords.some(keyword => Object.hasOwn(node, keyword)));
  return hinted.reduce((union, [bit]) => union | bit, 0) || ANY_TYPE;
}

/** A type that JSON Schema does not know (OpenAPI's `file`, `any`) restricts nothing. */
function bitOf(type: unknown): number {
  return BITS.get(type) ?? ANY_TYPE;
}

function typeOfValue(value: unknown): number {
  if (isObject(value)) return OBJECT;
  if (value === null) return NULL;
  return Array.isArray(value) ? ARRAY : typeof value === 'string' ? STRING : SCALAR;
}
