import { type DeclaredFile, declaredFile } from '../protocol/file-declarations.js';
import { DECLARED, type SchemaNode } from '../protocol/file-keyword.js';
import type { JsonObject } from '../protocol/index.js';
import { isObject, member, objectMember } from '../protocol/json.js';
import { FILE_KEYWORD } from '../protocol/names.js';
import { SchemaRefs } from '../protocol/schema-refs.js';
import { ANY_TYPE, ARRAY, NULL, SCALAR, STRING } from '../protocol/schema-types.js';
import { type Applied, SchemaWalk } from '../protocol/schema-walk.js';
import { WorkBudget } from '../protocol/work-budget.js';
import { guidance } from './guidance.js';
import { anyBelow, declaredBelow, deeper, nameFor, type Place, seedsOf, set, TOP, withString } from './mask-place.js';
import { ABOUT_THE_FILE, ABOUT_THE_LIST, NAMES, NO_PLACES } from './schema-keywords.js';

/** Steps for one schema: honest ones take some hundreds. */
const STEPS = 20_000;
const MAX_DEPTH = 128;

/**
 * The schema of a tool's arguments with a string for a handle wherever a file is declared. `declared` are the declarations
 * from outside the schema (`declarationsInMeta`).
 */
export function maskSchema(schema: JsonObject, declared: readonly SchemaNode[]): JsonObject {
  return new SchemaMask(schema).run(declared);
}

/** One reading of a schema. Nothing of the original is changed, and what needs no change is shared with it. */
class SchemaMask {
  readonly #schema: JsonObject;
  readonly #budget = new WorkBudget(STEPS);
  readonly #walk: SchemaWalk;
  readonly #refs: SchemaRefs;
  /** Where each schema that stayed in its place has come to. */
  readonly #kept = new Map<JsonObject, JsonObject>();
  readonly #references: { readonly holder: JsonObject; readonly keyword: string; readonly target: JsonObject }[] = [];

  constructor(schema: JsonObject) {
    this.#schema = schema;
    this.#walk = new SchemaWalk(schema, () => {}, this.#budget);
    this.#refs = new SchemaRefs(schema, this.#budget);
  }

