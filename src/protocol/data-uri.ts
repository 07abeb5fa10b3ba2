import type { Dialect, Mark } from './dialect.js';
import { fileObjects, isStringMark } from './file-objects-dialect.js';

/**
 * A data URI (RFC 2397) with base64. SEP-2356 knows no `name=` parameter; a tool that wants the name has an argument for
 * it. Parameters of the media type stay, as RFC 2397 has them.
 */
export function dataUri(mimeType: string, data: string): string {
  // A comma would end the media type, and a quoted value may hold one.
  const type = mimeType.replaceAll(/\s*;\s*/g, ';').replaceAll(/[^\w!#$&^.+\-/;=]/g, encodeURIComponent);
  return `data:${type};base64,${data}`;
}

/** SEP-2356: a string argument with `x-mcp-file` holds the file itself. */
export const dataUris: Dialect = {
  name: 'data-uri',
  reason: 'a string argument with x-mcp-file takes a data URI',
  marks: all => all.filter(mark => isStringMark(mark) && takesInline(mark)),
  routes: ({ transferModes }) => (transferModes?.includes('inline') === false ? [] : ['inline']),
  lookedFor: () => 'data-uri',
  // Whoever lists no modes may still know SEP-2631, which came later.
  beyondInline: ({ transferModes }) => (transferModes === undefined ? fileObjects : undefined),
  inlineMode: 'data-uri',
  write: ({ mimeType, data = '' }) => dataUri(mimeType, data),
};

function takesInline({ keyword: { transferModes } }: Mark): boolean {
  return transferModes === undefined || transferModes.includes('inline');
}
