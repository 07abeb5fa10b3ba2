import { type FilesError, isFilesError, TransferError } from '../../../src/errors/index.js';
import type { FileSource } from '../../../src/source/file-source.js';
import { fromBytes } from '../../../src/source/from-bytes.js';
import { planFile } from '../../../src/source/plan-file.js';
import { type BuiltInEngineOptions, createBuiltInEngine } from '../../../src/transfer/built-in-engine.js';
import type { TransferEngine } from '../../../src/transfer/engine.js';
import type { CheckedTarget } from '../../../src/transfer/target.js';
import { type UploadReceipt, type UploadRequest, upload } from '../../../src/transfer/upload.js';

function makeTarget(origin: string, more: Partial<CheckedTarget> = {}): CheckedTarget {
  return {
    via: 'url',
    method: more.form === undefined ? 'PUT' : 'POST',
    origin,
    hostname: '127.0.0.1',
    shownPath: '/put',
    requestPath: '/put?signature=secret-signature',
    headers: [],
    credentials: 'omit',
    ...more,
  };
}

const OFF = { connect: 0, stall: 0, response: 0 };

export interface Sending extends Partial<Omit<UploadRequest, 'target' | 'file' | 'timeouts'>> {
  readonly target?: Partial<CheckedTarget>;
  readonly file?: FileSource | string | Uint8Array;
  readonly timeouts?: Partial<UploadRequest['timeouts']>;
}

/** One upload with everything but what a test is about left at its simplest. */
export async function send(engine: TransferEngine, origin: string, sending: Sending = {}): Promise<UploadReceipt> {
  const { target, file = 'content', timeouts, ...rest } = sending;
  const signal = rest.signal ?? new AbortController().signal;
  const source = typeof file === 'string' || file instanceof Uint8Array ? fromBytes(file, { name: 'a.txt' }) : file;
  return upload(engine, {
    pointer: '/document',
    target: makeTarget(origin, target),
    file: await planFile(source, new AbortController().signal),
    credentialHeaders: [],
    timeouts: { ...OFF, ...timeouts },
    onSent: () => {},
    ...rest,
    signal,
  });
}

/** What a promise of this library rejects with, and nothing else. */
export async function failure(promise: Promise<unknown>): Promise<FilesError> {
  const error = await promise.then(
    () => new Error('it did not fail'),
    error => error,
  );
  if (!isFilesError(error)) throw error;
  return error;
}

/** The one failure of a transfer, with the code of its error. */
export async function transferFailure(promise: Promise<unknown>) {
  const error = await failure(promise);
  if (!(error instanceof TransferError) || error.failures.length !== 1) throw error;
  return { code: error.code, ...error.failures[0]! };
}

/** An engine that a test need not close: `afterEach(closeEngines)`. */
const engines = new Set<TransferEngine>();

export function engine(options: Partial<BuiltInEngineOptions> = {}): TransferEngine {
  const made = createBuiltInEngine({ connectTimeout: 5_000, ...options });
  engines.add(made);
  return made;
}

export async function closeEngines(): Promise<void> {
  for (const made of engines) await made.close();
  engines.clear();
}
