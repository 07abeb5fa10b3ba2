import { TransferError } from '../errors/index.js';

/** Hands one piece to the reader; resolves when the next one is asked for. */
export type Deliver = (piece: Uint8Array) => Promise<void>;

/**
 * A stream whose content is produced while it is read: `produce` starts with the first read, ends the stream when it
 * resolves, and fails it when it rejects. A reader that cancels aborts `cancelled`. One that asks for nothing more for
 * `patience` milliseconds (0: for ever) has gone without a word: `deliver` rejects with `transfer_stalled`, so that
 * nothing stays open for it.
 */
export function lazyStream(
  produce: (deliver: Deliver, cancelled: AbortSignal) => Promise<void>,
  patience: number,
): ReadableStream<Uint8Array> {
  const cancelling = new AbortController();
  let producing: Promise<void> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let goOn = (): void => {};
  let answer = (): void => {};

  const run = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    const deliver: Deliver = piece =>
      new Promise((resolve, reject) => {
        goOn = resolve;
        if (patience > 0 && patience < 2 ** 31) timer = setTimeout(() => reject(notRead()), patience);
        controller.enqueue(plain(piece));
        answer();
      });
    try {
      await produce(deliver, cancelling.signal);
      if (!cancelling.signal.aborted) controller.close();
    } catch (error) {
      if (!cancelling.signal.aborted) controller.error(error);
    } finally {
      clearTimeout(timer);
      answer();
    }
  };

  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        clearTimeout(timer);
        // Settles with the piece that was asked for, so that there is never more than one question.
        const answered = new Promise<void>(resolve => {
          answer = resolve;
        });
        goOn();
        producing ??= run(controller);
        return answered;
      },
      cancel(reason) {
        cancelling.abort(reason);
        return producing;
      },
    },
    { highWaterMark: 0 },
  );
}

/** Node gives Buffers, whose `slice` and JSON are not those of a Uint8Array. */
export function plain({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function notRead(): TransferError {
  const message = 'A returned file was not read on within the stall limit.';
  const failure = { pointer: '', reason: 'not_read' };
  return new TransferError('transfer_stalled', message, [failure], { details: { reason: failure.reason } });
}
