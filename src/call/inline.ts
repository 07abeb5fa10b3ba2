import { isFilesError } from '../errors/index.js';
import { fileArgumentValue } from '../protocol/index.js';
import type { Plan } from './plan.js';
import type { PreparedFile } from './prepare.js';

/** Puts every file's value into the copied arguments, in their order; inline files are read here, one at a time. */
export async function putFiles(files: readonly PreparedFile[], plan: Plan, signal: AbortSignal): Promise<void> {
  for (const [index, { file, declaration, put }] of files.entries()) {
    const way = plan.ways[index]!.way;
    const data =
      way === 'inline'
        ? base64(await bytesOf(files[index]!, signal))
        : way === 'empty' && plan.emptyData
          ? ''
          : undefined;
    const value = { name: file.name, mimeType: file.type, size: file.size };
    put(fileArgumentValue(data === undefined ? value : { ...value, data }, declaration.allowedMembers));
  }
}

async function bytesOf({ file, pointer }: PreparedFile, signal: AbortSignal): Promise<Uint8Array> {
  try {
    return await file.bytes(signal);
  } catch (error) {
    throw isFilesError(error) && error.pointer === undefined ? error.with({ pointer }) : error;
  }
}

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