  run(declared: readonly SchemaNode[]): JsonObject {
    // The whole of the arguments is no file, whatever it says of itself.
    const applied = this.#walk.expand(seedsOf(this.#schema, declared));
    const masked = this.#other(this.#schema, { ...TOP, declared }, applied);
    if (!member(this.#schema, FILE_KEYWORD) && declared.length === 0) this.#kept.set(this.#schema, masked);
    this.#addUnlisted(masked, declared, applied);
    this.#mendReferences(masked);
    return masked;
  }

  #mask(node: JsonObject, place: Place): JsonObject {
    if (place.depth > MAX_DEPTH || !this.#budget.spend(1)) return node;
    const applied = this.#walk.expand(seedsOf(node, place.declared));
    const certain = applied.filter(each => each.sure || each.node[DECLARED]);
    const file = declaredFile(certain);
    const ofItems = certain.find(each => each.keyword && each.types !== ANY_TYPE && each.types & ARRAY);
    const masked =
      file || ofItems ? this.#file(node, place, applied, file, ofItems) : this.#other(node, place, applied);
    if (!place.isCopy && place.declared.length === 0 && !place.takesHandle) this.#kept.set(node, masked);
    return masked;
  }

  /** A schema in whose place a handle goes, or a list of them. */
  #file(
    node: JsonObject,
    place: Place,
    applied: readonly Applied[],
    file: DeclaredFile | undefined,
    ofItems: Applied | undefined,
  ): JsonObject {
    const kinds = applied.reduce((types, each) => (each.sure ? types & each.types : types), ANY_TYPE);
    const isOpen = kinds === ANY_TYPE;
    const types = [
      ...(file ? ['string'] : []),
      ...(!isOpen && kinds & ARRAY ? ['array'] : []),
      ...(!isOpen && kinds & SCALAR ? ['number', 'boolean'] : []),
      ...(!isOpen && kinds & NULL ? ['null'] : []),
    ];
    const masked: JsonObject = { type: types.length === 1 ? types[0] : types };
    for (const [name, value] of Object.entries(node)) {
      const isKept = !ABOUT_THE_FILE.has(name) && !ABOUT_THE_LIST.has(name) && name !== FILE_KEYWORD;
      if (isKept && !(place.isCopy && NAMES.has(name))) set(masked, name, this.#below(name, value, place, false));
    }
    const described = applied.find(each => each.sure && typeof each.node.description === 'string');
    if (file) set(masked, 'description', guidance(described?.node.description, file));
    if (types.includes('array')) {
      const declared = ofItems?.keyword ? [{ [DECLARED]: ofItems.keyword } as SchemaNode] : [];
      const items = { ...place, declared: [...place.declared.flatMap(anyBelow), ...declared] };
      for (const { node: list } of applied) {
        for (const [name, value] of Object.entries(list)) {
          if (!ABOUT_THE_LIST.has(name) || Object.hasOwn(masked, name)) continue;
          set(
            masked,
            name,
            this.#below(name, value, items, false, () => items.declared),
          );
        }
      }
      if (declared.length > 0 && !Object.hasOwn(masked, 'items')) set(masked, 'items', this.#mask({}, deeper(items)));
    }
    return masked;
  }

  /** A schema of anything else, with what is in it masked. */
  #other(node: JsonObject, place: Place, applied: readonly Applied[]): JsonObject {
    const certain = applied.filter(each => each.sure || each.node[DECLARED]);
    const takesHandle = place.takesHandle || (!declaredFile(certain) && declaredFile(applied) !== undefined);
    const masked: JsonObject = {};
    const copies: JsonObject[] = [];
    for (const [name, value] of Object.entries(node)) {
      if (name === FILE_KEYWORD || (place.isCopy && NAMES.has(name))) continue;
      if (name === 'type' && takesHandle && place.depth > 0) set(masked, name, withString(value));
      else if (name === '$ref' || name === '$dynamicRef') {
        const copy = this.#reference(name, value, masked, { ...place, takesHandle });
        if (copy) copies.push(copy);
        else set(masked, name, value);
      } else set(masked, name, this.#below(name, value, place, takesHandle));
    }
    this.#loosenOneOf(node, masked);
    // In place: a reference may still have to be mended in it.
    if (copies.length > 0) masked.allOf = [...(Array.isArray(masked.allOf) ? masked.allOf : []), ...copies];
    return masked;
  }

  /** What a reference names is copied to here where it means something else here than everywhere. */
  #reference(keyword: string, value: unknown, holder: JsonObject, place: Place): JsonObject | undefined {
    const target = this.#refs.resolve(value);
    if (!target) return undefined;
    const applied = place.takesHandle ? this.#walk.expand([{ node: target, sure: true }]) : [];
    const isInTheWay = applied.some(each => each.sure && !(each.types & STRING)) && !declaredFile(applied);
    if ((place.declared.length === 0 && !isInTheWay) || place.through.includes(target)) {
      this.#references.push({ holder, keyword, target });
      return undefined;
    }
    return this.#mask(target, { ...deeper(place), isCopy: true, through: [...place.through, target] });
  }

  /** The value of one keyword with the schemas in it masked. */
  #below(
    keyword: string,
    value: unknown,
    place: Place,
    takesHandle: boolean,
    declaredAt = (segment: string | undefined) => place.declared.flatMap(each => declaredBelow(each, segment)),
  ): unknown {
    const child = (segment: string | undefined): Place => ({
      ...deeper(place),
      declared: declaredAt(segment),
      takesHandle: false,
      through: [],
    });
    const here: Place = { ...deeper(place), takesHandle: false };
    const aside: Place = { ...TOP, isCopy: place.isCopy, depth: place.depth + 1 };
    const each = (placeOf: (name: string) => Place): unknown =>
      Array.isArray(value)
        ? value.map((part, at) => (isObject(part) ? this.#mask(part, placeOf(String(at))) : part))
        : isObject(value)
          ? Object.fromEntries(
              Object.entries(value).map(([name, part]) => [
                name,
                isObject(part) ? this.#mask(part, placeOf(name)) : part,
              ]),
            )
          : value;
    const one = (at: Place): unknown => (isObject(value) ? this.#mask(value, at) : value);
    switch (keyword) {
      case 'properties':
      case 'prefixItems':
        return each(child);
      case 'patternProperties':
        return each(() => child(undefined));
      case 'items':
        return Array.isArray(value) ? each(child) : one(child(undefined));
      case 'additionalProperties':
      case 'unevaluatedProperties':
      case 'additionalItems':
      case 'unevaluatedItems':
      case 'contains':
        return one(child(undefined));
      case 'allOf':
        return each(() => ({ ...here, takesHandle }));
      case 'anyOf':
      case 'oneOf':
      case 'dependentSchemas':
      case 'dependencies':
        return each(() => here);
      case 'if':
      case 'then':
      case 'else':
        return one(here);
      case '$defs':
      case 'definitions':
        return each(() => aside);
      default:
        // A keyword that nobody here knows may hold the schemas that a reference leads to.
        return NO_PLACES.has(keyword) || keyword === FILE_KEYWORD ? value : one(aside);
    }
  }

  /** Two branches that both take a string would exclude each other: one that is a file now, and one that was a string. */
  #loosenOneOf(node: JsonObject, masked: JsonObject): void {
    const [before, after] = [node.oneOf, masked.oneOf];
    if (!Array.isArray(before) || !Array.isArray(after)) return;
    const takes = before.map(branch => {
      const applied = isObject(branch) ? this.#walk.expand([{ node: branch, sure: true }]) : [];
      const types = applied.reduce((all, each) => (each.sure ? all & each.types : all), ANY_TYPE);
      return { file: declaredFile(applied) !== undefined, string: (types & STRING) !== 0 };
    });
    if (!takes.some(({ file }) => file) || takes.filter(({ file, string }) => file || string).length < 2) return;
    delete masked.oneOf;
    if (!Object.hasOwn(masked, 'anyOf')) masked.anyOf = after;
    else masked.allOf = [...(Array.isArray(masked.allOf) ? masked.allOf : []), { anyOf: after }];
  }

  /** Arguments that only `_meta` names get a schema, so that the model knows of them. */
  #addUnlisted(masked: JsonObject, declared: readonly SchemaNode[], applied: readonly Applied[]): void {
    for (const each of declared) {
      for (const [name, argument] of Object.entries(objectMember(each, 'properties') ?? {})) {
        const isListed = applied.some(({ node }) => {
          return !declared.includes(node) && Object.hasOwn(objectMember(node, 'properties') ?? {}, name);
        });
        if (isListed || !(argument as SchemaNode)[DECLARED]) continue;
        const listed = this.#mask({}, { ...TOP, declared: [argument as SchemaNode], depth: 1, isCopy: true });
        masked.properties = { ...objectMember(masked, 'properties'), [name]: listed };
      }
    }
  }

  /** A reference whose schema is not where it was, or not what it was, gets a copy of its own under `$defs`. */
  #mendReferences(masked: JsonObject): void {
    const moved = new Map<JsonObject, string>();
    const found = new SchemaRefs(masked, this.#budget);
    // It grows: a copy may hold references too.
    for (const { holder, keyword, target } of this.#references) {
      if (this.#budget.exhausted) return;
      const kept = this.#kept.get(target);
      if (kept !== undefined && found.resolve(holder[keyword]) === kept) continue;
      let name = moved.get(target);
      if (name === undefined) {
        const defs = objectMember(masked, '$defs') ?? {};
        name = nameFor(defs, moved.size + 1);
        moved.set(target, name);
        masked.$defs = { ...defs, [name]: this.#mask(target, { ...TOP, isCopy: true, depth: 1 }) };
      }
      holder[keyword] = `#/$defs/${name}`;
    }
  }
}
