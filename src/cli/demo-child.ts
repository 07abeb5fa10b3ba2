import { type ChildProcess, fork } from 'node:child_process';
import type { ReceivedFile } from '../testing/index.js';
import type { FromDemoServer, ToDemoServer } from './demo-server.js';
import { CommandError } from './exit-code.js';

/** The demo's server as the client sees it. */
export interface DemoServer {
  readonly url: string;
  /** What the server has of each file, in the order of arrival. */
  received(): Promise<readonly ReceivedFile[]>;
}

/** Runs the demo's server in a child process while `work` runs. */
export async function withDemoServer<T>(work: (server: DemoServer) => Promise<T>): Promise<T> {
  // The command's own file, as Node was given it: it holds everything, wherever the package is installed.
  const child = fork(process.argv[1] ?? '', ['demo-server'], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const ended = new Promise(resolve => child.once('exit', resolve).once('error', resolve));
  try {
    const ready = await answerOf(child, 'ready');
    return await work({
      url: ready.url,
      async received() {
        const answer = answerOf(child, 'received');
        child.send({ type: 'received' } satisfies ToDemoServer);
        return (await answer).files;
      },
    });
  } finally {
    if (child.connected) child.disconnect();
    await ended;
  }
}

function answerOf<Type extends FromDemoServer['type']>(
  child: ChildProcess,
  type: Type,
): Promise<Extract<FromDemoServer, { type: Type }>> {
  return new Promise((resolve, reject) => {
    const release = () => {
      child.off('message', onMessage);
      child.off('exit', onEnd).off('error', onEnd);
    };
    const onMessage = (message: FromDemoServer) => {
      if (message.type !== type && message.type !== 'failed') return;
      release();
      if (message.type === type) resolve(message as Extract<FromDemoServer, { type: Type }>);
      else
        reject(
          new CommandError(
            'demo_server',
            `The demo's server could not start: ${(message as { message: string }).message}`,
          ),
        );
    };
    const onEnd = () => {
      release();
      reject(new CommandError('demo_server', "The demo's server ended."));
    };
    child.on('message', onMessage);
    child.on('exit', onEnd).on('error', onEnd);
  });
}
