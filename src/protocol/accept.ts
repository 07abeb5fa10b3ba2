/** What `accept` is held against. */
export interface AcceptedFile {
  readonly name: string;
  /** Media type; parameters do not count. */
  readonly type: string;
  /** The type is `application/octet-stream` only because nothing better is known. */
  readonly typeIsFallback: boolean;
}

/**
 * Does an `accept` list of SEP-2356 take this file? Patterns are an exact media type, `type/*` (and `*` followed by `/*`)
 * or `.ext`, which matches the end of the name or the media type that the extension stands for. Case and media type
 * parameters do not count.
 *
 * A file whose type is only the fallback is let through: the server decides. Patterns of another form are ignored, and a
 * list of nothing else is no restriction: refusing every file for a slip of the server's helps nobody.
 *
 * `typeOfExtension` is asked with the extension in lower case and without its dot; empty or `undefined`: unknown.
 */
export function isAccepted(
  accept: readonly string[] | undefined,
  file: AcceptedFile,
  typeOfExtension: (extension: string) => string | undefined,
): boolean {
  const patterns = (accept ?? []).map(essence).filter(pattern => /^\.[^/]+$|^[^/]+\/[^/]+$/.test(pattern));
  if (patterns.length === 0 || file.typeIsFallback) return true;
  const name = file.name.toLowerCase();
  const type = essence(file.type);
  return patterns.some(pattern => {
    if (pattern.startsWith('.')) {
      return name.endsWith(pattern) || essence(typeOfExtension(pattern.slice(1)) ?? '') === type;
    }
    return pattern === '*/*' || pattern === type || (pattern.endsWith('/*') && type.startsWith(pattern.slice(0, -1)));
  });
}

/** Type and subtype alone, in lower case. */
function essence(mediaType: string): string {
  return mediaType.replace(/;.*/s, '').trim().toLowerCase();
}
