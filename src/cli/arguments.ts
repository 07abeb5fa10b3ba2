import { UsageError } from './exit-code.js';
import { isObject, type Json, type JsonType, missingIn, pointerParts, typeOf, typesAt } from './schema-types.js';
import { printableLine } from './text.js';

/** What the flags of `call` say, as they were typed. */
export interface ArgumentFlags {
  /** The content of `--args-json`. */
  readonly base?: Json | undefined;
  /** `NAME=VALUE`, typed by the tool's schema. */
  readonly arg: readonly string[];
  /** `NAME=JSON`. */
  readonly argJson: readonly string[];
  /** `NAME=PATH`. */
  readonly file: readonly string[];
}

/** The parts of a tool definition that decide what a flag means. */
export interface ToolShape {
  readonly inputSchema?: unknown;
  readonly fileArguments: readonly { readonly pointer: string }[];
}

/** `NAME=VALUE` or `/json/pointer=VALUE`, cut at the first `=`. */
export function splitFlag(flag: string, text: string): { name: string; value: string } {
  const cut = text.indexOf('=');
  if (cut <= 0) throw new UsageError(`${flag} takes NAME=VALUE, not "${text}".`);
  return { name: text.slice(0, cut), value: text.slice(cut + 1) };
}

/** The arguments of the call: `--args-json` first, single arguments over it, files last. */
export function buildArguments(tool: ToolShape, flags: ArgumentFlags, open: (path: string) => unknown): Json {
  const result = structuredClone(flags.base ?? {});
  for (const [name, values] of grouped('--arg', flags.arg)) {
    setAt(result, placeOf(tool, name), typedAll(tool, name, values), tool);
  }
  for (const [name, values] of grouped('--arg-json', flags.argJson)) {
    if (values.length > 1) throw new UsageError(`--arg-json gives "${name}" more than once.`);
    setAt(result, placeOf(tool, name), parseJson(`--arg-json ${name}`, values[0] ?? ''), tool);
  }
  for (const [name, paths] of grouped('--file', flags.file)) {
    const place = placeOf(tool, name);
    checkFile(tool, name, paths);
    const files = paths.map(open);
    setAt(result, place, takesFiles(tool, name, files.length) ? files : files[0], tool);
  }
  const missing = missingIn(tool.inputSchema, result, parts => isDeclared(tool, parts));
  if (missing.length > 0) throw new UsageError(`Missing: ${listed(missing)}.`);
  return result;
}

