/** `*+json` and `*+xml` count beside these (SEP-2571 leaves the list to the reader; docs/resources.md has it). */
const TEXT_TYPES = new Set([
  'application/json',
  'application/xml',
  'application/javascript',
  'application/yaml',
  'application/x-ndjson',
  'application/sql',
]);

/** Is the content of this media type text, which SEP-2571 sends as it is? Parameters do not count. */
export function isTextType(type: string): boolean {
  const essence = type.replace(/;.*$/s, '').trim().toLowerCase();
  return essence.startsWith('text/') || TEXT_TYPES.has(essence) || /[^/]\+(?:json|xml)$/.test(essence);
}
