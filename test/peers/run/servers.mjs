import { spawn } from 'node:child_process';
import { mkdirSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { HERE, newSecrets, PATH } from './peers.mjs';

/** A minute for the slowest, several times over: the machine may be busy. */
const START_LIMIT = 240_000;
const STOP_LIMIT = 10_000;

/** Servers started by this run, each in a folder of its own, and the only way they are stopped: by their pids. */
export class Servers {
  #folder;
  #started = new Map();
  #scripts = new Set();
  #stopped = false;

  constructor(folder) {
    this.#folder = folder;
  }

  /** Resolves with what the tests need to know of it. */
  async start(peer) {
    const work = join(this.#folder, peer.name);
    mkdirSync(work, { recursive: true });
    const values = { ...newSecrets(peer), ...(await freePorts(peer.ports)) };
    if (this.#stopped) throw new Error('the run was stopped');
    this.#started.set(peer.name, work);
    const log = openSync(join(work, 'start.log'), 'a');
    // In a group of its own, so that Ctrl-C reaches this process alone and the servers are stopped in order.
    const script = spawn(join(HERE, 'start', peer.name), [work], {
      env: { ...process.env, PATH, ...values, ...peer.env?.(values) },
      stdio: ['ignore', log, log],
      detached: true,
    });
    this.#scripts.add(script);
    const code = await ended(script, START_LIMIT);
    this.#scripts.delete(script);
    if (code !== 0) throw new Error(`start/${peer.name} ended with ${code}: see ${work}/start.log`);
    return peer.address(values, work);
  }

  /** Ends what was started, and what a start that was cut short had started by then. */
  async stop() {
    this.#stopped = true;
    for (const script of this.#scripts) kill(-script.pid, 'SIGKILL');
    await Promise.all([...this.#started.values()].map(stopIn));
    this.#started.clear();
  }
}

async function stopIn(work) {
  const files = readdirSync(work).filter(name => name.endsWith('.pid'));
  const pids = files.map(name => Number(readFileSync(join(work, name), 'utf8'))).filter(pid => pid > 1);
  for (const pid of pids) kill(pid, 'SIGTERM');
  for (let waited = 0; waited < STOP_LIMIT && pids.some(isAlive); waited += 100) await pause(100);
  for (const pid of pids.filter(isAlive)) kill(pid, 'SIGKILL');
  for (const name of files) rmSync(join(work, name), { force: true });
}

function ended(child, limit) {
  return new Promise(resolve => {
    const timer = setTimeout(() => kill(-child.pid, 'SIGKILL'), limit);
    const done = result => {
      clearTimeout(timer);
      resolve(result);
    };
    child.once('error', error => done(error.code));
    child.once('exit', (code, signal) => done(code ?? signal));
  });
}

function kill(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone already.
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** All are held until all are known, so that none is given out twice. */
async function freePorts(names) {
  const servers = await Promise.all(names.map(listen));
  const ports = servers.map(server => server.address().port);
  await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))));
  return Object.fromEntries(names.map((name, at) => [name, String(ports[at])]));
}

function listen() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}
