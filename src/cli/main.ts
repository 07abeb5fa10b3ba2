#!/usr/bin/env node
import { EXIT } from './exit-code.js';
import { run } from './run.js';

const stop = new AbortController();
let forced: number = EXIT.interrupted;

// The first signal lets the command end in order, so that it can say what is known about the tool; the second does not.
for (const [signal, code] of [
  ['SIGINT', EXIT.interrupted],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const) {
  process.on(signal, () => {
    if (stop.signal.aborted) process.exit(code);
    forced = code;
    stop.abort(new Error(`Stopped by ${signal}.`));
  });
}

// A reader that has seen enough (`| head`) is no failure of ours.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? EXIT.ok : EXIT.notRun));
}

const { stdout, stderr, stdin, env } = process;
const code = await run(process.argv.slice(2), { out: stdout, err: stderr, input: stdin, env, signal: stop.signal });
process.exitCode = code === EXIT.interrupted ? forced : code;
// Nothing should be left that keeps the process alive; if a server's connection lingers all the same, it is not waited for.
setTimeout(() => process.exit(), 1000).unref();
