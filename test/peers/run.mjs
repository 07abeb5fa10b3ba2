/**
 * npm run test:peers             installs what is missing (Debian packages, the signers), starts every storage server,
 *                                sends to all of them and to the stand-ins, says how it went, and stops them again
 * npm run test:peers:installed   the same with the servers that are installed already, and says which it left out
 *
 * PEERS_DIR: where the servers keep their data, a folder that is made and removed; the system's temporary folder unless
 * told. Swift needs extended attributes there.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPackages, installSigners } from './run/install.mjs';
import { HERE, missingPrograms, PEERS, STAND_INS } from './run/peers.mjs';
import { Servers } from './run/servers.mjs';
import { formatTable, rowsOf } from './run/table.mjs';

const installedOnly = process.argv.includes('--installed');
const only = process.argv.slice(2).filter(argument => !argument.startsWith('--'));
const work = mkdtempSync(join(process.env.PEERS_DIR ?? tmpdir(), 'peers-'));
const servers = new Servers(work);
let vitest;
let interrupted;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    interrupted ??= signal;
    vitest?.kill('SIGTERM');
    void servers.stop();
  });
}

let failed = true;
try {
  failed = !(await main());
} catch (error) {
  console.error(error);
} finally {
  await servers.stop();
}
if (failed && !interrupted) console.error(`The servers' logs are in ${work}`);
else rmSync(work, { recursive: true, force: true });
process.exit(interrupted ? 130 : failed ? 1 : 0);

async function main() {
  const chosen = PEERS.filter(({ name }) => only.length === 0 || only.includes(name));
  const problems = [installSigners()];
  if (!installedOnly) problems.push(installPackages(chosen));
  const hasSigners = problems[0] === undefined;

  const outcomes = await Promise.all(chosen.map(peer => startPeer(peer, hasSigners)));
  if (interrupted) return false;
  const standIns = only.length === 0 ? STAND_INS : STAND_INS.filter(({ title }) => only.includes(title));
  const runnable = standIns.filter(group => hasSigners || !group.signers);
  const tests = [...outcomes.filter(({ address }) => address), ...runnable].flatMap(({ tests }) => tests);
  const peers = Object.fromEntries(outcomes.map(({ name, address }) => [name, address]));
  const passed = tests.length > 0 && (await runTests(tests, peers));
  if (interrupted) return false;

  const left = standIns.filter(group => !runnable.includes(group)).map(({ title }) => [title, 'skipped: no signers']);
  if (tests.length > 0) {
    console.log(`\n${formatTable(['Row', 'Verified against', 'Cases', 'Result'], rowsOf(join(work, 'results.json')))}`);
  }
  console.log(
    `\n${formatTable(['Peer', 'State'], [...outcomes.map(({ title, state }) => [title, state]), ...left])}\n`,
  );
  const told = problems.filter(problem => problem !== undefined);
  for (const problem of told) console.error(problem);
  const skipped = left.length > 0 || outcomes.some(({ address }) => !address);
  const broken = outcomes.some(({ broken }) => broken);
  return passed && !broken && (installedOnly || !skipped);
}

async function startPeer(peer, hasSigners) {
  const { name, title, tests, packages } = peer;
  const missing = missingPrograms(peer);
  if (missing.length > 0)
    return { name, title, tests, state: `skipped, not installed: ${packages.join(' ') || missing[0]}` };
  if (peer.signers && !hasSigners) return { name, title, tests, state: 'skipped: no signers' };
  const start = performance.now();
  try {
    const address = await servers.start(peer);
    return {
      name,
      title,
      tests,
      address,
      state: `ran, started in ${((performance.now() - start) / 1000).toFixed(1)} s`,
    };
  } catch (error) {
    return { name, title, tests, state: `could not be started: ${error.message}`, broken: true };
  }
}

function runTests(tests, peers) {
  const cli = join(HERE, '../../node_modules/vitest/vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${join(work, 'results.json')}`];
  vitest = spawn(process.execPath, [cli, 'run', '--config', join(HERE, 'vitest.config.ts'), ...reporters, ...tests], {
    cwd: HERE,
    env: { ...process.env, PEERS: JSON.stringify(peers) },
    stdio: 'inherit',
    detached: true,
  });
  return new Promise(resolve => {
    vitest.once('error', () => resolve(false));
    vitest.once('exit', code => resolve(code === 0));
  });
}
