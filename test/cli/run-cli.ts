import { type ChildProcess, spawn } from 'node:child_process';
import { buffer, text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** The built command; `npm test` builds it first. */
export const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly input?: string;
  readonly env?: Record<string, string>;
}

/** Starts the command in a process of its own, as a shell would without a terminal. */
export function startCli(
  args: readonly string[],
  { input = '', env = {} }: RunOptions = {},
): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  const child = spawn(process.execPath, [CLI, ...args], { env: { ...process.env, ...env }, stdio: 'pipe' });
  const exit = new Promise<number | null>(resolve => child.on('exit', resolve));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const ended = Promise.all([exit, text(child.stdout), text(child.stderr)]).then(([code, stdout, stderr]) => ({
    code,
    stdout,
    stderr,
  }));
  return { child, ended };
}

/** As `runCli`, for what is no text. */
export async function runCliForBytes(args: readonly string[]): Promise<{ code: number | null; stdout: Buffer }> {
  const child = spawn(process.execPath, [CLI, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  const exit = new Promise<number | null>(resolve => child.on('exit', resolve));
  const [code, stdout] = await Promise.all([exit, buffer(child.stdout)]);
  return { code, stdout };
}

export function runCli(args: readonly string[], options?: RunOptions): Promise<Ended> {
  return startCli(args, options).ended;
}
