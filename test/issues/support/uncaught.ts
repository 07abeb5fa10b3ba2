import { onTestFinished } from 'vitest';

const EVENTS = ['unhandledRejection', 'uncaughtException'] as const;

/** Collects what would end a process, instead of the test runner, until the test has finished. */
export function watchUncaught(): unknown[] {
  const seen: unknown[] = [];
  const note = (error: unknown) => void seen.push(error);
  for (const event of EVENTS) {
    const others = process.listeners(event as 'uncaughtException');
    process.removeAllListeners(event).on(event, note);
    onTestFinished(() => {
      process.removeAllListeners(event);
      for (const listener of others) process.on(event, listener);
    });
  }
  return seen;
}
