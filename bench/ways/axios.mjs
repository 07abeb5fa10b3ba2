import { createReadStream } from 'node:fs';
import { Agent } from 'node:http';
import axios from 'axios';
import { sendAll } from './pool.mjs';

export async function put(job) {
  const httpAgent = new Agent({ keepAlive: true, maxSockets: job.concurrency });
  await sendAll(job, ({ path, size, url }) =>
    axios.put(url, createReadStream(path, { highWaterMark: 512 * 1024 }), {
      headers: { 'content-length': size, 'content-type': 'application/octet-stream' },
      maxRedirects: 0, // with its default it keeps the whole body in memory
      maxBodyLength: Number.POSITIVE_INFINITY,
      httpAgent,
    }),
  );
  httpAgent.destroy();
}
