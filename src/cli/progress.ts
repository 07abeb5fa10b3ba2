import { type Options, SingleBar } from 'cli-progress';
import type { Output } from './io.js';
import { fitted, printableLine, shownSize, width } from './text.js';

/** The members of the library's progress event that are shown. */
export interface Progress {
  readonly phase: string;
  readonly name?: string;
  readonly sentBytes: number;
  readonly totalBytes: number;
  readonly files: { readonly done: number; readonly total: number };
  readonly bytesPerSecond: number;
}

export interface ProgressView {
  show(progress: Progress): void;
  /** Leaves the terminal as it was; safe to call twice. */
  end(): void;
}

/** A bar on a terminal, a line at each quarter elsewhere, also between other lines; nothing for what is over at once. */
export function progressView(output: Output, flags: { json?: boolean; verbose?: boolean }): ProgressView {
  if (output.isTTY && !flags.verbose) return barView(output);
  return flags.json ? { show() {}, end() {} } : lineView(output);
}

function barView(output: Output): ProgressView {
  let bar: SingleBar | undefined;
  let latest: Progress | undefined;
  const start = () => {
    const options: Options = {
      stream: output as NodeJS.WritableStream,
      hideCursor: true,
      clearOnComplete: true,
      format: (_options, state) => (latest === undefined ? '' : barLine(latest, state.progress, output.columns ?? 80)),
    };
    bar = new SingleBar(options);
    bar.start(1, 0);
  };
  return {
    show(progress) {
      if (!isMoving(progress)) return;
      latest = progress;
      if (bar === undefined) start();
      bar?.update(progress.sentBytes / progress.totalBytes);
    },
    end() {
      bar?.stop();
      bar = undefined;
    },
  };
}

/** One line of the bar, at most as wide as the terminal. */
export function barLine(progress: Progress, share: number, columns: number): string {
  const size = Math.max(10, Math.min(30, columns - 58));
  const done = Math.round(share * size);
  const bar = '\u2588'.repeat(done) + '\u2591'.repeat(size - done);
  const percent = `${Math.floor(share * 100)}%`.padStart(4);
  const whole = Number.isFinite(progress.totalBytes) ? ` of ${shownSize(progress.totalBytes)}` : '';
  const amount = shownSize(progress.sentBytes) + whole;
  const speed = progress.bytesPerSecond > 0 ? `  ${shownSize(Math.round(progress.bytesPerSecond))}/s` : '';
  const state = `${bar} ${percent}  ${amount}${speed}`;
  const room = columns - 1 - width(state) - 2;
  // Several files move at once: a name would change with every event.
  const { done: complete, total } = progress.files;
  const what = total > 1 ? `${complete} of ${total} files` : printableLine(progress.name ?? '');
  const shown = what === '' || room < 8 ? '' : `  ${fitted(what, room)}`;
  return fitted(state + shown, columns - 1);
}

function lineView(output: Output): ProgressView {
  let quarter = 0;
  let total = 0;
  return {
    show(progress) {
      if (!isMoving(progress)) return;
      if (progress.totalBytes !== total) [quarter, total] = [0, progress.totalBytes];
      const now = Math.floor((4 * progress.sentBytes) / progress.totalBytes);
      if (now <= quarter || progress.totalBytes < 1024 * 1024) return;
      quarter = now;
      const verb = progress.phase === 'downloading' ? 'Received' : 'Sent';
      output.write(`${verb} ${shownSize(progress.sentBytes)} of ${shownSize(progress.totalBytes)} (${25 * now} %)\n`);
    },
    end() {},
  };
}

function isMoving(progress: Progress): boolean {
  return (progress.phase === 'uploading' || progress.phase === 'downloading') && progress.totalBytes > 0;
}
