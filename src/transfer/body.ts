import type { PlannedFile } from '../source/file-source.js';
import type { RequestBody } from './engine.js';
import { writeEnvelope } from './form.js';
import type { CheckedTarget } from './target.js';

/** A body that has one file in it. */
export interface FileBody extends RequestBody {
  /** How many of the first `sent` bytes of the body are bytes of the file. */
  fileBytes(sent: number): number;
}

/** What goes to the target: the file as it is, or the form around it. Each iteration reads the file anew. */
export async function makeBody(file: PlannedFile, form: CheckedTarget['form']): Promise<FileBody> {
  return form === undefined ? rawBody(file) : formBody(file, form);
}

function rawBody(file: PlannedFile): FileBody {
  return {
    length: file.size,
    isStream: file.isStream === true,
    chunks: signal => file.chunks(signal),
    blob: signal => file.blob(signal),
    fileBytes: sent => sent,
  };
}

async function formBody(file: PlannedFile, form: NonNullable<CheckedTarget['form']>): Promise<FileBody> {
  const { head, tail, contentType } = await writeEnvelope(form, file);
  return {
    length: head.byteLength + file.size + tail.byteLength,
    contentType,
    isStream: file.isStream === true,
    async *chunks(signal) {
      yield head;
      yield* file.chunks(signal);
      yield tail;
    },
    // An untyped Blob: the type, with the boundary, is set as a header.
    blob: async signal => new Blob([head, await file.blob(signal), tail]),
    fileBytes: sent => Math.min(Math.max(sent - head.byteLength, 0), file.size),
  };
}
