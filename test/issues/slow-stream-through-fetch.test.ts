// Through fetch a stream is collected before it is sent. The stall limit used to count from the start of that to its
// end: a stream that kept moving for longer than the limit was taken for one that had stalled.
import { afterEach, expect, it } from 'vitest';
import { fromStream } from '../../src/index.js';
import { createFetchEngine } from '../../src/transfer/fetch-engine.js';
import { type Storage, storage } from '../transfer/support/server.js';
import { send, transferFailure } from '../transfer/support/upload.js';

let server: Storage;
afterEach(() => server.close());

const pause = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds));

it.each([undefined, { fields: [['key', 'a']] as const, fileField: 'file' }])(
  'a stream that keeps moving for longer than the stall limit arrives (form: %j)',
  async form => {
    server = await storage();
    async function* source() {
      const piece = Buffer.alloc(10);
      for (let i = 0; i < 6; i++) {
        await pause(300);
        yield piece.fill(`${i}`); // the same memory each time, as some streams do
      }
    }
    const engine = createFetchEngine(globalThis.fetch);
    const file = fromStream(source, { name: 'a', size: 60 });
    const receipt = await send(engine, server.origin, {
      file,
      timeouts: { stall: 1_200 },
      target: form ? { form } : {},
    });
    expect(receipt.milliseconds).toBeGreaterThan(1_200);
    expect(server.requests[0]!.body.toString()).toContain([0, 1, 2, 3, 4, 5].map(n => `${n}`.repeat(10)).join(''));
    await engine.close();
  },
);

it('one that stops does not', async () => {
  server = await storage();
  async function* source() {
    yield Buffer.alloc(10);
    await new Promise(() => {});
  }
  const engine = createFetchEngine(globalThis.fetch);
  const file = fromStream(source, { name: 'a', size: 60 });
  const sending = send(engine, server.origin, { file, timeouts: { stall: 200 } });
  expect(await transferFailure(sending)).toMatchObject({ code: 'transfer_stalled', reason: 'stalled' });
  await engine.close();
});
