import { FilesError, throwIfAborted } from '../errors/index.js';
import { base64, utf8Length } from '../protocol/index.js';
import type { PlannedFile } from '../source/index.js';
import { isWellFormed } from './well-formed.js';

/** Content to be sent, measured and not read yet. */
export interface Content {
  /** Decoded bytes. */
  readonly size: number;
  /** For messages. */
  readonly name: string;
  /** The `content` member of the request. */
  encode(encoding: 'text' | 'base64', signal: AbortSignal): Promise<string>;
}

/** Text given as a string. Throws `argument_invalid` where it has no UTF-8. */
export function textContent(text: string, name: string): Content {
  if (!isWellFormed(text)) {
    throw new FilesError(
      'argument_invalid',
      'The text of the resource holds half a surrogate pair, which has no UTF-8.',
    );
  }
  return {
    name,
    size: utf8Length(text),
    async encode(encoding, signal) {
      throwIfAborted(signal);
      return encoding === 'text' ? text : base64(new TextEncoder().encode(text));
    },
  };
}

/** A file, read piece by piece: beside the encoded text there is never more than one piece of it in memory. */
export function fileContent(file: PlannedFile): Content {
  const { name, size } = file;
  return {
    name,
    size,
    encode: (encoding, signal) => (encoding === 'text' ? asText(file, signal) : asBase64(file, signal)),
  };
}

/** Strict, and with a byte order mark kept: what arrives is what was there. */
async function asText(file: PlannedFile, signal: AbortSignal): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const decode = (piece?: Uint8Array): string => {
    try {
      return piece === undefined ? decoder.decode() : compact(decoder.decode(piece, { stream: true }), piece);
    } catch {
      throw new FilesError(
        'argument_invalid',
        `The content of "${file.name}" is not valid UTF-8, so it cannot go as text: give another mimeType, such as application/octet-stream.`,
        { details: { reason: 'not_utf8' } },
      );
    }
  };
  const parts: string[] = [];
  for await (const piece of file.chunks(signal)) parts.push(decode(piece));
  parts.push(decode());
  return parts.join('');
}

/** What Node has to make a text of one byte a character; it is not in every runtime's types. */
interface Latin1Runtime {
  Buffer?: { from(bytes: ArrayBufferLike, offset: number, length: number): { toString(encoding: 'latin1'): string } };
}

/** Decoders give two bytes for each character; for text that is ASCII alone half of that will do (measured: docs/resources.md). */
function compact(text: string, { buffer, byteOffset, byteLength }: Uint8Array): string {
  const { Buffer } = globalThis as Latin1Runtime;
  // Of ASCII every byte is a character, and none is left over from the piece before.
  const isAscii = Buffer !== undefined && text.length === byteLength && !/[^\0-\x7f]/.test(text);
  return isAscii ? Buffer.from(buffer, byteOffset, byteLength).toString('latin1') : text;
}

async function asBase64(file: PlannedFile, signal: AbortSignal): Promise<string> {
  const parts: string[] = [];
  // Three bytes make four characters: what is over waits for the next piece.
  let rest = new Uint8Array(0);
  for await (const piece of file.chunks(signal)) {
    let from = 0;
    if (rest.byteLength > 0) {
      from = Math.min(3 - rest.byteLength, piece.byteLength);
      const joined = new Uint8Array(rest.byteLength + from);
      joined.set(rest);
      joined.set(piece.subarray(0, from), rest.byteLength);
      rest = joined;
      if (rest.byteLength < 3) continue;
      parts.push(base64(rest));
    }
    const whole = piece.byteLength - ((piece.byteLength - from) % 3);
    if (whole > from) parts.push(base64(piece.subarray(from, whole)));
    // A copy: the piece's memory may be read into again.
    rest = piece.slice(whole);
  }
  if (rest.byteLength > 0) parts.push(base64(rest));
  return parts.join('');
}
