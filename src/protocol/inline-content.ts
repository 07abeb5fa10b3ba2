/** The content of a file that stands in a message itself. Kept as it came, and decoded when somebody reads it. */
export type InlineContent =
  /** Base64 (RFC 4648), of either alphabet, with or without padding. */
  | { readonly base64: string }
  /** Text: its bytes are UTF-8. */
  | { readonly text: string }
  /** Percent-encoded bytes (RFC 3986, 2.1), as in a data URI without `;base64`. */
  | { readonly percent: string };

/** Characters decoded at once: a multiple of four, so that only the last piece is padded. */
const PIECE = 4 * 256 * 1024;

/** Bytes that the content has when it is decoded; `undefined` where it cannot be decoded. */
export function inlineSize(content: InlineContent): number | undefined {
  if ('text' in content) return utf8Length(content.text);
  if ('percent' in content) return percentBytes(content.percent)?.byteLength;
  const digits = base64Digits(content.base64);
  return digits === undefined ? undefined : Math.floor((digits * 3) / 4);
}

/** The bytes, in pieces of less than 1 MiB. Throws where {@link inlineSize} has none to give. */
export function* inlineBytes(content: InlineContent): Generator<Uint8Array> {
  if ('percent' in content) {
    const bytes = percentBytes(content.percent);
    if (bytes === undefined) throw new TypeError('malformed percent-encoding');
    yield bytes;
  } else if ('text' in content) {
    yield* utf8Pieces(content.text);
  } else {
    yield* base64Pieces(content.base64);
  }
}

function* utf8Pieces(text: string): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + PIECE / 4, text.length);
    // Never between the halves of a surrogate pair.
    if (end < text.length && /[\ud800-\udbff]/.test(text[end - 1]!)) end += 1;
    yield encoder.encode(text.slice(at, end));
    at = end;
  }
}

function* base64Pieces(base64: string): Generator<Uint8Array> {
  if (base64Digits(base64) === undefined) throw new TypeError('malformed base64');
  const text = /[\s_-]/.test(base64) ? base64.replace(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/') : base64;
  for (let at = 0; at < text.length; at += PIECE) yield decoded(text.slice(at, at + PIECE));
}

/** What Node and newer browsers have to decode without a copy of each byte; neither is in every runtime's types. */
interface Base64Runtime {
  Buffer?: { from(text: string, encoding: 'base64'): Uint8Array };
}

function decoded(base64: string): Uint8Array {
  const { Buffer } = globalThis as Base64Runtime;
  if (Buffer !== undefined) {
    const { buffer, byteOffset, byteLength } = Buffer.from(base64, 'base64');
    return new Uint8Array(buffer, byteOffset, byteLength);
  }
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/** The number of base64 digits without white space and padding, or `undefined` where something else is among them. */
function base64Digits(text: string): number | undefined {
  let end = text.length;
  let padding = 0;
  let spaces = 0;
  for (; end > 0; end--) {
    const code = text.charCodeAt(end - 1);
    if (code === 0x3d) padding += 1;
    else if (!isSpace(code)) break;
  }
  // By hand: an expression for all of a large file would remember each step.
  for (let at = 0; at < end; at++) {
    const code = text.charCodeAt(at);
    if (isSpace(code)) spaces += 1;
    else if (!isDigit(code)) return undefined;
  }
  const digits = end - spaces;
  const rest = digits % 4;
  if (rest === 1 || padding > 2 || (padding > 0 && rest + padding !== 4)) return undefined;
  return digits;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** `A-Z`, `a-z`, `0-9`, `+`, `/`, and `-`, `_` of the URL-safe alphabet. */
function isDigit(code: number): boolean {
  if (code >= 0x61) return code <= 0x7a;
  if (code >= 0x41) return code <= 0x5a || code === 0x5f;
  return (code >= 0x2f && code <= 0x39) || code === 0x2b || code === 0x2d;
}

/** Bytes of the text as UTF-8, counted in pieces. */
export function utf8Length(text: string): number {
  let length = 0;
  for (const piece of utf8Pieces(text)) length += piece.byteLength;
  return length;
}

function percentBytes(text: string): Uint8Array | undefined {
  if (/%(?![\da-f]{2})/i.test(text)) return undefined;
  const encoded = new TextEncoder().encode(text);
  const bytes = new Uint8Array(encoded.byteLength);
  let length = 0;
  for (let at = 0; at < encoded.byteLength; at++) {
    const isEscape = encoded[at] === 0x25;
    bytes[length++] = isEscape
      ? Number.parseInt(String.fromCharCode(encoded[at + 1]!, encoded[at + 2]!), 16)
      : encoded[at]!;
    if (isEscape) at += 2;
  }
  return bytes.subarray(0, length);
}

/** The content and type of a data URI (RFC 2397); `undefined` for any other URI. */
export function readDataUri(uri: string): { content: InlineContent; mimeType?: string } | undefined {
  const comma = uri.indexOf(',');
  const head = comma < 0 ? null : /^data:(.*?)(;\s*base64)?$/is.exec(uri.slice(0, comma));
  if (head === null) return undefined;
  const body = uri.slice(comma + 1);
  const mimeType = head[1]!.startsWith(';') ? `text/plain${head[1]}` : head[1]!;
  const isBase64 = head[2] !== undefined;
  return {
    content: isBase64 ? { base64: body.includes('%') ? unescaped(body) : body } : { percent: body },
    ...(mimeType !== '' && { mimeType }),
  };
}

/** Some writers escape the `+`, `/` and `=` of base64. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
