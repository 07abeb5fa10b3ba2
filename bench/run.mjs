// npm run bench -- [--quick] [--rounds N] [--only ID,ID] [--json FILE] [--profiles DIR]
//
// Sends the same files with this library, with curl and with other HTTP clients, each in a fresh process, to a server in
// its own process, in turns. Prints tables (median, and in brackets the least and the largest), the targets, and all of
// it as JSON. Only ratios of one run mean anything, and only on a machine that does nothing else.
//
// Needs GNU time in /usr/bin/time for CPU and memory, and curl; what is absent is left out and said so.
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { Bench } from './lib/bench.mjs';
import { printTargets, printWork } from './lib/report.mjs';
import { download } from './work/download.mjs';
import { growth } from './work/growth.mjs';
import { inlineCall, inlineMemory } from './work/inline.mjs';
import { largeFile } from './work/large-file.mjs';
import { manyFiles, oneByOne } from './work/many-files.mjs';
import { memory } from './work/memory.mjs';
import { importing, preparing } from './work/start.mjs';

const WORK = {
  'large-file': largeFile,
  download,
  memory,
  'many-files': manyFiles,
  'one-by-one': oneByOne,
  'inline-call': inlineCall,
  'inline-memory': inlineMemory,
  preparing,
  importing,
  growth,
};

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    only: { type: 'string' },
    json: { type: 'string' },
    profiles: { type: 'string' },
  },
});
// Growth takes half of the time of a full run and has no target.
const ids = values.only?.split(',') ?? Object.keys(WORK).filter(id => !values.quick || id !== 'growth');
const unknown = ids.find(id => WORK[id] === undefined);
if (unknown !== undefined) throw new Error(`No work "${unknown}"; there is ${Object.keys(WORK).join(', ')}.`);

const started = performance.now();
const bench = await Bench.open({
  quick: values.quick,
  rounds: Number(values.rounds),
  profiles: values.profiles,
  onRun: (name, round) => process.stderr.isTTY && process.stderr.write(`\r\x1b[K  round ${round + 1}: ${name}\r`),
});
try {
  console.log(`Node ${process.version}, ${cpus().length} x ${cpus()[0].model}, ${bench.rounds} rounds`);
  if (!bench.measured) console.log('No GNU time at /usr/bin/time: CPU and memory are not measured.');
  if (!bench.hasCurl) console.log('No curl: nothing is compared with it.');
  const works = [];
  for (const id of ids) {
    bench.work = id;
    const work = await WORK[id](bench);
    printWork(work);
    works.push(work);
  }
  const targets = works.flatMap(work => work.targets);
  printTargets(targets);
  const json = JSON.stringify(
    { node: process.version, quick: bench.quick, rounds: bench.rounds, works, targets },
    null,
    1,
  );
  if (values.json === undefined) console.log(`\nJSON\n\n${json}`);
  else writeFileSync(values.json, `${json}\n`);
  console.error(`${((performance.now() - started) / 1000).toFixed(0)} s`);
} finally {
  bench.close();
}
