import { atPointer, FilesError } from '../errors/index.js';
import { base64, pointerOf, segmentsOf, valueAt } from '../protocol/index.js';
import { define } from './arguments.js';
import type { Plan } from './choose-ways.js';
import type { PreparedFile } from './prepare.js';
import type { Settled } from './settle.js';

/** Writes every file's value into the copied arguments, in their order; inline files are read here, one at a time. */
export async function putFiles(
  copied: { [key: string]: unknown },
  files: readonly PreparedFile[],
  plan: Plan,
  sent: Settled['sent'],
  signal: AbortSignal,
): Promise<void> {
  for (const prepared of files) {
    const { pointer, file, put, nameAt, typeAt } = prepared;
    const { way, dialect, declaration } = plan.ways.get(pointer)!;
    const facts = { name: file.name, mimeType: file.type, size: file.size };
    if (way === 'inline') put(dialect.write({ ...facts, data: base64(await bytesOf(prepared, signal)) }, declaration));
    else if (way === 'empty' && plan.emptyData) put(dialect.write({ ...facts, data: '' }, declaration));
    else put(dialect.write({ ...facts, ...sent.get(pointer)?.value }, declaration));
    if (nameAt !== undefined) putUnlessThere(copied, nameAt, file.name, pointer);
    if (typeAt !== undefined) putUnlessThere(copied, typeAt, file.type, pointer);
  }
}

/** What the caller, or the model, has put there is meant. */
function putUnlessThere(copied: { [key: string]: unknown }, at: string, value: string, pointer: string): void {
  const segments = segmentsOf(at);
  const last = segments.pop()!;
  const holder = valueAt(copied, pointerOf(segments));
  if (typeof holder !== 'object' || holder === null || Array.isArray(holder)) {
    throw new FilesError('argument_invalid', `The place for the name or type of the file, "${at}", is in no object.`, {
      pointer,
    });
  }
  const there = valueAt(copied, at);
  if (there === undefined || there === null || there === '') define(holder as { [key: string]: unknown }, last, value);
}

async function bytesOf({ file, pointer }: PreparedFile, signal: AbortSignal): Promise<Uint8Array> {
  try {
    return await file.bytes(signal);
  } catch (error) {
    throw atPointer(error, pointer);
  }
}
