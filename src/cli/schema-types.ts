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
function viewsOf(schema: unknown, root: Json): Json[] {
  const views = new Set<Json>();
  const open = [schema];
  while (open.length > 0 && views.size < MAX_VIEWS) {
    const next = open.pop();
    if (!isObject(next) || views.has(next)) continue;
    views.add(next);
    if (typeof next.$ref === 'string' && next.$ref.startsWith('#')) open.push(at(root, pointerParts(next.$ref)));
    for (const key of ['anyOf', 'oneOf', 'allOf'] as const) {
      // A list as long as the server likes, so not as arguments of one call.
      if (Array.isArray(next[key])) open.push(...next[key].slice(0, MAX_VIEWS));
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
