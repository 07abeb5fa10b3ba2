import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { Agent, request } from 'node:http';
import { pipeline } from 'node:stream/promises';
import FormData from 'form-data';
import { sendAll } from './pool.mjs';

export async function form(job) {
  const agent = new Agent({ keepAlive: true, maxSockets: job.concurrency });
  await sendAll(job, async ({ path, size, url }) => {
    const form = new FormData();
    form.append('key', '0');
    form.append('file', createReadStream(path, { highWaterMark: 512 * 1024 }), { knownLength: size });
    const headers = { ...form.getHeaders(), 'content-length': form.getLengthSync() };
    const sending = request(url, { method: 'POST', headers, agent });
    const answer = once(sending, 'response');
    await pipeline(form, sending);
    const [response] = await answer;
    await once(response.resume(), 'end');
  });
  agent.destroy();
}
