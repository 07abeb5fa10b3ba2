import { PassThrough } from 'node:stream';
import { run } from '../../src/cli/run.js';

/** Runs a command line inside this process, so that no build and no process of its own is needed. */
export async function runHere(args: readonly string[], signal = new AbortController().signal) {
  const said = { stdout: '', stderr: '' };
  const output = (name: 'stdout' | 'stderr') => ({
    write: (text: string | Uint8Array) => {
      said[name] += text;
    },
  });
  const env = { PATH: process.env.PATH };
  const io = { out: output('stdout'), err: output('stderr'), input: new PassThrough().end(), env, signal };
  return { code: await run(args, io), ...said };
}
