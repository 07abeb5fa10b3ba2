import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { curlCommand } from '../ways/curl.mjs';
import { makeFile, makeFiles } from './files.mjs';
import { canMeasureProcesses, isInstalled, runProcess } from './process-cost.mjs';
import { interleave } from './rounds.mjs';
import { startServers } from './servers.mjs';

const client = fileURLToPath(new URL('../client.mjs', import.meta.url));

/** What every piece of work is given: a folder, the two servers, and ways to run clients in processes of their own. */
export class Bench {
  /** Files of this benchmark; removed when it is closed. */
  folder = mkdtempSync(join(tmpdir(), 'mcp-files-bench-'));
  /** Without GNU time there is neither CPU nor memory in the tables. */
  measured = canMeasureProcesses();
  hasCurl = isInstalled('curl');
  quick;
  rounds;
  servers;
  /** Where the clients leave a CPU profile, or undefined. Profiles cost time: no number of such a run is worth anything. */
  profiles;
  /** The id of the work that is under way. */
  work;
  #onRun;

  static async open(options) {
    const bench = new Bench();
    bench.quick = options.quick;
    bench.rounds = options.rounds;
    bench.profiles = options.profiles;
    bench.#onRun = options.onRun;
    bench.servers = await startServers();
    return bench;
  }

  close() {
    this.servers?.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** A file of this size: `{ path, size }`. The same one for everybody who asks for that size. */
  file(size) {
    const name = `${size}.bin`;
    return { path: this.#files.get(name) ?? this.#keep(name, makeFile(this.folder, name, size)), size };
  }

  files(count, size) {
    const name = `${count}x${size}`;
    const paths = this.#files.get(name) ?? this.#keep(name, makeFiles(join(this.folder, name), count, size));
    return paths.map(path => ({ path, size }));
  }

  #files = new Map();

  #keep(name, made) {
    this.#files.set(name, made);
    return made;
  }

  async compare(ways, rounds = this.rounds) {
    return interleave(ways, rounds, this.#onRun);
  }

  /**
   * A transfer of files by one way. The clock is the sink's, from the first connect to the last answer, so nobody pays
   * for the start of its own program. CPU and memory are those of the whole process; `cpuOfWork` leaves out what a Node
   * program used to start and to load its packages.
   */
  transfer(name, { way = name, kind = 'put', files, concurrency = 1, delay = 0 }) {
    const job = {
      kind,
      concurrency,
      mcpUrl: this.servers.mcpUrl,
      to: join(this.folder, 'download.bin'),
      files: files.map((file, index) => ({
        ...file,
        url: `${this.servers.sinkOrigin}/${kind === 'get' ? `get/${file.size}` : index}`,
      })),
    };
    const total = files.reduce((sum, { size }) => sum + size, 0);
    const run = async () => {
      await this.servers.reset({ delay });
      const command = way === 'curl' ? curlCommand(job, this.folder) : this.#clientCommand(name, way, job);
      const { stdout, cpuSeconds, peakBytes } = await runProcess(command, this);
      const { cpuAtBegin = 0 } = JSON.parse(stdout || '{}');
      const { milliseconds, requests, bytes, connections } = await this.servers.report();
      const whole = kind === 'form' ? bytes > total : bytes === total;
      if (requests !== files.length || !whole) {
        throw new Error(`${name}: ${requests} of ${files.length} files and ${bytes} of ${total} bytes arrived`);
      }
      const seconds = milliseconds / 1000;
      return {
        seconds,
        mibPerSecond: total / 1024 ** 2 / seconds,
        cpuSeconds,
        cpuOfWork: cpuSeconds && cpuSeconds - cpuAtBegin,
        peakBytes,
        connections,
      };
    };
    return { name, run };
  }

  /** A client that measures itself; CPU and memory come beside. */
  own(name, { way, kind, ...job }) {
    const run = async () => {
      const command = this.#clientCommand(name, way, { kind, mcpUrl: this.servers.mcpUrl, ...job });
      const { stdout, cpuSeconds, peakBytes } = await runProcess(command, this);
      return { ...JSON.parse(stdout || '{}'), cpuSeconds, peakBytes };
    };
    return { name, run };
  }

  #clientCommand(name, way, job) {
    const path = join(this.folder, 'job.json');
    writeFileSync(path, JSON.stringify(job));
    const profile = `--cpu-prof-name=${`${this.work} ${name}`.replaceAll(/[^a-z0-9]+/gi, '-')}.cpuprofile`;
    const flags = this.profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${this.profiles}`, profile];
    return [process.execPath, ...flags, client, way, path];
  }
}
