import type { Dialect } from './dialect.js';
import { DIALECTS } from './dialects.js';
import { declaredFile, declaredFiles } from './file-declarations.js';
import { DECLARED, declarationsBeside, type SchemaNode } from './file-keyword.js';
import { objectMember } from './json.js';
import { arrayIndex, pointerOf, segmentsOf } from './json-pointer.js';
import { ANY, type Applied, prefixOf, SchemaWalk, type Seed, type Segment } from './schema-walk.js';
import type { FileArgument, FileDeclaration, Note, Tool } from './types.js';
import { WorkBudget } from './work-budget.js';

const MAX_DEPTH = 32;
const MAX_RESULTS = 1000;
/** Steps of one reading: honest schemas take some hundreds, and this many some hundredths of a second. */
const STEPS_PER_READING = 10_000;
const STEPS_PER_LIST = 200_000;

/** A place in the arguments that a listing has yet to look below. */
interface Place {
  readonly segments: readonly Segment[];
  /** The server's schemas that its `applied` came from. */
  readonly schemas: readonly SchemaNode[];
  readonly applied: readonly Applied[];
  readonly required: boolean;
  readonly above: Place | undefined;
}

/**
 * The file arguments that a tool declares, those nearest to the top first: `x-mcp-file` anywhere in the input schema
 * (nested objects, arrays, maps, local `$ref`, `anyOf` and its kin), and the declarations in the tool's `_meta`. Pure; a
 * remote `$ref` is never fetched.
 *
 * In a `pointer`, `*` stands for any array index or map key. A schema that contains itself is followed into itself once,
 * as it declares endlessly many. At most 1000 arguments, 32 levels deep, within a fixed amount of work.
 *
 * @param note Told what was ignored or cut.
 */
export function fileArguments(tool: Tool, note: Note = () => {}): FileArgument[] {
  return listed(tool, note, new WorkBudget(STEPS_PER_READING));
}

/** As {@link fileArguments}, for a list of tools, within an amount of work for all of them together as well. */
export function fileArgumentsOfAll(tools: readonly Tool[], note: Note = () => {}): FileArgument[][] {
  const shared = new WorkBudget(STEPS_PER_LIST);
  return tools.map(tool => listed(tool, note, new WorkBudget(STEPS_PER_READING, shared)));
}

function listed(tool: Tool, note: Note, budget: WorkBudget): FileArgument[] {
  const { walk, root } = open(tool, note, budget);
  const found: FileArgument[] = [];
  const places: Place[] = [
    { segments: [], schemas: schemasOf(root), applied: walk.expand(root), required: true, above: undefined },
  ];
  // Level by level, so that a schema too large to be read whole hides its depths and not its next argument.
  for (let next = 0; next < places.length; next++) {
    const above = places[next] as Place;
    for (const segment of segmentsBelow(above.applied)) {
      if (found.length === MAX_RESULTS) {
        note(`${MAX_RESULTS} file arguments found: no more are looked for`);
        return found;
      }
      if (walk.isSpent()) return found;
      const seeds = walk.step(above.applied, segment);
      const schemas = schemasOf(seeds);
      if (seeds.length === 0 || isInside(schemas, above)) continue;
      const applied = walk.expand(seeds);
      const segments: Segment[] = [...above.segments, segment];
      const required = above.required && walk.requires(above.applied, segment);
      const declared = declaredFile(applied);
      if (declared) found.push({ pointer: patternOf(segments), required, ...declared });
      if (segments.length < MAX_DEPTH) places.push({ segments, schemas, applied, required, above });
    }
  }
  return found;
}

/**
 * The declarations that cover a concrete place in the arguments, given with its indices and map keys: one for each
 * dialect that the place speaks, the first that counts first. Found by walking the schema along the pointer, however deep
 * a recursive schema goes. Throws `argument_invalid` for what is no JSON Pointer.
 */
export function declarationsAt(
  tool: Tool,
  pointer: string,
  note: Note = () => {},
  dialects: readonly Dialect[] = DIALECTS,
): FileDeclaration[] {
  const segments = segmentsOf(pointer);
  if (segments.length === 0) return [];
  const { walk, root } = open(tool, note, new WorkBudget(STEPS_PER_READING));
  let applied = walk.expand(root);
  let required = true;
  const pattern: Segment[] = [];
  for (const segment of segments) {
    required &&= walk.requires(applied, segment);
    pattern.push(isListed(applied, segment) ? segment : ANY);
    applied = walk.expand(walk.step(applied, segment));
    if (applied.length === 0) return [];
  }
  return declaredFiles(applied, dialects).map(declared => ({ pointer: patternOf(pattern), required, ...declared }));
}

/** The first of them, which is the one that a listing shows. */
export function declarationAt(tool: Tool, pointer: string, note?: Note): FileDeclaration | undefined {
  return declarationsAt(tool, pointer, note)[0];
}

function open(tool: Tool, note: Note, budget: WorkBudget): { walk: SchemaWalk; root: Seed[] } {
  const schema = objectMember(tool, 'inputSchema');
  const root = schema ? [{ node: schema, sure: true }] : [];
  const declared = declarationsBeside(tool, note);
  return {
    walk: new SchemaWalk(schema, note, budget),
    root: [...root, ...declared.map(node => ({ node, sure: false }))],
  };
}

function patternOf(segments: readonly Segment[]): string {
  return pointerOf(segments.map(segment => (segment === ANY ? '*' : segment)));
}

/** What stands below by name or position, then `ANY` for the rest. */
function segmentsBelow(applied: readonly Applied[]): Set<Segment> {
  const names = applied.flatMap(({ node }) => Object.keys(objectMember(node, 'properties') ?? {}));
  const positions = applied.flatMap(({ node }) => [...prefixOf(node).keys()].map(String));
  return new Set<Segment>([...names, ...positions, ANY]);
}

function isListed(applied: readonly Applied[], segment: string): boolean {
  const index = arrayIndex(segment) ?? Number.POSITIVE_INFINITY;
  return applied.some(({ node }) => {
    return Object.hasOwn(objectMember(node, 'properties') ?? {}, segment) || index < prefixOf(node).length;
  });
}

/** Do the same schemas apply at a place above? Then everything below is a repetition of what is listed there. */
function isInside(schemas: readonly SchemaNode[], place: Place): boolean {
  for (let above: Place | undefined = place; above; above = above.above) {
    const others = above.schemas;
    if (others.length === schemas.length && others.every((node, at) => node === schemas[at])) return schemas.length > 0;
  }
  return false;
}

function schemasOf(seeds: readonly Seed[]): SchemaNode[] {
  return seeds.map(seed => seed.node).filter(node => !node[DECLARED]);
}
