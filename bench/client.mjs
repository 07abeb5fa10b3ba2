// The process of one measured client: `node client.mjs <way> <job.json>`. It loads its own way and nothing of the
// others, does the job, and prints what it measured itself as JSON.
import { readFileSync } from 'node:fs';
import { cpuAtBegin } from './ways/clock.mjs';

const [way, jobPath] = process.argv.slice(2);
const job = JSON.parse(readFileSync(jobPath, 'utf8'));
const measured = await (await import(`./ways/${way}.mjs`))[job.kind](job);
process.stdout.write(JSON.stringify({ cpuAtBegin, ...measured }));
