/** Takes a file piece by piece. */
export interface Sha256 {
  update(bytes: Uint8Array): void;
  /** base64url without padding: 43 characters. */
  digest(): string | Promise<string>;
}

/** A SHA-256 as SEP-2631 writes it, base64url without padding; read from standard base64 and hexadecimal too. */
export function normalSha256(value: string): string {
  const text = /^[\da-f]{64}$/i.test(value) ? btoa(fromHex(value)) : value;
  return base64url(text);
}

/** Standard base64 (RFC 4648, section 4) as the URL-safe alphabet without padding (section 5). */
export function base64url(base64: string): string {
  return base64
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/, '');
}

function fromHex(hex: string): string {
  return hex.replace(/../g, pair => String.fromCharCode(Number.parseInt(pair, 16)));
}
