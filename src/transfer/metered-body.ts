import { FilesError } from '../errors/index.js';
import { MemoryPool } from '../source/read-memory.js';
import type { FileBody } from './body.js';
import { HEAD_BYTES } from './echo.js';
import type { RequestBody } from './engine.js';

const heads = new MemoryPool(HEAD_BYTES);

export interface MeterHooks {
  /** The engine asked for the first byte, so it has a connection; what this throws ends the attempt. */
  readonly onStart: () => void;
  /** The socket took what was handed over before; `fileBytes` of the file have gone out so far. */
  readonly onAccepted: (fileBytes: number) => void;
  /** A piece of a stream came that is not sent before all of it is there. */
  readonly onRead: () => void;
  /** The body is with the engine to its last byte. */
  readonly onEnd: () => void;
}

/**
 * The body of one attempt, counted on its way. An engine that asks for the next piece has passed the last one to the
 * socket: so progress runs one piece behind what was read. The length is enforced here, whatever the engine does.
 */
export class MeteredBody implements RequestBody {
  readonly length: number;
  readonly contentType?: string;
  readonly isStream: boolean;
  /** Bytes handed to the engine: at 0, nothing of the request is on the wire, its headers go with the first piece. */
  handed = 0;
  /** True once every byte was handed over and taken. */
  complete = false;
  /** What reading the file threw. */
  failure: unknown;
  /** Settles when the body has ended, was given up or failed. */
  readonly ended: Promise<void>;

  /** What was handed over first, to know it again in the answer: a copy, since the memory of a piece is used again. */
  #head: Uint8Array | undefined;
  #blob: Blob | undefined;
  readonly #body: FileBody;
  readonly #hooks: MeterHooks;
  #end = (): void => {};
  #iteration: AsyncGenerator<Uint8Array> | undefined;

  constructor(body: FileBody, hooks: MeterHooks) {
    this.#body = body;
    this.#hooks = hooks;
    this.length = body.length;
    if (body.contentType !== undefined) this.contentType = body.contentType;
    this.isStream = body.isStream === true;
    this.ended = new Promise(resolve => {
      this.#end = resolve;
    });
  }

  chunks(signal: AbortSignal): AsyncIterable<Uint8Array> {
    this.#iteration = this.#meter(signal);
    return this.#iteration;
  }

  async blob(signal: AbortSignal): Promise<Blob> {
    try {
      this.#hooks.onStart();
      const blob = this.isStream ? await this.#collect(signal) : await this.#body.blob(signal);
      if (blob.size !== this.length) throw lengthMismatch(this.length, blob.size);
      this.#blob = blob;
      this.handed = blob.size;
      this.complete = true;
      this.#hooks.onEnd();
      return blob;
    } catch (error) {
      this.failure = error;
      throw error;
    } finally {
      this.#end();
    }
  }

  /** The first bytes that were handed over, at most {@link HEAD_BYTES}. */
  async head(): Promise<Uint8Array> {
    if (this.#blob !== undefined) return new Uint8Array(await this.#blob.slice(0, HEAD_BYTES).arrayBuffer());
    return (this.#head ?? new Uint8Array()).subarray(0, this.handed);
  }

  /**
   * Stops reading and waits until the file is closed. The engine may have dropped the iteration in the middle without a
   * word; its signal must have been aborted, or a read that is under way is waited for.
   */
  async close(): Promise<void> {
    await this.#iteration?.return(undefined).catch(() => {});
    if (this.#head !== undefined) heads.giveBack(this.#head, true);
    this.#head = undefined;
    this.#end();
  }

  /** A stream may take its time: each piece shows that it moves. */
  async #collect(signal: AbortSignal): Promise<Blob> {
    const all = new Uint8Array(this.length);
    let at = 0;
    for await (const piece of this.#body.chunks(signal)) {
      if (at + piece.byteLength > this.length) throw lengthMismatch(this.length, at + piece.byteLength);
      all.set(piece, at);
      at += piece.byteLength;
      this.#hooks.onRead();
    }
    return new Blob([all.subarray(0, at)]);
  }

  #keepHead(chunk: Uint8Array): void {
    this.#head ??= heads.take();
    this.#head.set(chunk.subarray(0, HEAD_BYTES - this.handed), this.handed);
  }

  async *#meter(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    let accepted = 0;
    try {
      this.#hooks.onStart();
      for await (const chunk of this.#body.chunks(signal)) {
        if (this.handed < HEAD_BYTES) this.#keepHead(chunk);
        this.handed += chunk.byteLength;
        if (this.handed > this.length) throw lengthMismatch(this.length, this.handed);
        yield chunk;
        accepted += chunk.byteLength;
        this.#hooks.onAccepted(this.#body.fileBytes(accepted));
      }
      if (accepted < this.length) throw lengthMismatch(this.length, accepted);
      this.complete = true;
      this.#hooks.onEnd();
    } catch (error) {
      this.failure = error;
      throw error;
    } finally {
      this.#end();
    }
  }
}

/** The sources of this library find this out earlier; a source of another make may not. */
function lengthMismatch(size: number, received: number): FilesError {
  return new FilesError('file_changed', `The body has ${received} bytes, not the ${size} announced.`, {
    details: { size, received },
  });
}
