// A job in three processes: a store, an orchestrator that submits and ends, a worker that runs later. Ends with 1 if anything
// is not as it should be.
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';

const here = name => new URL(name, import.meta.url);
const run = promisify(execFile);
const node = async (script, ...args) => (await run(process.execPath, [here(script).pathname, ...args])).stdout;

const store = fork(here('server.mjs'));
try {
  const [{ url }] = await once(store, 'message');
  const ticket = await node('submit.mjs', url);
  console.log('The orchestrator has stored a prompt and a dataset, and has ended:');
  for (const [name, { uri }] of Object.entries(JSON.parse(ticket))) console.log(`  ${name}: ${uri}`);

  const report = JSON.parse(await node('work.mjs', url, ticket));
  console.log('The worker has read them, deleted them, and read them again:');
  for (const [name, { mimeType, bytes, same, afterwards }] of Object.entries(report)) {
    console.log(
      `  ${name}: ${bytes} bytes of ${mimeType}, ${same ? 'byte for byte' : 'NOT THE SAME'}; afterwards ${afterwards}`,
    );
    if (!same || afterwards !== 'resource_not_found') process.exitCode = 1;
  }
} finally {
  store.disconnect();
}
