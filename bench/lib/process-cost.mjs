import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const TIME = '/usr/bin/time';

/** GNU time: it starts the process and gets its CPU time and peak resident memory from the kernel (wait4). */
export function canMeasureProcesses() {
  return spawnSync(TIME, ['-f', '%M', 'true']).status === 0;
}

export function isInstalled(command) {
  return spawnSync(command, ['--version']).error === undefined;
}

/**
 * Runs a command to its end. `cpuSeconds` is user and system time of the process, `peakBytes` its largest resident set;
 * both are absent without GNU time.
 */
export async function runProcess([command, ...args], { folder, measured }) {
  const notes = join(folder, 'cost.txt');
  const line = measured ? [TIME, '-o', notes, '-f', '%U %S %M', command, ...args] : [command, ...args];
  const child = spawn(line[0], line.slice(1), { stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', text => {
    stdout += text;
  });
  child.stderr.on('data', text => {
    stderr += text;
  });
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${stderr.slice(0, 2000)}`);
  if (!measured) return { stdout };
  const [user, system, kilobytes] = readFileSync(notes, 'utf8').trim().split('\n').at(-1).split(' ').map(Number);
  return { stdout, cpuSeconds: user + system, peakBytes: kilobytes * 1024 };
}