/** A name that no file stands below is a slip; places deeper inside a recursive schema are left to the library. */
function checkFile(tool: ToolShape, name: string, paths: readonly string[]): void {
  if (paths.includes('')) throw new UsageError(`--file ${name}= names no file.`);
  const parts = partsOf(name);
  const heads = tool.fileArguments.map(({ pointer }) => pointerParts(pointer)[0]);
  const isBelow = parts.length > 1 && (heads.includes(parts[0]) || heads.includes('*'));
  if (isBelow || isDeclared(tool, parts)) return;
  const names = tool.fileArguments.map(({ pointer }) => pointer.replace(/^\/([^/~]+)(\/\*)?$/, '$1'));
  const takes = names.length === 0 ? 'It takes none.' : `It takes: ${listed(names)}.`;
  throw new UsageError(`The tool takes no file "${name}". ${takes}`);
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, 20).map(printableLine).join(', ')}${names.length > 20 ? ', \u2026' : ''}`;
}

function partsOf(name: string): string[] {
  return name.startsWith('/') ? pointerParts(name) : [name];
}

/** As {@link partsOf}; who forgot the first slash of a pointer is told, as that names an argument with a slash in it. */
function placeOf(tool: ToolShape, name: string): string[] {
  const meant = name.startsWith('/') || !name.includes('/') ? [] : pointerParts(`/${name}`);
  const isPlace = meant.length > 0 && (typesAt(tool.inputSchema, meant).size > 0 || isDeclared(tool, meant));
  const properties = isObject(tool.inputSchema) && tool.inputSchema.properties;
  if (isPlace && !(isObject(properties) && Object.hasOwn(properties, name))) {
    throw new UsageError(`The tool has no argument "${name}". For the place inside another write "/${name}".`);
  }
  return partsOf(name);
}

/** Does the tool declare a file there, or a list of files? */
function isDeclared(tool: ToolShape, parts: readonly string[]): boolean {
  return tool.fileArguments.some(({ pointer }) => {
    const pattern = pointerParts(pointer);
    return covers(pattern, parts) || covers(pattern, [...parts, '0']);
  });
}

function covers(pattern: readonly string[], path: readonly string[]): boolean {
  return pattern.length === path.length && pattern.every((part, i) => part === '*' || part === path[i]);
}

function grouped(flag: string, texts: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const text of texts) {
    const { name, value } = splitFlag(flag, text);
    groups.set(name, [...(groups.get(name) ?? []), value]);
  }
  return groups;
}

/** Does the place take a list of files? Decided by what the tool declares there, not by how many were given. */
function takesFiles(tool: ToolShape, name: string, count: number): boolean {
  const parts = partsOf(name);
  const declared = tool.fileArguments.map(file => pointerParts(file.pointer));
  if (declared.some(pattern => covers(pattern, parts))) {
    if (count > 1) throw new UsageError(`"${name}" takes one file, ${count} were given.`);
    return false;
  }
  if (declared.some(pattern => covers(pattern, [...parts, '0']))) return true;
  return count > 1;
}

function typedAll(tool: ToolShape, name: string, values: readonly string[]): unknown {
  const parts = partsOf(name);
  const types = typesAt(tool.inputSchema, parts);
  const first = values[0] ?? '';
  // Else a path would be sent as the text of a file, or refused as being no object.
  if (isDeclared(tool, parts) && values.some(value => !isFileValue(value)))
    throw new UsageError(`"${name}" is a file: --file ${name}=PATH`);
  const isList = types.has('array') && !types.has('string') && !first.trimStart().startsWith('[');
  if (values.length > 1 && !types.has('array')) throw new UsageError(`--arg gives "${name}" more than once.`);
  if (values.length === 1 && !isList) return typed(name, first, types);
  const itemTypes = typesAt(tool.inputSchema, [...parts, '0']);
  return values.map(value => typed(name, value, itemTypes));
}

/** What names a file already: its object in JSON, a list of such, or a URI. */
function isFileValue(text: string): boolean {
  return typeof jsonOrUndefined(text) === 'object' || /^[a-z][a-z\d+.-]+:/i.test(text);
}

/** A command-line word as the type the schema asks for; where it takes strings, or says nothing, the word as it is. */
function typed(name: string, text: string, types: ReadonlySet<JsonType>): unknown {
  if (types.size === 0 || types.has('string')) return text;
  const value = text.trim() === '' ? undefined : jsonOrUndefined(text);
  const type = value === undefined ? undefined : typeOf(value);
  if (typeof value === 'number' && !isExact(value)) throw new UsageError(`"${name}": ${text} cannot be sent exactly.`);
  const fits = type !== undefined && (types.has(type) || (Number.isInteger(value) && types.has('integer')));
  if (!fits) throw new UsageError(`"${name}" takes ${[...types].join(' or ')}, not "${text}".`);
  return value;
}

/** JSON has one kind of number here: beyond 2^53 another integer than the one typed would be sent. */
function isExact(value: number): boolean {
  return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses what a flag gave as JSON. */
export function parseJson(what: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${what} is not valid JSON.`);
  }
}

/** Puts a value at a place, making objects and lists on the way. */
function setAt(root: Json, parts: readonly string[], value: unknown, tool: ToolShape): void {
  const shown = parts.join('/');
  if (parts.length === 0 || parts.includes('__proto__')) throw new UsageError(`"/${shown}" names no argument.`);
  let parent: Json | unknown[] = root;
  for (const [depth, part] of parts.entries()) {
    const key: string = Array.isArray(parent) ? indexIn(parent, part, shown) : part;
    const container = parent as Json;
    if (depth === parts.length - 1) {
      container[key] = value;
      return;
    }
    if (!Object.hasOwn(container, key)) {
      container[key] = isListAt(tool, parts.slice(0, depth + 1), parts[depth + 1] ?? '') ? [] : {};
    }
    const next: unknown = container[key];
    if (!Array.isArray(next) && !isObject(next))
      throw new UsageError(`"/${shown}" leads through a value that is no object.`);
    parent = next;
  }
}

function isListAt(tool: ToolShape, parts: readonly string[], nextPart: string): boolean {
  const types = typesAt(tool.inputSchema, parts);
  if (types.has('array')) return !types.has('object') || /^\d+$/.test(nextPart);
  return types.size === 0 && /^(0|[1-9]\d*)$/.test(nextPart);
}

function indexIn(list: readonly unknown[], part: string, shown: string): string {
  const index = part === '-' ? list.length : /^(0|[1-9]\d*)$/.test(part) ? Number(part) : -1;
  if (index < 0 || index > list.length) throw new UsageError(`"/${shown}" leaves a gap in a list.`);
  return String(index);
}
