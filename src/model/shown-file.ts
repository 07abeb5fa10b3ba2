import { shownName } from '../errors/index.js';
import { isMediaType } from '../source/media-type.js';

/** What a model may know of a file. */
export interface ShownFile {
  /** Relative path. */
  readonly name: string;
  readonly mimeType?: string;
  /** Bytes. */
  readonly size?: number;
  /** For the next tool that takes a file. */
  readonly handle?: string;
}

/** A type is the server's word: one that is none is left out. */
export function shownFile(
  { name, mimeType, size }: { readonly name: string; readonly mimeType?: string; readonly size?: number },
  handle: string | undefined,
): ShownFile {
  return {
    name,
    ...(mimeType !== undefined && isMediaType(mimeType) && { mimeType: shownName(mimeType) }),
    ...(size !== undefined && { size }),
    ...(handle !== undefined && { handle }),
  };
}

/** The same in one line: `File "out/report.pdf" (application/pdf, 252001 bytes), handle mcpfile_…`. */
export function lineOf({ name, mimeType, size, handle }: ShownFile): string {
  const facts = [mimeType, size === undefined ? undefined : `${size} bytes`].filter(fact => fact !== undefined);
  const known = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
  return `File ${JSON.stringify(name)}${known}${handle === undefined ? '' : `, handle ${handle}`}`;
}
