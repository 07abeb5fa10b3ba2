/**
 * Runs every way once, then every way again, and so on: what disturbs the machine for a while disturbs all of them. The
 * order is turned by one each round. A way is `{ name, run }`; `run` resolves to numbers by name. Gives the median,
 * least and largest of each number.
 */
export async function interleave(ways, rounds, onRun = () => {}) {
  const runs = new Map(ways.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const index of ways.keys()) {
      const { name, run } = ways[(index + round) % ways.length];
      onRun(name, round);
      runs.get(name).push(await run());
    }
  }
  return [...runs].map(([name, numbers]) => ({ name, ...summary(numbers) }));
}

function summary(runs) {
  const names = Object.keys(runs[0]).filter(name => runs.every(run => run[name] !== undefined));
  return Object.fromEntries(
    names.map(name => {
      const values = runs.map(run => run[name]).sort((a, b) => a - b);
      return [name, { median: median(values), min: values[0], max: values.at(-1) }];
    }),
  );
}

function median(sorted) {
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
