// node bench/profile.mjs FILE.cpuprofile...: where the time of a profile went, by package and by function. A profile is
// left by `npm run bench -- --profiles DIR`, or by any program under `node --cpu-prof`.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { top: { type: 'string', default: '15' } },
});

for (const path of positionals) {
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(path, 'utf8'));
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const timed = samples.map((id, index) => ({ frame: frames.get(id), milliseconds: timeDeltas[index] / 1000 }));
  const total = timed.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  console.log(`\n${path}: ${total.toFixed(0)} ms`);
  print(timed, ({ functionName, url }) => packageOf(url) ?? `(native) ${functionName}`);
  print(timed, ({ functionName, url, lineNumber }) => {
    const place = packageOf(url);
    return place === undefined ? functionName : `${functionName || '(anonymous)'}  ${place}, line ${lineNumber + 1}`;
  });
}

/** The npm package, the part of Node or the file that code is from; native functions have none. */
function packageOf(url) {
  if (url === '') return undefined;
  const npm = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  return npm ?? url.replace(/^file:.*\/(?=(dist|bench)\/)/, '');
}

function print(timed, nameOf) {
  const sums = new Map();
  for (const { frame, milliseconds } of timed) {
    const name = nameOf(frame);
    sums.set(name, (sums.get(name) ?? 0) + milliseconds);
  }
  const lines = [...sums].sort(([, a], [, b]) => b - a).slice(0, Number(values.top));
  console.log(`\n${lines.map(([name, sum]) => `${sum.toFixed(1).padStart(9)} ms  ${name}`).join('\n')}`);
}
