import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

function start(name, args = []) {
  const path = fileURLToPath(new URL(`../servers/${name}.mjs`, import.meta.url));
  return fork(path, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}

async function ask(child, message) {
  const answer = once(child, 'message');
  if (message !== undefined) child.send(message);
  return (await answer)[0];
}

/** The two servers of a benchmark, each in its own process. */
export async function startServers() {
  const sinkProcess = start('sink');
  const { origin } = await ask(sinkProcess);
  const mcpProcess = start('mcp', [origin]);
  const { url } = await ask(mcpProcess);
  return {
    mcpUrl: url,
    sinkOrigin: origin,
    /** Starts to count anew; answers come that many milliseconds late. */
    reset: ({ delay = 0 } = {}) => ask(sinkProcess, { reset: { delay } }),
    /** What arrived since: `connections`, `requests`, `bytes` of bodies, and milliseconds from the first connect to the last answer. */
    async report() {
      const { firstConnect, lastAnswer, ...counts } = await ask(sinkProcess, { report: true });
      return { ...counts, milliseconds: lastAnswer === undefined ? undefined : lastAnswer - firstConnect };
    },
    stop() {
      for (const child of [sinkProcess, mcpProcess]) if (child.connected) child.disconnect();
    },
  };
}
