// The HTTP client begins to read the body in the middle of its own work, so code of the source ran there. When that code
// ended the call, an assertion of the HTTP client failed outside of any promise, which ends the process, and the
// transfer never settled.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fromStream } from '../../src/index.js';
import { type Storage, storage } from '../transfer/support/server.js';
import { closeEngines, engine, failure, send } from '../transfer/support/upload.js';

let server: Storage;
let caller: AbortController;
beforeEach(async () => {
  server = await storage();
  caller = new AbortController();
});
afterEach(async () => {
  await closeEngines();
  await server.close();
});

it.each<[string, () => AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>]>([
  [
    'when it is opened',
    () => {
      caller.abort('enough');
      return new Blob(['content']).stream();
    },
  ],
  [
    'before its first piece',
    async function* () {
      caller.abort('enough');
      yield Buffer.from('content');
    },
  ],
  [
    'after its first piece',
    async function* () {
      yield Buffer.from('con');
      caller.abort('enough');
      yield Buffer.from('tent');
    },
  ],
  ['when it is pulled', () => new ReadableStream({ pull: () => caller.abort('enough') }, { highWaterMark: 0 })],
])(
  'a source may end the call that sends it, %s',
  async (_, open) => {
    const uncaught: unknown[] = [];
    const onUncaught = (error: unknown) => void uncaught.push(error);
    process.on('uncaughtException', onUncaught);
    try {
      const file = fromStream(open, { name: 'a', size: 7 });
      const sending = failure(send(engine(), server.origin, { file, signal: caller.signal }));
      expect(await sending).toMatchObject({ code: 'aborted', cause: 'enough', pointer: '/document' });
      await server.idle();
      expect(uncaught).toEqual([]);
    } finally {
      process.off('uncaughtException', onUncaught);
    }
  },
  5_000,
);
