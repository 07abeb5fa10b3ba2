/** What `onProgress` is called with. Totals are over all files of the call. */
export interface ProgressEvent {
  readonly phase: 'reading' | 'uploading' | 'calling' | 'downloading';
  /** The file that moved last: JSON Pointer into `arguments`, and its name. Absent when only the phase changed. */
  readonly pointer?: string;
  readonly name?: string;
  /** Bytes. Never decreases, never exceeds `totalBytes`, and reaches it only when every transfer was answered with success. */
  readonly sentBytes: number;
  /** `Infinity` for a download as long as nobody has said how large the file is. */
  readonly totalBytes: number;
  readonly files: { readonly done: number; readonly total: number };
  /** Average since the first byte of the call moved; 0 before. */
  readonly bytesPerSecond: number;
}

/** A call's progress as a sum of slots, one a file. */
export interface ProgressMeter {
  phase(phase: ProgressEvent['phase']): void;
  /** So many bytes of this file have gone out. A retry may say less than before: a slot never goes back. */
  sent(pointer: string, bytes: number): void;
  /** This file turns out to have so many bytes: for one whose size was given as `Infinity`. */
  measure(pointer: string, size: number): void;
  /** This file has arrived. Only now its last byte counts. */
  confirm(pointer: string): void;
}

interface Slot {
  readonly pointer: string;
  readonly name: string;
  size: number;
  sent: number;
  done: boolean;
}

/** Of a call without a listener. */
const UNHEARD: ProgressMeter = { phase() {}, sent() {}, measure() {}, confirm() {} };

/**
 * @param clock milliseconds, for the speed only.
 */
export function createProgress(
  files: ReadonlyArray<{ readonly pointer: string; readonly name: string; readonly size: number }>,
  listener: ((progress: ProgressEvent) => void) | undefined,
  clock: () => number = () => performance.now(),
): ProgressMeter {
  if (listener === undefined) return UNHEARD;
  const slots = new Map<string, Slot>(
    files.map(({ pointer, name, size }) => [pointer, { pointer, name, size, sent: 0, done: false }]),
  );
  const total = (): number => [...slots.values()].reduce((sum, { size }) => sum + size, 0);
  let totalBytes = total();
  let sentBytes = 0;
  let done = 0;
  let phase: ProgressEvent['phase'] = 'reading';
  let since: number | undefined;

  const emit = (slot?: Slot): void => {
    const seconds = since === undefined ? 0 : (clock() - since) / 1000;
    notify(listener, {
      phase,
      ...(slot && { pointer: slot.pointer, name: slot.name }),
      sentBytes,
      totalBytes,
      files: { done, total: slots.size },
      bytesPerSecond: seconds > 0 ? Math.round(sentBytes / seconds) : 0,
    });
  };

  const measure = (slot: Slot, size: number): void => {
    slot.size = size;
    totalBytes = total();
  };

  const advance = (slot: Slot, bytes: number): void => {
    sentBytes += bytes - slot.sent;
    slot.sent = bytes;
    emit(slot);
  };

  return {
    phase(next) {
      phase = next;
      emit();
    },
    sent(pointer, bytes) {
      since ??= clock();
      const slot = slots.get(pointer);
      if (slot === undefined) return;
      // The last byte is held back: what the socket took is not yet what the storage has.
      const shown = Math.min(bytes, slot.size - 1);
      if (shown > slot.sent) advance(slot, shown);
    },
    measure(pointer, size) {
      const slot = slots.get(pointer);
      if (slot !== undefined && !slot.done) measure(slot, size);
    },
    confirm(pointer) {
      since ??= clock();
      const slot = slots.get(pointer);
      if (slot === undefined || slot.done) return;
      if (slot.size === Number.POSITIVE_INFINITY) measure(slot, slot.sent);
      slot.done = true;
      done += 1;
      advance(slot, slot.size);
    },
  };
}

/** A listener's own failure, thrown or rejected, is never the transfer's. */
function notify(listener: (progress: ProgressEvent) => unknown, progress: ProgressEvent): void {
  try {
    const result = listener(progress);
    if (result instanceof Promise) result.catch(() => {});
  } catch {}
}
