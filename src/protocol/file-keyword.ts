import { isByteCount, isObject, listMember, member, objectMember, shown } from './json.js';
import { parsePointer } from './json-pointer.js';
import { FILE_KEYWORD } from './names.js';
import type { JsonObject, Note, TransferMode } from './types.js';

const OPENAI_FILE_PARAMS = 'openai/fileParams';
const INPUT_FILES = 'inputFiles';
/** The members of a tool that declare file arguments beside its schema. */
export const FILE_DECLARATIONS: readonly string[] = [INPUT_FILES];
/** The members of a tool's `_meta` that declare file arguments. */
export const FILE_DECLARATIONS_IN_META: readonly string[] = [FILE_KEYWORD, OPENAI_FILE_PARAMS, INPUT_FILES];
// More than any tool has; what a hostile one may cost.
const MAX_DECLARATIONS = 256;
export const MAX_PATTERNS = 256;
const MODES: readonly TransferMode[] = ['inline', 'upload'];

/** What marks a file argument. */
export interface FileKeyword {
  readonly openai: boolean;
  /** The keyword's value as the server wrote it. */
  readonly value?: JsonObject;
  readonly accept?: readonly string[];
  readonly maxSize?: number;
  readonly transferModes?: readonly TransferMode[];
}

const OPENAI_KEYWORD: FileKeyword = { openai: true };

/** Set on schemas made here, where the keyword is not the schema's own. A symbol: no JSON can bring it. */
export const DECLARED: unique symbol = Symbol('declared');

/** A JSON Schema object, of the server or made here. */
export type SchemaNode = JsonObject & { [DECLARED]?: FileKeyword };

/** Reads `x-mcp-file`: an object, `{}` included, or `true`. */
export function readKeyword(value: unknown, note: Note): FileKeyword | undefined {
  if (value === undefined || value === false) return undefined;
  if (value !== true && !isObject(value)) {
    note(`an "${FILE_KEYWORD}" is neither an object nor true: ignored`);
    return undefined;
  }
  const [accept, maxSize, transferModes] = ['accept', 'maxSize', 'transferModes'].map(name => member(value, name));
  if (maxSize !== undefined && !isByteCount(maxSize)) note('a "maxSize" is no count of bytes: ignored');
  const listed = Array.isArray(accept) ? accept.filter(pattern => typeof pattern === 'string') : [];
  // Part of a list would refuse what the whole list takes.
  const patterns = listed.length > MAX_PATTERNS ? [] : listed;
  if (accept !== undefined && patterns.length === 0) {
    note(`an "accept" lists no patterns, or more than ${MAX_PATTERNS}: ignored`);
  }
  const modes = MODES.filter(mode => Array.isArray(transferModes) && transferModes.includes(mode));
  if (transferModes !== undefined && modes.length === 0) note('a "transferModes" lists no mode known: ignored');
  return {
    openai: false,
    ...(isObject(value) && { value }),
    ...(patterns.length > 0 && { accept: patterns }),
    ...(isByteCount(maxSize) && { maxSize }),
    ...(modes.length > 0 && { transferModes: modes }),
  };
}

/**
 * The declarations that stand beside a tool's `inputSchema`, as schemas to be read with it. In `_meta`: `x-mcp-file`, a map
 * of keywords by argument name or JSON Pointer (or a list of those), and `openai/fileParams`, a list of argument names. On
 * the tool or in `_meta`: `inputFiles`, which SEP-2356 had before the keyword, as such a map.
 */
export function declarationsBeside(tool: unknown, note: Note): SchemaNode[] {
  const meta = member(tool, '_meta');
  const maps = [objectMember(meta, FILE_KEYWORD), objectMember(tool, INPUT_FILES), objectMember(meta, INPUT_FILES)];
  const lists = [listMember(meta, FILE_KEYWORD), listMember(tool, INPUT_FILES), listMember(meta, INPUT_FILES)];
  const all: (readonly [name: unknown, keyword: unknown])[] = [
    ...maps.flatMap(map => Object.entries(map ?? {})),
    ...lists.flat().map(name => [name, true] as const),
    ...listMember(meta, OPENAI_FILE_PARAMS).map(name => [name, OPENAI_KEYWORD] as const),
  ];
  if (all.length > MAX_DECLARATIONS) note(`more than ${MAX_DECLARATIONS} file arguments declared beside a schema: cut`);
  return all.slice(0, MAX_DECLARATIONS).flatMap(([name, value]) => {
    const keyword = value === OPENAI_KEYWORD ? OPENAI_KEYWORD : readKeyword(value, note);
    return keyword ? schemaFor(name, keyword, note) : [];
  });
}

/** The schema that has the keyword at one place and says nothing else. */
function schemaFor(name: unknown, keyword: FileKeyword, note: Note): SchemaNode[] {
  if (typeof name !== 'string') return [];
  // That practice names arguments at the top only.
  const segments = name.startsWith('/') && !keyword.openai ? parsePointer(name) : [name];
  if (!segments) {
    note(`a file is declared at ${shown(name)}, which is no JSON Pointer: ignored`);
    return [];
  }
  let schema: SchemaNode = { [DECLARED]: keyword };
  for (const segment of segments.reverse()) {
    schema =
      segment === '*'
        ? { items: schema, additionalProperties: schema }
        : { properties: Object.fromEntries([[segment, schema]]) };
  }
  return [schema];
}
