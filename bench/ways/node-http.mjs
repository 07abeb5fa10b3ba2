import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { Agent, request } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { sendAll } from './pool.mjs';

export async function put(job) {
  const agent = new Agent({ keepAlive: true, maxSockets: job.concurrency });
  await sendAll(job, async ({ path, size, url }) => {
    const sending = request(url, { method: 'PUT', headers: { 'content-length': size }, agent });
    const answer = once(sending, 'response');
    await pipeline(createReadStream(path, { highWaterMark: 512 * 1024 }), sending);
    const [response] = await answer;
    await once(response.resume(), 'end');
  });
  agent.destroy();
}
