import { openAsBlob } from 'node:fs';
import { Agent, FormData, fetch, setGlobalDispatcher } from 'undici';
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
