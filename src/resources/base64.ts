/** What Node and newer browsers have to decode base64; neither is in every runtime's types. */
interface Base64Runtime {
  Buffer?: { from(text: string, encoding: 'base64'): Uint8Array };
  Uint8Array: { fromBase64?(text: string): Uint8Array };
}

/** Characters at a time, a multiple of four: `atob` makes a string of each. */
const PIECE = 4 * 8192;

const PLAIN = /^[A-Za-z0-9+/]*={0,2}$/;

export interface Decoded {
  readonly bytes: Uint8Array;
  /** It was not standard base64 with padding, but could be read without a guess. */
  readonly irregular: boolean;
}

/**
 * Base64 as servers write it: standard (RFC 4648, section 4); also the URL-safe alphabet, without padding, and broken into
 * lines (MIME), which can be read only one way. `undefined` for anything else: bytes are never made up.
 */
export function decodeBase64(text: string): Decoded | undefined {
  if (PLAIN.test(text) && text.length % 4 === 0) return { bytes: decode(text), irregular: false };
  const plain = text
    .replace(/[\t\n\r ]+/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/');
  const data = plain.replace(/=+$/, '');
  const padding = plain.length - data.length;
  if (!PLAIN.test(plain) || data.length % 4 === 1) return undefined;
  if (padding > 0 && plain.length % 4 !== 0) return undefined;
  return { bytes: decode(data.padEnd(Math.ceil(data.length / 4) * 4, '=')), irregular: true };
}

/** How many bytes it stands for, without decoding it. */
export function decodedLength(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return Math.floor(((text.length - padding) * 3) / 4);
}

function decode(text: string): Uint8Array {
  const { Buffer, Uint8Array: Native } = globalThis as unknown as Base64Runtime;
  if (Buffer !== undefined) {
    const decoded = Buffer.from(text, 'base64');
    // Not as a Buffer, whose `slice` copies nothing and whose memory may be shared with others.
    const isAlone = decoded.byteOffset === 0 && decoded.byteLength === decoded.buffer.byteLength;
    return isAlone ? new Uint8Array(decoded.buffer) : new Uint8Array(decoded);
  }
  if (Native.fromBase64 !== undefined) return Native.fromBase64(text);
  const bytes = new Uint8Array(decodedLength(text));
  let at = 0;
  for (let from = 0; from < text.length; from += PIECE) {
    const piece = atob(text.slice(from, from + PIECE));
    for (let i = 0; i < piece.length; i++) bytes[at++] = piece.charCodeAt(i);
  }
  return bytes;
}
