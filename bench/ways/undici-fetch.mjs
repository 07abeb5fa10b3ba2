import { createWriteStream, openAsBlob } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Agent, FormData, fetch, setGlobalDispatcher } from 'undici';
import { begin } from './clock.mjs';
import { sendAll } from './pool.mjs';

const send = (job, method, bodyOf) => {
  setGlobalDispatcher(new Agent({ connections: job.concurrency }));
  return sendAll(job, async ({ path, url }) => {
    const response = await fetch(url, { method, body: bodyOf(await openAsBlob(path)) });
    await response.arrayBuffer();
  });
};

export const put = job => send(job, 'PUT', blob => blob);

export const form = job =>
  send(job, 'POST', blob => {
    const form = new FormData();
    form.append('key', '0');
    form.append('file', blob, 'file.bin');
    return form;
  });

export async function get({ files, to }) {
  begin();
  const response = await fetch(files[0].url);
  await pipeline(Readable.fromWeb(response.body), createWriteStream(to));
}
