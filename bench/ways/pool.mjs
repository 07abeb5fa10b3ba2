import { begin } from './clock.mjs';

/** Sends every file of a job, so many at once. */
export async function sendAll({ files, concurrency }, send) {
  begin();
  const waiting = files.values();
  const lane = async () => {
    for (const file of waiting) await send(file);
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
}
