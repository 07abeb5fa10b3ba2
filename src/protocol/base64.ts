/** What Node and newer browsers have to encode base64 without a copy; neither is in every runtime's types. */
interface Base64Runtime {
  Buffer?: { from(bytes: ArrayBufferLike, offset: number, length: number): { toString(encoding: 'base64'): string } };
}

/** A multiple of three, so that only the last piece is padded. */
const PIECE = 3 * 8192;

/** Standard base64 with padding (RFC 4648, section 4). */
export function base64(bytes: Uint8Array): string {
  const native = bytes as Uint8Array & { toBase64?(): string };
  if (native.toBase64 !== undefined) return native.toBase64();
  const { Buffer } = globalThis as Base64Runtime;
  if (Buffer !== undefined) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  let text = '';
  for (let at = 0; at < bytes.length; at += PIECE) {
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + PIECE)));
  }
  return text;
}
