/** A JSON value's type as JSON Schema names it. */
export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';
export type Json = { [key: string]: unknown };

/** Schemas are the server's: neither a cycle of references nor a deep one may hold the command up. */
const MAX_VIEWS = 200;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The parts of a JSON Pointer (RFC 6901). */
export function pointerParts(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The schema and every schema it stands for: local references and the branches of anyOf, oneOf and allOf. */
function viewsOf(schema: unknown, root: Json, branches: readonly string[] = ['anyOf', 'oneOf', 'allOf']): Json[] {
  const views = new Set<Json>();
  const open = [schema];
  while (open.length > 0 && views.size < MAX_VIEWS) {
    const next = open.pop();
    if (!isObject(next) || views.has(next)) continue;
    views.add(next);
    if (typeof next.$ref === 'string' && next.$ref.startsWith('#')) open.push(at(root, pointerParts(next.$ref)));
    for (const key of branches) {
      const list = next[key];
      // A list as long as the server likes, so not as arguments of one call.
      if (Array.isArray(list)) open.push(...list.slice(0, MAX_VIEWS));
    }
  }
  return [...views];
}

function at(root: unknown, parts: string[]): unknown {
  return parts.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, part) ? (value as Json)[part] : undefined,
    root,
  );
}

function childrenOf(view: Json, part: string): unknown[] {
  const named = isObject(view.properties) && Object.hasOwn(view.properties, part) ? view.properties[part] : undefined;
  if (named !== undefined) return [named];
  const isIndex = /^\d+$/.test(part);
  const placed = isIndex && Array.isArray(view.prefixItems) ? view.prefixItems[Number(part)] : undefined;
  if (placed !== undefined) return [placed];
  return isIndex && view.items !== undefined ? [view.items] : [view.additionalProperties];
}

/** The types a tool's input schema allows at a place; empty where it says nothing. */
export function typesAt(inputSchema: unknown, parts: readonly string[]): ReadonlySet<JsonType> {
  const root = isObject(inputSchema) ? inputSchema : {};
  let views = viewsOf(root, root);
  for (const part of parts) {
    views = views
      .flatMap(view => childrenOf(view, part))
      .flatMap(child => viewsOf(child, root))
      .slice(0, MAX_VIEWS);
  }
  return new Set(views.flatMap(statedTypes));
}

/**
 * The places that a tool requires and the arguments lack, as the flags name them. Only what holds in every case: nothing
 * that one branch of several asks for, and nothing that has a default (some servers list those as required).
 */
export function missingIn(inputSchema: unknown, value: Json, isLeaf: (parts: readonly string[]) => boolean): string[] {
  const root = isObject(inputSchema) ? inputSchema : {};
  const sure = (schema: unknown): Json[] => viewsOf(schema, root, ['allOf']);
  const missing = new Set<string>();
  const open: { views: Json[]; value: object; parts: string[] }[] = [{ views: sure(root), value, parts: [] }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { views, value, parts } = next;
    const childViews = (part: string): Json[] => views.flatMap(view => childrenOf(view, part)).flatMap(sure);
    for (const name of Array.isArray(value) ? [] : views.flatMap(requiredOf)) {
      if (Object.hasOwn(value, name) || childViews(name).some(view => 'default' in view)) continue;
      missing.add(parts.length === 0 && !name.includes('/') ? name : pointerOf([...parts, name]));
    }
    for (const [part, child] of Object.entries(value)) {
      const at = [...parts, part];
      if (typeof child !== 'object' || child === null || isLeaf(at)) continue;
      const below = childViews(part).slice(0, MAX_VIEWS);
      if (below.length > 0) open.push({ views: below, value: child, parts: at });
    }
  }
  return [...missing];
}

function requiredOf({ required }: Json): string[] {
  return Array.isArray(required) ? required.filter(name => typeof name === 'string') : [];
}

function pointerOf(parts: readonly string[]): string {
  return parts.map(part => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function statedTypes(view: Json): JsonType[] {
  if (Array.isArray(view.type)) return view.type as JsonType[];
  if (typeof view.type === 'string') return [view.type as JsonType];
  if (Array.isArray(view.enum)) return view.enum.map(typeOf);
  if ('const' in view) return [typeOf(view.const)];
  if (isObject(view.properties)) return ['object'];
  return isObject(view.items) ? ['array'] : [];
}

export function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as JsonType;
}
