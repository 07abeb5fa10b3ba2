import { afterEach, describe, expect, it } from 'vitest';
import { fromBytes } from '../../src/source/from-bytes.js';
import { fromStream } from '../../src/source/from-stream.js';
import { answer, type Storage, storage } from './support/server.js';
import { closeEngines, engine, send, transferFailure } from './support/upload.js';

let server: Storage;

afterEach(async () => {
  await closeEngines();
  await server.close();
});

describe('connections', () => {
  it.each([
    ['bytes of one piece', () => fromBytes(Buffer.alloc(300_000), { name: 'a' })],
    ['bytes of several pieces', () => fromBytes(Buffer.alloc(2_500_000), { name: 'a' })],
    [
      'a stream',
      () =>
        fromStream(
          async function* () {
            for (let i = 0; i < 5; i++) yield Buffer.alloc(70_000);
          },
          { name: 'a', size: 350_000 },
        ),
    ],
  ])('one is enough for 200 uploads of %s, one after the other', async (_, make) => {
    server = await storage(() => answer(200, 'stored'));
    const shared = engine();
    for (let i = 0; i < 200; i++) await send(shared, server.origin, { file: make() });
    expect(server.requests.length).toBe(200);
    expect(server.connections).toBe(1);
  });

  it('one is enough for forms', async () => {
    server = await storage(() => answer(204));
    const shared = engine();
    const form = { fields: [['key', 'a']] as const, fileField: 'file' };
    for (let i = 0; i < 50; i++) await send(shared, server.origin, { target: { form } });
    expect(server.connections).toBe(1);
  });

  it('one stays usable when success is said before the body was read', async () => {
    server = await storage();
    const shared = engine();
    await send(shared, server.origin, { file: Buffer.alloc(3_000_000) });
    await send(shared, server.origin, { file: Buffer.alloc(3_000_000) });
    expect(server.connections).toBe(1);
  });

  it('each of five at once has its own, and they are used again', async () => {
    server = await storage();
    const shared = engine();
    const five = () => Promise.all([1, 2, 3, 4, 5].map(() => send(shared, server.origin)));
    await five();
    await five();
    expect(server.requests.length).toBe(10);
    expect(server.connections).toBe(5);
  });

  it('one that the storage closed while it was idle costs nothing but a new one', async () => {
    server = await storage((_, socket) => {
      setTimeout(() => socket.end(), 20);
      return answer(200);
    });
    const shared = engine();
    await send(shared, server.origin);
    await server.idle();
    await expect(send(shared, server.origin)).resolves.toMatchObject({ status: 200 });
    expect(server.connections).toBe(2);
  });

  it('one is not used again after a refusal that was not read to its end', async () => {
    server = await storage(() => answer(403, 'x'.repeat(200_000)));
    const shared = engine();
    await transferFailure(send(shared, server.origin));
    await server.idle();
    await transferFailure(send(shared, server.origin));
    expect(server.connections).toBe(2);
  });

  it('all are closed with the engine', async () => {
    server = await storage();
    const shared = engine();
    await Promise.all([send(shared, server.origin), send(shared, server.origin)]);
    await shared.close();
    await server.idle();
    expect(await transferFailure(send(shared, server.origin))).toMatchObject({ reason: 'connection_failed' });
  });
});
