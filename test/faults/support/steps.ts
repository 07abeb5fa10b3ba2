import { AsyncResource, createHook, executionAsyncId } from 'node:async_hooks';
import type { EngineRequest, EngineResponse, TransferEngine } from '../../../src/transfer/engine.js';

/**
 * The steps of one task: each callback that belongs to it (continuations of promises, of reads of a file, events of a
 * socket, timers), as the runtime tells of them, and those moments between that code of ours names by `step`. Something
 * is done at one of them, and only there.
 */
export class Steps {
  count = 0;
  /** What the step was at which it was done. */
  name: string | undefined;
  readonly #at: number;
  readonly #act: () => void;

  constructor(at: number, act: () => void) {
    this.#at = at;
    this.#act = act;
  }

  readonly step = (name: string): void => {
    if (this.count++ !== this.#at) return;
    this.name = name;
    this.#act();
  };

  /** Whatever is caused by the task, however late, belongs to it; what others do meanwhile does not. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    hook.enable();
    const root = new AsyncResource('Steps');
    owners.set(root.asyncId(), this);
    try {
      return await root.runInAsyncScope(task);
    } finally {
      for (const [id, owner] of owners) {
        if (owner !== this) continue;
        owners.delete(id);
        types.delete(id);
      }
      if (owners.size === 0) hook.disable();
    }
  }
}

const owners = new Map<number, Steps>();
const types = new Map<number, string>();

const hook = createHook({
  init(id, type) {
    const owner = owners.get(executionAsyncId());
    if (owner === undefined) return;
    owners.set(id, owner);
    types.set(id, type);
  },
  before(id) {
    if (types.get(id) === 'PROMISE') owners.get(id)?.step('PROMISE');
  },
  // Between an event of the system and its callback nothing can happen: no code of anyone runs there.
  after(id) {
    const type = types.get(id);
    if (type !== undefined && type !== 'PROMISE') owners.get(id)?.step(type);
  },
});

/** The same engine, each crossing of the seam a step. */
export function stepping(engine: TransferEngine, step: (name: string) => void): TransferEngine {
  async function* stepped(name: string, pieces: AsyncIterable<Uint8Array>) {
    step(`${name} begins`);
    for await (const piece of pieces) {
      step(`${name} has a piece`);
      yield piece;
      step(`${name} is asked for more`);
    }
    step(`${name} ends`);
  }

  const request = (given: EngineRequest): EngineRequest => {
    const { body } = given;
    if (body === undefined) return given;
    return {
      ...given,
      body: {
        length: body.length,
        ...(body.contentType !== undefined && { contentType: body.contentType }),
        ...(body.isStream !== undefined && { isStream: body.isStream }),
        chunks: signal => stepped('body', body.chunks(signal)),
        async blob(signal) {
          step('blob');
          const blob = await body.blob(signal);
          step('blob is there');
          return blob;
        },
      },
    };
  };

  const response = (given: EngineResponse): EngineResponse => ({
    status: given.status,
    header: name => given.header(name),
    body: stepped('answer', given.body),
    async discard() {
      step('discard');
      await given.discard();
      step('discarded');
    },
  });

  return {
    kind: engine.kind,
    async send(given) {
      step('send');
      const answered = await engine.send(request(given));
      step('answered');
      return response(answered);
    },
    close: () => engine.close(),
  };
}
