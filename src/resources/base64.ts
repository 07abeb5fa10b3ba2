import { inlineBytes, inlineSize } from '../protocol/index.js';

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
  const size = inlineSize({ base64: text });
  if (size === undefined) return undefined;
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of inlineBytes({ base64: text })) {
    bytes.set(piece, at);
    at += piece.byteLength;
  }
  return { bytes, irregular: text.length % 4 !== 0 || /[\s_-]/.test(text) };
}

/** How many bytes it stands for, without decoding it. */
export function decodedLength(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return Math.floor(((text.length - padding) * 3) / 4);
}
