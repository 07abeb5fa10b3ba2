import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { HERE, missingPrograms } from './peers.mjs';

/** Brings node_modules of this folder to what package-lock.json says. Returns why it could not, if it could not. */
export function installSigners() {
  const installed = join(HERE, 'node_modules/.package-lock.json');
  const wanted = join(HERE, 'package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(wanted).mtimeMs) return undefined;
  return run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: HERE });
}

/** The Debian packages of the peers that are not there yet. Returns why it could not, if it could not. */
export function installPackages(peers) {
  const packages = peers.filter(peer => missingPrograms(peer).length > 0).flatMap(peer => peer.packages);
  if (packages.length === 0) return undefined;
  // RUNLEVEL=1 keeps the packages' scripts from starting the servers as system services, where policy-rc.d does not.
  const env = ['env', 'DEBIAN_FRONTEND=noninteractive', 'RUNLEVEL=1'];
  const root = process.getuid?.() === 0 ? env : ['sudo', '-n', ...env];
  const [command, ...prefix] = root;
  return (
    run(command, [...prefix, 'apt-get', 'update']) ??
    run(command, [...prefix, 'apt-get', 'install', '-y', '--no-install-recommends', ...packages])
  );
}

function run(command, args, options = {}) {
  console.log(`\n$ ${command} ${args.join(' ')}`);
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });
  if (status === 0) return undefined;
  return `${command} ${args.at(0)} ended with ${error?.code ?? status}`;
}
