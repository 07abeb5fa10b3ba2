import { createReadStream } from 'node:fs';
import { Agent } from 'node:http';
import got from 'got';
import { sendAll } from './pool.mjs';

export async function put(job) {
  const http = new Agent({ keepAlive: true, maxSockets: job.concurrency });
  await sendAll(job, ({ path, size, url }) =>
    got.put(url, {
      body: createReadStream(path, { highWaterMark: 512 * 1024 }),
      headers: { 'content-length': String(size) },
      agent: { http },
      retry: { limit: 0 },
    }),
  );
  http.destroy();
}
