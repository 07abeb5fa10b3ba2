import { looksLikeHandle } from '../model/index.js';
import { declarationAt, fileArguments, pointerOf, segmentsOf, type Tool } from '../protocol/index.js';
import type { CallContext } from './context.js';

/** Where a tool takes a file, as it was listed. */
const placesOf = new WeakMap<Tool, readonly string[][]>();

/** What a server may take in place of a file. A drive letter is no scheme. */
const URI = /^(?!file:)[a-z][a-z\d+.-]+:/i;

/**
 * Notes a text where the tool declares a file: it goes out as it is, since no text is ever opened as a path, and the server
 * can only say that it is no file. Of tools whose list was read; where nobody listens nothing is looked for.
 */
export function noteTextForFile(
  callId: string,
  name: string,
  args: { readonly [key: string]: unknown },
  own: Tool | undefined,
  context: CallContext,
): void {
  const tool = context.log && (own ?? context.knownTool(name));
  if (tool === undefined) return;
  const places = placesOf.get(tool) ?? fileArguments(tool).map(({ pointer }) => segmentsOf(pointer));
  placesOf.set(tool, places);
  for (const place of places) {
    for (const path of pathsTo(args, place)) {
      const pointer = pointerOf(path);
      // The star of a map covers members that have a declaration of their own.
      if (place.includes('*') && declarationAt(tool, pointer) === undefined) continue;
      const message = `the argument "${pointer}" takes a file and holds a text: wrap a path with fromPath`;
      context.log?.({ type: 'note', callId, message });
      return;
    }
  }
}

/** Where such a text stands, at the places that a pattern covers. */
function* pathsTo(value: unknown, [segment, ...below]: string[], path: string[] = []): Generator<string[]> {
  if (segment === undefined) {
    if (typeof value === 'string' && value !== '' && !looksLikeHandle(value) && !URI.test(value)) yield path;
  } else if (typeof value === 'object' && value !== null) {
    const names = segment === '*' ? Object.keys(value) : Object.hasOwn(value, segment) ? [segment] : [];
    for (const name of names) yield* pathsTo((value as Record<string, unknown>)[name], below, [...path, name]);
  }
}
